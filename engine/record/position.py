"""The record of the chapter on position: where combatants stand: space, reach, height."""

from collections.abc import Callable, Sequence
from typing import Any

from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context, Square
from affray.events.facts.sheet import Sheet, Weapon
from affray.projections.state import Combatant

Bands = tuple[tuple[int, int], ...]
"""Distances in feet, each the least and the most."""


class Position(Chapter, frozen=True, kw_only=True):
    """Where combatants stand: space, reach, height.

    space_and_reach: the space and reach of a sheet in feet.
    refuse_taken: refuse to enter where there is no room.
    placed: the rules on the space that a combatant takes.
    out_of_reach: the rule by which a weapon does not reach so far; "" if it does.
    reach_bands: the distances in feet from and to which a combatant strikes.
    arming: the conditions that give their bearer something to strike with, such as a spell's charge.
    bands_by_state: the distances with what such a condition gives.
    levels_apart: how far two are apart in height, in feet.
    walls_part: whether walls come between two.
    walled_off: whether walls between squares keep every line from one off another, or off that at a place;
        asked where there are any.
    through_walls: refuses what is declared through a wall between squares; asked where there are any.
    """

    space_and_reach: Callable[[Context, Any], tuple[int, int]]
    refuse_taken: Callable[[Context, Sheet, Square, int], None]
    placed: Callable[[Context, Sheet, int, int], Sequence[str]]
    out_of_reach: Callable[[Context, Combatant, Weapon, int], str]
    reach_bands: Callable[[Context, Combatant], Bands]
    arming: frozenset[str]
    bands_by_state: Callable[[Context, Combatant, Bands], Bands]
    levels_apart: Callable[[Combatant, Combatant], int]
    walls_part: Callable[[Context, Combatant, Combatant], bool]
    walled_off: Callable[[Context, Combatant, Combatant, Square | None], bool]
    through_walls: Callable[[Context, Combatant, Any], None]
