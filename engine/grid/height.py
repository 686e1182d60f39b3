"""Distance in three dimensions: every second diagonal counts two, whatever way it leads.

Spaces are as high as they are wide; levels are counted in squares from the ground.
"""

from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import gaps

SECOND_DIAGONAL_FT = 10
Body = tuple[Square, int, int]
"""Where something stands, how many squares it is wide and high, and how many above the ground."""


def squares_above(a_level: int, a_side: int, b_level: int, b_side: int) -> int:
    """Squares between two spaces one above the other; 0 where they share a level, 1 right above."""
    if b_level > a_level:
        return max(b_level - a_level - a_side + 1, 0)
    return max(a_level - b_level - b_side + 1, 0)


def farthest(a_level: int, a_side: int, b_level: int, b_side: int) -> int:
    """Squares from a space to the farthest level of another beyond it, 0 if none is beyond it."""
    return max(b_level + b_side - a_level - a_side, a_level - b_level, 0)


def squares_in_space(across: int, down: int, up: int) -> int:
    """Squares of a way in three dimensions: the longest of them, and half of the next for the diagonals."""
    _, middle, most = sorted((across, down, up))
    return most + middle // 2


def feet_between(a: Square, a_side: int, b: Square, b_side: int, up: int) -> int:
    """Feet between the nearest squares of two spaces, one `up` squares above the other."""
    return SQUARE_FT * squares_in_space(*gaps(a, a_side, b, b_side), up)


def within_reach(a: Body, b: Body, least: int, most: int) -> bool:
    """Whether `a` reaches any part of `b`'s space at `least` to `most` feet, over or under it too.

    With a reach of 10 feet the second diagonal counts as reached.
    """
    a_at, a_side, a_level = a
    b_at, b_side, b_level = b
    near = (*gaps(a_at, a_side, b_at, b_side), squares_above(a_level, a_side, b_level, b_side))
    (ax, ay), (bx, by) = a_at, b_at
    far = (
        max(bx + b_side - ax - a_side, ax - bx, 0),
        max(by + b_side - ay - a_side, ay - by, 0),
        farthest(a_level, a_side, b_level, b_side),
    )
    if SQUARE_FT * squares_in_space(*near) <= most and SQUARE_FT * squares_in_space(*far) >= least:
        return True
    return least <= most == SECOND_DIAGONAL_FT and max(near) <= 2 <= sorted(far)[1]
