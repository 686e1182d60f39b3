"""Saving throws: the base save of classes, feats that help one.

srd35.save.base-table, srd35.feat.saves.
"""

from collections.abc import Callable, Iterable

from affray.engine.fight.fight import Fight
from affray.engine.record.compose import named
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: What leaves no room to evade.
CRAMPED = ("pinned", "squeezing")


def class_base_save(fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a saving throw; the base save follows from class levels where the sheet says so.

    Good 2 + half the level, poor a third, class by class (srd35.save.base-table).
    """
    if not combatant.sheet.good_saves:
        return parts
    base = sum(
        base_save(fight, level, kind in combatant.sheet.good_saves.get(name, ()))
        for name, level in combatant.sheet.classes.items()
    )
    rule = fight.rule("srd35.save.base-table")
    return [Modifier(base, "base", "base save", rule) if part.kind == "base" else part for part in parts]


def base_save(fight: Fight, level: int, good: bool) -> int:
    """Return the base save of a class at a level, rounded down."""
    topic = "srd35.save.base-table"
    if good:
        start = fight.figure(topic, "good_start")
        return int(start + level // fight.figure(topic, "good_levels"))
    return int(level // fight.figure(topic, "poor_levels"))


def better_save(name: str, kind: str) -> Callable[..., Iterable[Modifier]]:
    """Return the feature of that name, which makes saves of one kind better (srd35.feat.saves)."""

    def save(fight: Fight, combatant: Combatant, rolled: str, detail: str) -> Iterable[Modifier]:
        """Return what the feat adds to a save of its kind (srd35.feat.saves)."""
        if rolled != kind:
            return ()
        return (fight.modifier("srd35.feat.saves", "save", kind="untyped", source=name.title()),)

    return named(name, save)
