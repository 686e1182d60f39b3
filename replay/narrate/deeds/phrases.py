"""Phrases that tellings of declarations have in common."""

from collections.abc import Callable
from typing import Any

from affray.replay.narrate.cast import Cast
from affray.replay.narrate.words import square

Telling = Callable[[Any, Cast], str]


def with_weapon(act: Any) -> str:
    """Return the weapon that an act names, in words."""
    return f" with {act.weapon}" if act.weapon else ""


def ways(act: Any) -> str:
    """Return the ways in which an attack is made, in brackets."""
    ways = [
        *(("thrown",) if getattr(act, "thrown", False) else ()),
        *(("firing automatically",) if fires_automatically(act) else ()),
        *(("fighting defensively",) if getattr(act, "defensively", False) else ()),
        *(("to subdue",) if getattr(act, "nonlethal", False) else ()),
        *((f"Power Attack {act.power}",) if getattr(act, "power", 0) else ()),
        *((f"Combat Expertise {act.expertise}",) if getattr(act, "expertise", 0) else ()),
        *(("Stunning Fist",) if getattr(act, "stunning", False) else ()),
        *(("Rapid Shot",) if getattr(act, "rapid_shot", False) else ()),
        *(("Whirlwind Attack",) if getattr(act, "whirlwind", False) else ()),
    ]
    return f" ({', '.join(ways)})" if ways else ""


def fires_automatically(act: Any) -> bool:
    """Say whether an attack, or one of several, is automatic fire."""
    return any(getattr(one, "autofire", False) for one in (act, *getattr(act, "strikes", ())))


def path(verb: str) -> Telling:
    """Return a telling of an act along a path: where it leads."""

    def words(act: Any, cast: Cast) -> str:
        end = f" to {square(act.path[-1])}" if act.path else ""
        how = getattr(act, "how", "normal")
        return f"{cast.name(act.actor)} {verb}{end}" + ("" if how in ("normal", "") else f" ({how})")

    return words


def verb(verb: str, field: str = "") -> Telling:
    """Return a telling of an act in one verb, with what `field` names after it."""

    def words(act: Any, cast: Cast) -> str:
        value = getattr(act, field) if field else ""
        return f"{cast.name(act.actor)} {verb}" + (f" {cast.name(value)}" if value else "")

    return words
