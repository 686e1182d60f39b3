"""Which squares a creature takes up, and which it reaches."""

from functools import lru_cache

from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import gaps, steps

SECOND_DIAGONAL_FT = 10
"""The one reach for which the published rules let the second diagonal count, although it measures 15 feet."""


@lru_cache(maxsize=4096)
def space(anchor: Square, side: int) -> tuple[Square, ...]:
    """The squares of a space, row by row."""
    x, y = anchor
    return tuple((x + dx, y + dy) for dy in range(side) for dx in range(side))


@lru_cache(maxsize=4096)
def threatened(
    anchor: Square, side: int, min_ft: int, max_ft: int, second_diagonal: bool = False
) -> frozenset[Square]:
    """Squares at `min_ft` to `max_ft` from the space; remembered, otherwise O(area).

    A `min_ft` of 0 includes the creature's own squares; a reach weapon has the first distance that it can
    strike at, such as 10. With `second_diagonal`, a reach of exactly 10 feet includes the squares two
    diagonals away.
    """
    x, y = anchor
    far = max_ft // SQUARE_FT
    return frozenset(
        (column, row)
        for row in range(y - far, y + side + far)
        for column in range(x - far, x + side + far)
        if within_reach(anchor, side, (column, row), 1, min_ft, max_ft, second_diagonal)
    )


@lru_cache(maxsize=65536)
def within_reach(
    a_anchor: Square,
    a_side: int,
    b_anchor: Square,
    b_side: int,
    min_ft: int,
    max_ft: int,
    second_diagonal: bool = False,
) -> bool:
    """Whether `a` reaches any square of `b`'s space; the same as b's space meeting `threatened`. O(1)."""
    near = gaps(a_anchor, a_side, b_anchor, b_side)
    ax, ay = a_anchor
    bx, by = b_anchor
    far = (
        max(bx + b_side - ax - a_side, ax - bx, 0),
        max(by + b_side - ay - a_side, ay - by, 0),
    )
    # From square to neighbouring square the distance changes by at most 5 feet, so b has all between.
    if SQUARE_FT * steps((0, 0), near) <= max_ft and SQUARE_FT * steps((0, 0), far) >= min_ft:
        return True
    return (
        second_diagonal
        and min_ft <= max_ft == SECOND_DIAGONAL_FT
        and near[0] <= 2 <= far[0]
        and near[1] <= 2 <= far[1]
    )
