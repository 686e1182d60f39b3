"""What combatants take up on the map, and what lies within two of them."""

from typing import Final

from affray.projections.state import Combatant

NO_STRETCH: Final = (0, 0)
"""What a combatant takes up beyond its own space unless it squeezes."""


def rectangle_between(one: Combatant, other: Combatant) -> tuple[int, int, int, int]:
    """Return the columns and rows, first and last, within which all lines between two combatants run."""
    (x, y), (other_x, other_y) = one.at, other.at
    return (
        min(x, other_x),
        min(y, other_y),
        max(x + one.space + one.stretch[0], other_x + other.space + other.stretch[0]) - 1,
        max(y + one.space + one.stretch[1], other_y + other.space + other.stretch[1]) - 1,
    )
