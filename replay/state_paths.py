"""Paths into the state: every figure, condition and place by a name, and what it is."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import fields

from affray.events.errors import AffrayError, did_you_mean
from affray.projections.state import Combatant, Encounter
from affray.replay.people import People

PLACE: Final = "."
"""What stands between the steps of a path: ysolde.hp, ysolde.conditions.prone, options.cover."""

OF_COMBATANTS: Final = tuple(one.name for one in fields(Combatant) if one.name != "id")
OF_ENCOUNTER: Final = tuple(one.name for one in fields(Encounter) if one.name != "combatants")


class UnknownPath(AffrayError):
    """A path that leads nowhere in this state."""


def named_parts(value: Any) -> Mapping[str, Any] | None:
    """Return a value of the state part by part, None for one that has no parts with names of their own."""
    if isinstance(value, dict):
        return value
    if isinstance(value, tuple) and value and hasattr(value[0], "id"):  # effects, afflictions
        return {one.id: one for one in value}
    return None


def paths(state: Encounter) -> Iterator[tuple[str, Any]]:
    """Yield every path of a state with its value, those of the encounter first."""
    for name in OF_ENCOUNTER:
        yield from _under(name, getattr(state, name))
    for id, one in state.combatants.items():
        for name in OF_COMBATANTS:
            yield from _under(f"{id}{PLACE}{name}", getattr(one, name))


def _under(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    yield path, value
    for name, part in (named_parts(value) or {}).items():
        yield f"{path}{PLACE}{name}", part


def path_of(state: Encounter, text: str) -> tuple[str, str, str]:
    """Return what a path means: (id of a combatant or "", field, part or ""). Raises UnknownPath.

    Combatants go by id, or by name where only one bears it.
    """
    people = People.in_fight(state)
    who, owner, rest = "", None, text.strip()
    # An id may hold a dot itself.
    for at in (at for at, sign in enumerate(rest) if sign == PLACE):
        if people.knows(rest[:at]):
            who, rest = people.id_of(rest[:at]), rest[at + 1 :]
            owner = state.combatants[who]
            break
    name, _, part = rest.partition(PLACE)
    known = OF_COMBATANTS if owner is not None else OF_ENCOUNTER
    if name not in known:
        meant = did_you_mean(name, [*known, *state.combatants], whole="affray blame DB --paths")
        whose = f"{who} has no" if who else "there is no"
        raise UnknownPath(f"{text!r}: {whose} {name!r}{meant}")
    value = getattr(owner if owner is not None else state, name)
    inner = named_parts(value)
    if part and inner is None:
        raise UnknownPath(f"{text!r}: {name} has no parts now")
    return who, name, part
