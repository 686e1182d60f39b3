"""Lines between the corners of two spaces, their squares as the bits of whole numbers.

What stops lines is a number as well: one `&` tells of a line, or of several at once, whether it meets any of
it. The bits stand for the squares of a window around both spaces.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from affray.engine.grid.battlefield import Space, Square
from affray.engine.grid.distance import adjacent
from affray.engine.grid.line import relative_trace
from affray.engine.grid.reach import space


class Window(Struct, frozen=True, gc=False):
    """A rectangle of squares from the left and the top one, row by row the bits of a number."""

    left: int
    top: int
    columns: int
    rows: int

    def bits(self, squares: Iterable[Square]) -> int:
        """The bits of those squares that lie within."""
        left, top, columns, rows = self.left, self.top, self.columns, self.rows
        found = 0
        for x, y in squares:
            if 0 <= x - left < columns and 0 <= y - top < rows:
                found |= 1 << (y - top) * columns + x - left
        return found

    def squares(self, bits: int) -> list[Square]:
        """The squares of some bits."""
        found = []
        while bits:
            last = bits & -bits
            down, across = divmod(last.bit_length() - 1, self.columns)
            found.append((self.left + across, self.top + down))
            bits ^= last
        return found

    def cut(self, rows: Sequence[int]) -> int:
        """The bits of the squares of a map that lie within, from its rows (see `Battlefield.bits`)."""
        left, top, columns = self.left, self.top, self.columns
        whole = (1 << columns) - 1
        found = 0
        for y in range(max(top, 0), min(top + self.rows, len(rows))):
            if row := rows[y]:
                found |= ((row >> left if left >= 0 else row << -left) & whole) << (y - top) * columns
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


def window_around(a: Space, b: Space) -> Window:
    """The window in which all lines between two spaces run.

    It is one square wider each way than both: lines along the edge look at the squares beyond it as well.
    """
    ((ax, ay), a_side), ((bx, by), b_side) = a, b
    left, top = min(ax, bx) - 1, min(ay, by) - 1
    return Window(
        left, top, max(ax + a_side, bx + b_side) + 1 - left, max(ay + a_side, by + b_side) + 1 - top
    )


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
def fans(side: int, across: int, down: int, other_side: int, melee: bool) -> tuple[Fan, ...]:
    """The sets of lines to choose from, to another space whose anchor is so far across and down.

    They start and end as if the first space were at (0, 0); their bits are those of the window around both.
    Remembered: it goes by how two stand to each other, wherever that is.
    """
    here, there = ((0, 0), side), ((across, down), other_side)
    window = window_around(here, there)
    found = []
    for starts, ends in dict.fromkeys(_choices(here, there, melee)):
        lines = tuple([_line(window, start, end) for start in starts for end in ends])
        touched = 0
        for one in lines:
            touched |= one.squares | one.halves | one.halves << one.gap
        found.append(Fan(lines, touched))
    return tuple(found)


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
    x, y = start
    found = relative_trace(0, 0, end[0] - x, end[1] - y, 1)
    halves = gap = 0
    for (ax, ay), (bx, by) in found.pairs:
        # Along one line both lie always the same way to each other, and so do their bits.
        one, other = window.bits([(ax + x, ay + y)]), window.bits([(bx + x, by + y)])
        halves |= min(one, other)
        gap = max(one, other).bit_length() - min(one, other).bit_length()
    return Line(start, end, window.bits([(dx + x, dy + y) for dx, dy in found.squares]), halves, gap)
