"""Damage of a spell that goes on round by round, and how it makes casting hard."""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.damage.weapon_damage import amount_dealt, rolled_part
from affray.engine.rules.environment.hazard_damage import CONCENTRATION
from affray.engine.rules.gear.special_substances import BURNING
from affray.engine.rules.magic.spell_effects import lasting_until
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import EffectEnded, EffectGained
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant, Effect

ONGOING: Final = "ongoing "


def start_ongoing_damage(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Let a spell's damage go on by rounds, unless the target has saved.

    srd35.round.duration-expiry, pf1.round.duration-expiry.
    """
    if saved or not spell.ongoing or "dead" in target.conditions:
        return
    rule = fight.rule("round.duration-expiry")
    yield EffectGained(
        who=target.id,
        id=f"{fight.declaration}:{spell.name}:{target.id}:{fight.state.round}",
        stat=f"{ONGOING}{spell.ongoing}",
        modifier=Modifier(0, spell.damage_type, spell.name, rule),
        until=lasting_until(fight, caster, spell),
        against=caster.id,
        cites=(rule,),
    )


def deal_ongoing_damage(fight: Fight, combatant: Combatant) -> Steps[None]:
    """At the start of a turn, deal the damage that goes on."""
    for effect in [one for one in combatant.effects if one.stat.startswith(ONGOING)]:
        if "dead" in combatant.conditions:
            return
        yield from deal_ongoing_effect(fight, combatant, effect)


def deal_ongoing_effect(fight: Fight, combatant: Combatant, effect: Effect) -> Steps[None]:
    """Deal what one effect deals now, and remember how much that was."""
    dice, kind, source = effect.stat.removeprefix(ONGOING), effect.modifier.kind, effect.modifier.source
    rolled = yield Roll(combatant.id, "ongoing", dice)
    by = fight.state.combatants.get(effect.against)
    harm = Harm(combatant, rolled.total, kind, source, by, energy=True)
    fact = amount_dealt(fight, harm, rolled_part(harm, dice, rolled), effect.modifier.rule)
    yield fact if by is not None else replace(fact, attacker=combatant.id)
    yield from fight.dialect.damage.suffer(fight, harm)
    if any(one.id == effect.id for one in combatant.effects):
        yield EffectEnded(who=combatant.id, id=effect.id, why="", cites=(effect.modifier.rule,))
        yield EffectGained(
            who=combatant.id,
            id=effect.id,
            stat=effect.stat,
            modifier=Modifier(rolled.total, kind, source, effect.modifier.rule),
            until=effect.until,
            against=effect.against,
            cites=(effect.modifier.rule,),
        )


def hindering_damage(fight: Fight, caster: Combatant, spell: Spell) -> list[tuple[str, str, int]]:
    """Return how damage that goes on makes casting hard: by half of what it dealt last.

    srd35.skill.concentration-table, pf1.cast.concentration-table.
    """
    found = []
    for effect in caster.effects:
        if effect.stat.startswith((ONGOING, BURNING)):
            dc = fight.formula(CONCENTRATION, "case=continuous damage", "dc") + effect.modifier.value // 2
            found.append((f"hurt by {effect.modifier.source}", CONCENTRATION, dc + spell.level))
    return found
