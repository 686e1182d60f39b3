"""Straight lines across the grid, in exact integers: what they pass through and what stops them."""

from functools import lru_cache
from typing import Final

from msgspec import Struct

from affray.engine.grid.battlefield import Battlefield, Square
from affray.engine.grid.reach import space
from affray.engine.grid.thin_walls import walls_met

_FINE = 8
_WITHIN = ((1, 1), (7, 1), (1, 7), (7, 7), (4, 4))
"""A square's corners, an eighth inside, and its centre, in eighths of a square.

Lines of effect start and end inside the squares: a point exactly on a wall's corner would see around it,
and two squares that touch at a corner would see each other between two walls that touch there too."""


class Trace(Struct, frozen=True):
    """What a segment meets, without its end points.

    `squares`: those whose interior it crosses. `pairs`: squares on both sides of a border that it runs
    along, or of a corner that it passes exactly; it slips through between the two unless both of them stop
    it.
    """

    squares: tuple[Square, ...]
    pairs: tuple[tuple[Square, Square], ...]


def trace(start: Square, end: Square) -> Trace:
    """The trace between two grid corners; corner (x, y) is the top left one of square (x, y). O(length)."""
    found = relative_trace(0, 0, end[0] - start[0], end[1] - start[1], 1)
    x, y = start
    return Trace(
        tuple([(dx + x, dy + y) for dx, dy in found.squares]),
        tuple([((ax + x, ay + y), (bx + x, by + y)) for (ax, ay), (bx, by) in found.pairs]),
    )


@lru_cache(maxsize=65536)
def relative_trace(x0: int, y0: int, x1: int, y1: int, scale: int) -> Trace:
    """The trace between two points given in units of which `scale` make a square; remembered."""
    if x0 > x1:
        return relative_trace(x1, y1, x0, y0, scale)
    dx, dy = x1 - x0, y1 - y0
    if dx == 0 or dy == 0:
        return _straight(x0, y0, x1, y1, scale)
    squares: list[Square] = []
    pairs: list[tuple[Square, Square]] = []
    unit = scale * dx  # heights are kept times dx, so that they stay whole
    for column in range(x0 // scale, (x1 - 1) // scale + 1):
        enter, leave = max(x0, column * scale), min(x1, (column + 1) * scale)
        first, last = y0 * dx + (enter - x0) * dy, y0 * dx + (leave - x0) * dy
        low, high = (first, last) if first < last else (last, first)
        squares += [(column, row) for row in range(low // unit, (high - 1) // unit + 1)]
        if leave < x1 and last % unit == 0:
            row = last // unit
            if dy > 0:
                pairs.append(((column, row), (column + 1, row - 1)))
            else:
                pairs.append(((column, row - 1), (column + 1, row)))
    return Trace(tuple(squares), tuple(pairs))


def _straight(x0: int, y0: int, x1: int, y1: int, scale: int) -> Trace:
    """The trace of a level or upright segment, which may run along borders."""
    upright = x0 == x1
    across, (start, end) = (x0, sorted((y0, y1))) if upright else (y0, (x0, x1))
    line, along = across // scale, range(start // scale, (end - 1) // scale + 1)
    if across % scale:
        return Trace(tuple((line, step) if upright else (step, line) for step in along), ())
    if upright:
        return Trace((), tuple(((line - 1, step), (line, step)) for step in along))
    return Trace((), tuple(((step, line - 1), (step, line)) for step in along))


def line_of_effect(field: Battlefield, a_anchor: Square, a_side: int, b_anchor: Square, b_side: int) -> bool:
    """Whether some line from a corner or centre of a's squares to one of b's meets no wall, thin or not.

    Constant time when there is no wall in the rectangle around both, and remembered otherwise. Symmetric.
    """
    left, top = min(a_anchor[0], b_anchor[0]), min(a_anchor[1], b_anchor[1])
    right = max(a_anchor[0] + a_side, b_anchor[0] + b_side) - 1
    bottom = max(a_anchor[1] + a_side, b_anchor[1] + b_side) - 1
    if not field.any_within("walls", left, top, right, bottom) and not (
        field.sides and field.any_within("parted", left, top, right, bottom)
    ):
        return True
    if (b_anchor, b_side) < (a_anchor, a_side):
        return _clear(field, b_anchor, b_side, a_anchor, a_side)
    return _clear(field, a_anchor, a_side, b_anchor, b_side)


def can_be_put(field: Battlefield, here: Square, here_side: int, there: Square, side: int) -> bool:
    """Whether a space has room at `there`, with no wall, thin or not, between it and the space at `here`.

    For whoever is put somewhere else at once; a step is asked about with `obstructed`.
    """
    return field.passable(there, side) and line_of_effect(field, here, here_side, there, side)


def line_from_corner(field: Battlefield, corner: Square, anchor: Square, side: int) -> bool:
    """Whether some line from a grid corner into one of those squares meets no wall."""
    walls, sides = field.walls, field.sides
    x, y = corner
    for bx, by in space(anchor, side):
        across, down = (bx - x) * _FINE, (by - y) * _FINE
        for qx, qy in _WITHIN:
            found = relative_trace(0, 0, across + qx, down + qy, _FINE)
            if not any((dx + x, dy + y) in walls for dx, dy in found.squares) and not any(
                (ax + x, ay + y) in walls and (cx + x, cy + y) in walls for (ax, ay), (cx, cy) in found.pairs
            ):
                end = (bx * _FINE + qx, by * _FINE + qy)
                if not sides or not walls_met(sides, (x * _FINE, y * _FINE), end, _FINE):
                    return True
    return False


line_of_sight: Final = line_of_effect
"""The same test: of the terrains, walls alone stop both. Fog conceals, it does not hide."""


@lru_cache(maxsize=16384)
def _clear(field: Battlefield, a_anchor: Square, a_side: int, b_anchor: Square, b_side: int) -> bool:
    walls, sides = field.walls, field.sides
    for x, y in space(a_anchor, a_side):
        for bx, by in space(b_anchor, b_side):
            across, down = (bx - x) * _FINE, (by - y) * _FINE
            for px, py in _WITHIN:
                for qx, qy in _WITHIN:
                    found = relative_trace(px, py, across + qx, down + qy, _FINE)
                    if not any((dx + x, dy + y) in walls for dx, dy in found.squares) and not any(
                        (ax + x, ay + y) in walls and (cx + x, cy + y) in walls
                        for (ax, ay), (cx, cy) in found.pairs
                    ):
                        start = (x * _FINE + px, y * _FINE + py)
                        end = (bx * _FINE + qx, by * _FINE + qy)
                        if not sides or not walls_met(sides, start, end, _FINE):
                            return True
    return False
