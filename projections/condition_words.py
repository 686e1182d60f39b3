"""Conditions as they are told: their levels, what is said of their bearer, what of a thing."""

from collections.abc import Iterator

from affray.projections.state import Combatant, Condition

#: Conditions whose level says nothing to the reader: the check to beat of the turned, which the check itself
#: has told, the round of those who wrestle or concentrate for the last time, the fate of the fallen.
UNCOUNTED = frozenset(
    {"turned", "concentrating", "grappling", "pinned", "arm-locked", "mouth clamped", "unconscious"}
)


def degree_words(condition: str, level: int, aloft: bool) -> str:
    """Return a condition with its level, or the feet that somebody is above the ground by it."""
    if aloft:
        return f"{condition} {level} ft. up"
    return f"{condition} {level}" if level and condition not in UNCOUNTED else condition


def conditions_told(one: Combatant) -> Iterator[tuple[str, Condition]]:
    """Yield the conditions of a combatant in words, each with what is known of it.

    A thing that is there no more is destroyed; that it does not live and does not stand goes without saying.
    """
    thing = one.sheet.thing is not None
    for name, held in one.conditions.items():
        if not (thing and name in ("inanimate", "prone")):
            ruined = thing and name == "dead"
            yield "destroyed" if ruined else degree_words(name, held.level, held.aloft), held


def being(condition: str, longer: bool = True) -> str:
    """Return what is said of who bears a condition: is prone, has total cover; no longer unless `longer`."""
    if condition.partition(" (")[0].rstrip(" 0123456789").endswith(("advantage", " cover", " concealment")):
        article = "a " if "advantage" in condition else ""
        return f"has {article}{condition}" if longer else f"no longer has {article}{condition}"
    return f"is {condition}" if longer else f"is no longer {condition}"
