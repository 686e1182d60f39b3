"""What stands on the borders between squares and covers those behind it: low walls, hedges, counters."""

from typing import NamedTuple

from affray.engine.grid.battlefield import Side, Square, side_between


class Border(NamedTuple):
    """A side that two neighbouring squares share; `low` is what reaches no higher than half of a creature."""

    here: Square
    there: Square
    low: bool

    @property
    def side(self) -> Side:
        """Where it stands."""
        return side_between(self.here, self.there)


def is_border(here: Square, there: Square) -> bool:
    """Say whether two squares share a whole side."""
    return abs(here[0] - there[0]) + abs(here[1] - there[1]) == 1


def crossed(start: Square, end: Square, borders: tuple[Border, ...]) -> list[Border]:
    """Return the borders that a line between two grid corners crosses, not those where it begins or ends.

    Past the end of a border it goes free, unless the next one goes on from there. O(borders), exact.
    """
    sides = {one.side for one in borders}
    return [one for one in borders if _crosses(start, end, one.side, sides)]


def _crosses(start: Square, end: Square, side: Side, sides: set[Side]) -> bool:
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
