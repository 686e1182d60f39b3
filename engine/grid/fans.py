"""Lines between the corners of two spaces, their squares as the bits of whole numbers.

What stops lines is a number as well: one `&` tells of a line, or of several at once, whether it meets any of
it. The bits stand for the squares of a window around both spaces.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from affray.engine.grid.battlefield import Space, Square
from affray.engine.grid.distance import adjacent
from affray.engine.grid.line import relative_trace
from affray.engine.grid.reach import space

MARGIN: Final = 6
"""Squares to the right of a window: as many as the widest of creatures."""


class Window(Struct, frozen=True, gc=False):
    """Squares from the left and the top one on, row by row the bits of a number.

    Of the `stride` bits of a row the last `margin` are none of its squares: there ends what reaches into it
    from the left, or out of it on the right, and is no wider.
    """

    left: int
    top: int
    stride: int
    rows: int
    margin: int

    def bits(self, anchor: Square, side: int) -> int:
        """The bits of a space that reaches into the window, or is next to it."""
        x, y = anchor
        place = (y - self.top) * self.stride + x - self.left
        block = _block(self.stride, side)
        return block << place if place >= 0 else block >> -place

    def squares(self, bits: int) -> list[Square]:
        """The squares of some bits."""
        found = []
        while bits:
            last = bits & -bits
            down, across = divmod(last.bit_length() - 1, self.stride)
            found.append((self.left + across, self.top + down))
            bits ^= last
        return found

    def cut(self, rows: Sequence[int]) -> int:
        """The bits of the squares of a map that lie within, from its rows (see `Battlefield.bits`)."""
        left, top, stride = self.left, self.top, self.stride
        whole = (1 << stride - self.margin) - 1
        found = 0
        for y in range(max(top, 0), min(top + self.rows, len(rows))):
            if row := rows[y]:
                found |= ((row >> left if left >= 0 else row << -left) & whole) << (y - top) * stride
        return found


@lru_cache(maxsize=1024)
def _block(stride: int, side: int) -> int:
    """The bits of a space at the first square of a window."""
    found = 0
    for row in range(side):
        found |= (1 << side) - 1 << row * stride
    return found


class Line(Struct, frozen=True, gc=False):
    """A line from one corner to another.

    `squares` are those whose interior it crosses. It slips through between two squares unless both of them
    stop it: `halves` are the first ones of such pairs, the other one's bit is `gap` further in each.
    """

    start: Square
    end: Square
    squares: int
    halves: int
    gap: int

    def met(self, stops: int) -> int:
        """Those of the stops that the line meets."""
        found = stops & self.squares
        if self.halves:
            both = stops & self.halves & stops >> self.gap
            found |= both | both << self.gap
        return found


class Fan(Struct, frozen=True, gc=False):
    """Lines that are looked at together, and all squares that any of them touches."""

    lines: tuple[Line, ...]
    touched: int


class Fans(Struct, frozen=True, gc=False):
    """Fans to choose from, and all squares that any of them touches."""

    each: tuple[Fan, ...]
    touched: int


def window_around(a: Space, b: Space, margin: int) -> Window:
    """The window in which all lines between two spaces run.

    It is one square wider each way than both: lines along the edge look at the squares beyond it as well.
    """
    ((ax, ay), a_side), ((bx, by), b_side) = a, b
    left, top = min(ax, bx) - 1, min(ay, by) - 1
    right, bottom = max(ax + a_side, bx + b_side) + 1, max(ay + a_side, by + b_side) + 1
    return Window(left, top, right - left + margin, bottom - top, margin)


def corners(anchor: Square, side: int) -> tuple[Square, Square, Square, Square]:
    """The four outer corners of a space."""
    x, y = anchor
    return (x, y), (x + side, y), (x, y + side), (x + side, y + side)


@lru_cache(maxsize=4096)
def edge_corners(anchor: Square, side: int) -> tuple[Square, ...]:
    """The corners of all its squares that lie on a space's edge, outer corners first."""
    x, y = anchor
    edge = [
        (x + dx, y + dy)
        for dy in range(side + 1)
        for dx in range(side + 1)
        if dx in (0, side) or dy in (0, side)
    ]
    return tuple(sorted(edge, key=lambda corner: (corner not in corners(anchor, side), corner)))


@lru_cache(maxsize=1024)
def fans(side: int, across: int, down: int, other_side: int, melee: bool, margin: int) -> Fans:
    """The sets of lines to choose from, to another space whose anchor is so far across and down.

    They start and end as if the first space were at (0, 0); their bits are those of the window around both.
    Remembered: it goes by how two stand to each other, wherever that is.
    """
    here, there = ((0, 0), side), ((across, down), other_side)
    window = window_around(here, there, margin)
    found = []
    for starts, ends in dict.fromkeys(_choices(here, there, melee)):
        lines = tuple([_line(window, start, end) for start in starts for end in ends])
        found.append(Fan(lines, _touched(lines)))
    return Fans(tuple(found), _touched([line for fan in found for line in fan.lines]))


def _touched(lines: Iterable[Line]) -> int:
    """All squares that any of those lines touches."""
    found = 0
    for one in lines:
        found |= one.squares | one.halves | one.halves << one.gap
    return found


def _choices(
    attacker: Space, target: Space, melee: bool
) -> Iterator[tuple[tuple[Square, ...], tuple[Square, ...]]]:
    """The sets of lines to choose from, each as its starting and its end corners."""
    if not melee:
        for corner in edge_corners(*attacker):
            yield (corner,), corners(*target)
        return
    close = adjacent(attacker[0], target[0], attacker[1], target[1])
    for mine in space(*attacker):
        for theirs in space(*target):
            if close:
                yield corners(mine, 1), corners(theirs, 1)
            else:
                for corner in corners(mine, 1):
                    yield (corner,), corners(theirs, 1)


def _line(window: Window, start: Square, end: Square) -> Line:
    (x, y), stride = start, window.stride
    found = relative_trace(0, 0, end[0] - x, end[1] - y, 1)
    place = (y - window.top) * stride + x - window.left
    squares = halves = gap = 0
    for dx, dy in found.squares:
        squares |= 1 << place + dy * stride + dx
    for (ax, ay), (bx, by) in found.pairs:
        # Along one line both lie always the same way to each other, and so do their bits.
        one, gap = ay * stride + ax, (by - ay) * stride + bx - ax
        halves |= 1 << place + (one if gap > 0 else one + gap)
    return Line(start, end, squares, halves, abs(gap))
