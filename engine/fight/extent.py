"""What combatants take up on the map, and what lies within two of them."""

from typing import Final

from affray.projections.state import Combatant

NO_STRETCH: Final = (0, 0)
"""What a combatant takes up beyond its own space unless it squeezes."""


def rectangle_between(one: Combatant, other: Combatant) -> tuple[int, int, int, int]:
    """Return the columns and rows, first and last, within which all lines between two combatants run."""
    (x, y), (other_x, other_y) = one.at, other.at
    right, other_right = x + one.space + one.stretch[0], other_x + other.space + other.stretch[0]
    bottom, other_bottom = y + one.space + one.stretch[1], other_y + other.space + other.stretch[1]
    # Written out: min and max are calls, and a fight asks for some hundreds of such rectangles.
    return (
        x if x < other_x else other_x,
        y if y < other_y else other_y,
        (right if right > other_right else other_right) - 1,
        (bottom if bottom > other_bottom else other_bottom) - 1,
    )
