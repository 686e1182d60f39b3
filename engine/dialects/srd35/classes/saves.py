"""The base save of classes (srd35.save.base-table)."""

from affray.engine.fight.fight import Fight
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def class_base_save(fight: Fight, who: Combatant, kind: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a saving throw; the base save follows from class levels where the sheet says so.

    Good 2 + half the level, poor a third, class by class (srd35.save.base-table).
    """
    if not who.sheet.good_saves:
        return parts
    base = sum(
        base_save(fight, level, kind in who.sheet.good_saves.get(name, ()))
        for name, level in who.sheet.classes.items()
    )
    rule = fight.rule("save.base-table")
    return [Modifier(base, "base", "base save", rule) if part.kind == "base" else part for part in parts]


def base_save(fight: Fight, level: int, good: bool) -> int:
    """Return the base save of a class at a level, rounded down."""
    topic = "save.base-table"
    if good:
        start = fight.figure(topic, "good_start")
        return int(start + level // fight.figure(topic, "good_levels"))
    return int(level // fight.figure(topic, "poor_levels"))
