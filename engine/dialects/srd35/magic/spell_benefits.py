"""What a spell gives or brings besides damage: cures, temporary hit points, poison and drain.

srd35.heal.limits, srd35.temp-hp.
"""

from affray.engine.dialects.srd35.damage import attack_riders
from affray.engine.dialects.srd35.damage.injury import heal
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.natures import is_a
from affray.engine.rules.damage.temporary_hit_points import lend_hit_points
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import Until
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

#: Whom a cure hurts as much as it would heal others.
UNDEAD = "undead"


def give_benefits(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Cure, lend hit points, and let what the spell carries take effect; the undead are hurt by a cure.

    srd35.heal.limits, srd35.temp-hp.
    """
    if "dead" in target.conditions:
        return
    if spell.healing:
        rolled = yield Roll(caster.id, "healing", spell.healing)
        if is_a(target, UNDEAD):
            amount = rolled.total // 2 if saved else rolled.total
            yield from fight.dialect.damage.suffer(
                fight, Harm(target, amount, "positive", spell.name, caster, energy=True)
            )
            return
        yield from heal(fight, target, rolled.total, spell.name)
    if spell.temporary:
        rolled = yield Roll(caster.id, "temporary", spell.temporary)
        end = fight.state.round + spell.rounds
        until = Until("turn-start", caster.id, end) if spell.rounds else Until("rest", target.id)
        yield from lend_hit_points(fight, target, rolled.total, spell.name, until)
    if not saved:
        for rider in spell.riders:
            yield from attack_riders.resist_or_suffer(fight, target, rider, caster)
