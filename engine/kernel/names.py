"""Possible names in a declaration: other combatants, squares, spells, weapons and items."""

from typing import Any, Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import AROUND, Square
from affray.engine.kernel.places import distance
from affray.engine.record.acts import Form
from affray.events.facts.acts import Act
from affray.projections.state import Combatant

ASKED: Final = frozenset({"ability", "condition"})
"""Fields of words without which nothing is declared."""


def others(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the ids of the others, the nearest first, and then the combatant's own."""
    known = [one for one in fight.state.combatants.values() if one is not combatant]
    known.sort(key=lambda one: distance(combatant, one))
    return (*(one.id for one in known), combatant.id)


def get_single_targets(fight: Fight, combatant: Combatant) -> tuple[tuple[str, ...], ...]:
    """Return no target, and each combatant as a single target."""
    return ((), *((one,) for one in others(fight, combatant)))


def squares_beside(combatant: Combatant) -> tuple[Square, ...]:
    """Return the eight squares to which one step leads."""
    x, y = combatant.at
    return tuple((x + dx, y + dy) for dx, dy in AROUND)


def spells(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the names of the spells of a combatant's sheet."""
    return tuple(one.name for one in combatant.sheet.spells)


def arsenal(combatant: Combatant) -> tuple[str, ...]:
    """Return the names of a combatant's weapons, those in hand first."""
    return tuple(dict.fromkeys((*combatant.held, *(one.name for one in combatant.sheet.weapons))))


def clothes(combatant: Combatant) -> tuple[str, ...]:
    """Return the names of the items that a combatant wears or could wear."""
    return tuple(one.name for one in combatant.sheet.worn)


def devices(combatant: Combatant) -> tuple[str, ...]:
    """Return the names of the spells in a combatant's items."""
    return tuple(one.name for one in combatant.sheet.spells if one.item)


def belongings(combatant: Combatant) -> tuple[str, ...]:
    """Return the names of everything that a combatant has, had or wears."""
    return tuple(dict.fromkeys((*arsenal(combatant), *clothes(combatant), *combatant.items)))


def closed_words(fight: Fight, combatant: Combatant, kind: type[Act], name: str) -> tuple[Any, ...]:
    """Return the words that the dialect reads in a field, the default first; of feats those of the sheet."""
    closed = fight.dialect.heeded[kind].closed.get(name)
    if closed is None or isinstance(closed[1], Form):
        return ()
    default, words = closed[0], list(closed[1])
    if name == "feat":
        words = [word for word in words if word in combatant.sheet.feats]
    return tuple(dict.fromkeys((*(() if name in ASKED else (default,)), *sorted(words))))


def enemies_and_friends(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the other combatants, the nearest first."""
    return [fight.state.combatants[id] for id in others(fight, combatant)[:-1]]
