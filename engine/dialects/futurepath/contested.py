"""Decide which edition and which of old and new rules is in force, and grade advantages by size."""

from collections.abc import Mapping

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight
from affray.events.facts.sheet import Modifier


def old_only(fight: Fight) -> bool:
    """Return whether the encounter uses the old rules alone (futurepath.doc.old-rules-marker)."""
    return fight.option("edition") == "old-only"


def by_new_rules(fight: Fight, *topics: str) -> tuple[str, ...]:
    """Return topics of the new rules to cite; none if the old rules are in use."""
    return () if old_only(fight) else topics


def in_force(fight: Fight, base: str, situation: Mapping[str, str], part: str = "") -> str:
    """Return which of the rules based on an old one is in force in a situation (precedence.toml).

    `part` is the part of the rule in question, "" for all of it.
    """
    return fight.book.precedence.in_force(base, fight.state.options, situation, part)


def grade_of(fight: Fight, value: int) -> str:
    """Return the kind of a situational modifier: minor, moderate, major, advantage or penalty.

    A bonus of another size is an advantage without a name (futurepath.advantage.levels).
    """
    if value <= 0:
        return "penalty"
    return grades(fight).get(value, "advantage")


@per_fight()
def grades(fight: Fight) -> dict[int, str]:
    """Return the names of the grades of a situational bonus, by its size."""
    return {size: name for name, size in fight.figure("futurepath.advantage.levels").items()}


def situational(fight: Fight, topic: str, *path: str | int, source: str) -> Modifier:
    """Return a situational modifier of the catalogue, graded by its size."""
    return fight.modifier(topic, *path, kind=grade_of(fight, fight.figure(topic, *path)), source=source)
