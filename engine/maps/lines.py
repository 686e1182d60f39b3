"""Drawn lines as sides of squares: a side is walled off if the line from middle to middle meets a wall.

So what is closed in the drawing is closed on the map. Everything is reckoned in integers, in small parts of a
square. What is drawn is moved by a hair, to the right and down, so that nothing passes a middle exactly: of
two walls that meet at one, one alone counts there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from affray.engine.grid.battlefield import Side, Square

FINE: Final = 65_536
_HALF: Final = FINE // 2
_COARSE: Final = 1024
_HAIR: Final = (1, 29)

Point = tuple[int, int]


def fine(x: float, y: float) -> Point:
    """Return a point in squares as one that is reckoned with, to a 1024th of a square, moved by a hair."""
    part = FINE // _COARSE
    return round(x * _COARSE) * part + _HAIR[0], round(y * _COARSE) * part + _HAIR[1]


def sides_met(start: Point, end: Point, size: Square) -> set[Side]:
    """Return the sides of squares of which the line between the two middles meets a drawn line.

    Sides at the edge of the map are among them, others beyond it are not. O(length).
    """
    width, height = size
    found: set[Side] = {(True, line, at) for line, at in _crossed(start, end, width, height)}
    turned = _crossed(start[::-1], end[::-1], height, width)
    return found | {(False, line, at) for line, at in turned}


def _crossed(start: Point, end: Point, columns: int, rows: int) -> Iterator[tuple[int, int]]:
    """Yield the upright sides, as their grid line and row, that a line meets in the middles of rows."""
    (px, py), (qx, qy) = (start, end) if start[1] <= end[1] else (end, start)
    if py == qy:
        return
    first, last = -((_HALF - py) // FINE), (qy - _HALF) // FINE
    for row in range(max(first, 0), min(last, rows - 1) + 1):
        middle = row * FINE + _HALF
        at = px * (qy - py) + (qx - px) * (middle - py)
        line = (at - _HALF * (qy - py)) // (FINE * (qy - py)) + 1
        if 0 <= line <= columns:
            yield line, row


def nearest_side(start: Point, end: Point) -> Side:
    """Return the side nearest to the middle of a drawn line, of those that run rather as it does.

    Of two as near the lower or right one.
    """
    upright = abs(end[1] - start[1]) >= abs(end[0] - start[0])
    (px, py), (qx, qy) = (start, end) if upright else (start[::-1], end[::-1])
    across, along = px + qx, py + qy  # twice the middle
    return (
        upright,
        (across + FINE) // (2 * FINE),
        -((2 * FINE - along) // (2 * FINE)) - (along % (2 * FINE) == 0),
    )


def is_on_grid(start: Point, end: Point) -> bool:
    """Say whether a drawn line lies on a grid line, as far as a sixty-fourth of a square tells."""
    return any(
        abs((start[axis] + _HALF) % FINE - _HALF) <= FINE // 64 and abs(start[axis] - end[axis]) <= FINE // 64
        for axis in (0, 1)
    )


def is_slanting(start: Point, end: Point) -> bool:
    """Say whether a drawn line is neither level nor upright."""
    return min(abs(start[0] - end[0]), abs(start[1] - end[1])) > FINE // 64


def middles_inside(outline: Sequence[Point], size: Square) -> dict[int, int]:
    """Return the squares of which the middle lies within a closed outline: a bit for each, by row.

    O(points + rows that the lines between them cross): not one step for each square.
    """
    found: dict[int, int] = {}
    width, height = size
    for row, crossed in _crossings(outline, height).items():
        crossings = sorted(crossed)
        squares = 0
        for enter, leave in zip(crossings[::2], crossings[1::2], strict=False):
            first, last = -int((_HALF - enter) // FINE), int((leave - _HALF) // FINE)
            first, last = max(first, 0), min(last, width - 1)
            if first <= last:
                squares |= ((1 << last - first + 1) - 1) << first
        if squares:
            found[row] = squares
    return found


def _crossings(outline: Sequence[Point], height: int) -> dict[int, list[float]]:
    """Return where the lines of a closed outline cross the middles of rows."""
    found: dict[int, list[float]] = {}
    for (px, py), (qx, qy) in pairwise([*outline, *outline[:1]]):
        low, high = (py, qy) if py <= qy else (qy, py)
        first, end = -((_HALF - low) // FINE), -((_HALF - high) // FINE)
        for row in range(max(first, 0), min(end, height)):
            middle = row * FINE + _HALF
            found.setdefault(row, []).append(px + (qx - px) * (middle - py) / (qy - py))
    return found


def squares_of(rows: Mapping[int, int]) -> list[Square]:
    """Return squares that are a bit each, by row: sorted."""
    return sorted(
        (x, y) for y, squares in rows.items() for x in range(squares.bit_length()) if squares >> x & 1
    )


def is_outside(points: Iterable[Point], size: Square) -> bool:
    """Say whether points all lie beyond the same edge of the map."""
    xs, ys = zip(*points, strict=True)
    return bool(max(xs) < 0 or max(ys) < 0 or min(xs) > size[0] * FINE or min(ys) > size[1] * FINE)
