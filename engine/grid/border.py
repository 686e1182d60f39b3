"""What stands on the borders between squares and covers those behind it: low walls, hedges, counters."""

from typing import NamedTuple

from affray.engine.grid.battlefield import Square


class Border(NamedTuple):
    """A side that two neighbouring squares share; `low` is what reaches no higher than half of a creature."""

    here: Square
    there: Square
    low: bool

    @property
    def side(self) -> tuple[bool, int, int]:
        """Whether it is upright, the grid line on which it lies, and where on that it begins."""
        (x, y), (other_x, other_y) = sorted((self.here, self.there))
        return (True, other_x, y) if y == other_y else (False, other_y, x)


def is_border(here: Square, there: Square) -> bool:
    """Say whether two squares share a whole side."""
    return abs(here[0] - there[0]) + abs(here[1] - there[1]) == 1


def crossed(start: Square, end: Square, borders: tuple[Border, ...]) -> list[Border]:
    """Return the borders that a line between two grid corners crosses, not those where it begins or ends.

    Past the end of a border it goes free, unless the next one goes on from there. O(borders), exact.
    """
    sides = {one.side for one in borders}
    return [one for one in borders if _crosses(start, end, one.side, sides)]


def _crosses(
    start: Square, end: Square, side: tuple[bool, int, int], sides: set[tuple[bool, int, int]]
) -> bool:
    upright, line, begins = side
    (px, py), (qx, qy) = (start, end) if upright else (start[::-1], end[::-1])
    if not min(px, qx) < line < max(px, qx):
        return False
    across = qx - px
    at = py * across + (qy - py) * (line - px)
    low, high = begins * across, (begins + 1) * across
    if across < 0:
        at, low, high = -at, -low, -high
    if at == low:
        return (upright, line, begins - 1) in sides
    if at == high:
        return (upright, line, begins + 1) in sides
    return low < at < high
