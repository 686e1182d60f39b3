"""Saving throws of things: their bearer's, their magic's, or none (srd35.object.saves)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import trait_detail
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def object_save(fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a saving throw; a thing's are its bearer's, or those of its magic if better.

    srd35.object.saves.
    """
    thing = combatant.sheet.thing
    if thing is None:
        return parts
    ways = []
    bearer = fight.state.combatants.get(trait_detail(combatant, "carried by"))
    if bearer is not None:
        ways.append(fight.dialect.classes.save_bonus(fight, bearer, kind))
    if thing.caster_level:
        base = fight.formula("srd35.object.saves", "magic_save")
        value = base + thing.caster_level // 2
        ways.append([Modifier(value, "base", "magic item", fight.rule("srd35.object.saves"))])
    return max(ways, key=lambda parts: sum(part.value for part in parts), default=[])


def saves_never(fight: Fight, combatant: Combatant) -> str:
    """Return the topic of the rule by which a saving throw fails unrolled: for mundane things."""
    thing = combatant.sheet.thing
    if thing is None or thing.caster_level or trait_detail(combatant, "carried by"):
        return ""
    return "srd35.object.saves"
