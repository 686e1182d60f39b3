"""Fear that adds up, panic and flight, and death at a blow (srd35.cond.fear-ladder, srd35.cond.panicked)."""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight
from affray.engine.grid.area import DIRECTIONS
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import obstructed
from affray.engine.rules.position.occupants import occupants
from affray.projections.state import Combatant


def squares_away_from(fight: Fight, combatant: Combatant, dangers: Sequence[Combatant]) -> list[Square]:
    """Return the free squares next to a creature that lead away from all of these, clockwise from above."""
    x, y = combatant.at
    found = []
    for dx, dy in DIRECTIONS:
        there = (x + dx, y + dy)
        barred = obstructed(fight.field, combatant.at, there, combatant.space)
        if not (barred or occupants(fight, combatant, there)) and all(
            squared_distance(there, one) > squared_distance(combatant.at, one) for one in dangers
        ):
            found.append(there)
    return found


def squared_distance(at: Square, other: Combatant) -> int:
    """Return the square of the straight distance from a place to a creature, in squares."""
    return (at[0] - other.at[0]) ** 2 + (at[1] - other.at[1]) ** 2
