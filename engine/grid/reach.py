"""Which squares a creature takes up, and which it reaches."""

from functools import lru_cache

from affray.engine.grid.battlefield import SQUARE_FT, GridError, Square
from affray.engine.grid.distance import gaps, steps
from affray.events.wording import counted

SECOND_DIAGONAL_FT = 10
"""The one reach for which the published rules let the second diagonal count, although it measures 15 feet."""


@lru_cache(maxsize=4096)
def space(anchor: Square, side: int) -> tuple[Square, ...]:
    """The squares of a space, row by row."""
    x, y = anchor
    return tuple((x + dx, y + dy) for dy in range(side) for dx in range(side))


@lru_cache(maxsize=4096)
def rectangle(corner: Square, columns: int, rows: int) -> tuple[Square, ...]:
    """The squares of a rectangle, of which `corner` is the top left one, column by column; remembered."""
    x, y = corner
    return tuple((x + dx, y + dy) for dx in range(columns) for dy in range(rows))


def squeezed(anchor: Square, side: int, width: int, upright: bool) -> tuple[Square, ...]:
    """The squares of a space in a passage `width` squares wide, along y if `upright`, else along x.

    A Large creature in a passage one square wide takes up two squares (srd35.squeeze.large-placement). Raises
    GridError for less than half its width, which is no squeezing (srd35.squeeze.minimum-width), or for no
    less than all.
    """
    if not side <= 2 * width < 2 * side:
        raise GridError(f"a space {counted(side, 'square')} wide cannot squeeze into {width}")
    x, y = anchor
    across, down = (width, side) if upright else (side, width)
    return tuple((x + dx, y + dy) for dy in range(down) for dx in range(across))


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
    return frozenset((x + dx, y + dy) for dx, dy in _around(side, min_ft, max_ft, second_diagonal))


@lru_cache(maxsize=512)
def _around(side: int, min_ft: int, max_ft: int, second_diagonal: bool) -> tuple[Square, ...]:
    """The squares threatened from the anchor (0, 0)."""
    far = max_ft // SQUARE_FT
    return tuple(
        (x, y)
        for y in range(-far, side + far)
        for x in range(-far, side + far)
        if within_reach((0, 0), side, (x, y), 1, min_ft, max_ft, second_diagonal)
    )


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
    (ax, ay), (bx, by) = a_anchor, b_anchor
    return _reaches(a_side, bx - ax, by - ay, b_side, min_ft, max_ft, second_diagonal)


@lru_cache(maxsize=65536)
def _reaches(
    side: int, across: int, down: int, other_side: int, min_ft: int, max_ft: int, second_diagonal: bool
) -> bool:
    """Whether a space at (0, 0) reaches another one, of which this is the anchor; remembered."""
    near = gaps((0, 0), side, (across, down), other_side)
    far = (max(across + other_side - side, -across, 0), max(down + other_side - side, -down, 0))
    # From square to neighbouring square the distance changes by at most 5 feet, so b has all between.
    if SQUARE_FT * steps((0, 0), near) <= max_ft and SQUARE_FT * steps((0, 0), far) >= min_ft:
        return True
    return (
        second_diagonal
        and min_ft <= max_ft == SECOND_DIAGONAL_FT
        and near[0] <= 2 <= far[0]
        and near[1] <= 2 <= far[1]
    )
