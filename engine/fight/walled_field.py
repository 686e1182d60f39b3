"""The map of a fight with the walls between its squares, as its doors stand."""

from typing import Final

from affray.engine.grid.battlefield import Battlefield, battlefield, side_between
from affray.projections.state import Encounter

WALL: Final = "total"
"""What a barrier that is a wall, or a door, covers."""


def field_of(state: Encounter) -> Battlefield:
    """Return the map as it is now: walls and closed doors part the squares. O(barriers), and remembered."""
    if not state.barriers:
        return battlefield(state.terrain)
    sides = (
        side_between(one.here, one.there)
        for one in state.barriers
        if one.cover == WALL and not (one.door and one.open)
    )
    return battlefield(state.terrain, frozenset(sides))
