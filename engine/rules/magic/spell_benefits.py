"""What a spell gives or brings besides damage: cures, temporary hit points, what it carries.

pf1.injury.first-aid, pf1.temp-hp, srd35.heal.limits, srd35.temp-hp.
"""

from collections.abc import Callable
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.natures import is_a
from affray.engine.rules.damage.temporary_hit_points import lend_hit_points
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import Until
from affray.events.facts.sheet import Spell
from affray.events.facts.sheet_parts import Rider
from affray.projections.state import Combatant

#: Whom a cure hurts as much as it would heal others, and by what.
UNDEAD: Final = "undead"
POSITIVE: Final = "positive energy"

Bestow = Callable[[Fight, Combatant, Spell, Combatant, bool], Steps[None]]


def benefits(
    cure: Callable[[Fight, Combatant, int, str], Steps[None]],
    expose: Callable[[Fight, Combatant, Rider, Combatant | None], Steps[None]],
) -> Bestow:
    """Return what lets a spell take effect on one target, by how a dialect cures and exposes to riders.

    The undead are hurt by a cure; whoever has saved is spared what the spell carries.
    """

    def give_benefits(
        fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
    ) -> Steps[None]:
        """Cure, lend hit points, and let what the spell carries take effect.

        pf1.temp-hp, srd35.temp-hp.
        """
        if "dead" in target.conditions:
            return
        if spell.healing:
            rolled = yield Roll(caster.id, "healing", spell.healing)
            if is_a(target, UNDEAD):
                amount = rolled.total // 2 if saved else rolled.total
                harm = Harm(target, amount, POSITIVE, spell.name, caster, energy=True)
                yield from fight.dialect.damage.suffer(fight, harm)
                return
            yield from cure(fight, target, rolled.total, spell.name)
        if spell.temporary:
            rolled = yield Roll(caster.id, "temporary", spell.temporary)
            until = for_rounds(fight, caster, spell.rounds) if spell.rounds else Until("rest", target.id)
            yield from lend_hit_points(fight, target, rolled.total, spell.name, until)
        if not saved:
            for rider in spell.riders:
                yield from expose(fight, target, rider, caster)

    return give_benefits
