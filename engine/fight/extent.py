"""What combatants take up on the map, and what lies within two of them."""

from typing import Final

from affray.engine.grid.battlefield import Square

Standing = tuple[Square, int, Square]
"""Where a combatant stands, the squares it is wide, and what it takes up beyond them."""

NO_STRETCH: Final = (0, 0)
"""What a combatant takes up beyond its own space unless it squeezes."""


def rectangle_between(here: Standing, there: Standing) -> tuple[int, int, int, int]:
    """Return the columns and rows, first and last, within which all lines between two combatants run."""
    ((x, y), space, (wide, high)), ((other_x, other_y), other_space, (other_wide, other_high)) = here, there
    right, other_right = x + space + wide, other_x + other_space + other_wide
    bottom, other_bottom = y + space + high, other_y + other_space + other_high
    # Written out: min and max are calls, and a fight asks for some hundreds of such rectangles.
    return (
        x if x < other_x else other_x,
        y if y < other_y else other_y,
        (right if right > other_right else other_right) - 1,
        (bottom if bottom > other_bottom else other_bottom) - 1,
    )
