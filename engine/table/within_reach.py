"""What a combatant could name in a declaration: others, squares, spells, weapons and other things."""

from typing import Any, Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import AROUND, Square
from affray.engine.record.words import Form
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.position.place import distance
from affray.events.facts.base import Act
from affray.projections.state import Combatant

ASKED: Final = frozenset({"ability", "condition"})
"""Fields of words without which nothing is declared."""


def others(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the ids of the others, the nearest first, and then the combatant's own."""
    known = [one for one in fight.state.combatants.values() if one is not combatant]
    known.sort(key=lambda one: distance(combatant, one))
    return (*(one.id for one in known), combatant.id)


def one_of_others(fight: Fight, combatant: Combatant) -> tuple[tuple[str, ...], ...]:
    """Return nobody, and each combatant as the only one of several targets."""
    return ((), *((one,) for one in others(fight, combatant)))


def squares_beside(combatant: Combatant) -> tuple[Square, ...]:
    """Return the eight squares to which one step leads."""
    x, y = combatant.at
    return tuple((x + dx, y + dy) for dx, dy in AROUND)


def spells(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the names of the spells of a combatant's sheet."""
    return tuple(one.name for one in combatant.sheet.spells)


def arms(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return what a combatant can strike with now, bare hands last."""
    names = (*(one.name for one in held_weapons(combatant)), unarmed(fight, combatant).name)
    return tuple(dict.fromkeys(names))


def bursts(fight: Fight, combatant: Combatant) -> tuple[bool, ...]:
    """Return whether what a combatant has in hand may fire automatically: not, and where it shoots so too."""
    return (False, True) if any(one.range for one in held_weapons(combatant)) else (False,)


def arsenal(combatant: Combatant) -> tuple[str, ...]:
    """Return the names of a combatant's weapons, what is in hand first."""
    return tuple(dict.fromkeys((*combatant.held, *(one.name for one in combatant.sheet.weapons))))


def clothes(combatant: Combatant) -> tuple[str, ...]:
    """Return the names of what a combatant wears or could wear."""
    return tuple(one.name for one in combatant.sheet.worn)


def devices(combatant: Combatant) -> tuple[str, ...]:
    """Return the names of the spells that a combatant's things hold."""
    return tuple(one.name for one in combatant.sheet.spells if one.item)


def belongings(combatant: Combatant) -> tuple[str, ...]:
    """Return the names of all that a combatant has, had or wears."""
    return tuple(dict.fromkeys((*arsenal(combatant), *clothes(combatant), *combatant.items)))


def closed_words(fight: Fight, combatant: Combatant, kind: type[Act], name: str) -> tuple[Any, ...]:
    """Return the words that the dialect reads in a field, the default first; of feats those of the sheet."""
    closed = fight.dialect.heeded[kind].closed.get(name)
    if closed is None or isinstance(closed[1], Form):
        return ()
    default, words = closed[0], list(closed[1])
    if name == "feat":
        words = [word for word in words if has_feat(combatant, word)]
    return tuple(dict.fromkeys((*(() if name in ASKED else (default,)), *sorted(words))))
