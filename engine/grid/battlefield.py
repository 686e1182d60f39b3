"""The map of a fight: squares of 5 feet, x to the right, y down, one character each.

``.`` floor; ``#`` wall (blocks movement, line of effect and sight); ``=`` low wall (costs double, gives
cover); ``~`` difficult terrain; ``^`` high ground; space: void (cannot be entered, can be seen across);
``%`` fog or foliage (conceals); ``T`` pillar or tree (blocks movement, gives cover, can be seen past).
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from affray.events.errors import AffrayError, counted

Square = tuple[int, int]
"""Column and row."""

Space = tuple[Square, int]
"""A creature's space: its top-left square and its side in squares (1 up to Medium, 6 Colossal)."""

Side = tuple[bool, int, int]
"""A side that two squares share: whether it is upright, its grid line, and where on that it begins."""

SQUARE_FT = 5
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""The offsets of the squares around one: the orthogonal ones first."""
MAX_SIDE = 200
TERRAIN = ".#=~^ %T"
KINDS = ("walls", "covering", "low", "concealing", "parted")
"""The kinds of squares that are counted."""


class GridError(AffrayError):
    """An impossible map, path or place."""


def side_between(here: Square, there: Square) -> Side:
    """Return the side that two neighbouring squares share."""
    (x, y), (other_x, other_y) = (here, there) if here <= there else (there, here)
    return (True, other_x, y) if y == other_y else (False, other_y, x)


def beside(side: Side) -> tuple[Square, Square]:
    """Return the two squares that share a side, the left or upper one first."""
    upright, line, begins = side
    return ((line - 1, begins), (line, begins)) if upright else ((begins, line - 1), (begins, line))


class Battlefield:
    """An immutable, hashable map; equal rows and sides make equal fields. Looking a square up is O(1).

    `walls`, `covering` (walls, low walls, pillars), `low`, `concealing` and `heights` are the squares of
    those kinds. `sides` are thin walls, between squares: they block movement, line of effect and sight; those
    of a wall's square that join one at its end are among them, so that nothing slips through there. `parted`
    are the squares that have one. `bits` has the squares of each of KINDS again, for each row as a number in
    which bit x is column x. Beyond the edges is void.
    """

    __slots__ = (
        "_counts",
        "_hash",
        "_passable",
        "bits",
        "concealing",
        "covering",
        "height",
        "heights",
        "low",
        "parted",
        "rows",
        "sides",
        "walls",
        "width",
    )

    def __init__(self, rows: Sequence[str], sides: Iterable[Side] = ()) -> None:
        """Raises GridError unless these are 1 to 200 rows of 1 to 200 known characters, all of one length."""
        self.rows = tuple(rows)
        self.height = len(self.rows)
        self.width = len(self.rows[0]) if self.rows else 0
        if not (1 <= self.height <= MAX_SIDE and 1 <= self.width <= MAX_SIDE):
            raise GridError(f"a map is 1 to {MAX_SIDE} squares each way, not {self.width} by {self.height}")
        for y, row in enumerate(self.rows):
            if len(row) != self.width:
                raise GridError(f"map row {y} has {counted(len(row), 'square')}, row 0 has {self.width}")
            for x, character in enumerate(row):
                if character not in TERRAIN:
                    raise GridError(
                        f"map square {x},{y}: unknown terrain {character!r}; a row is one sign a square, "
                        "nothing between them: . floor, # wall, = low wall, ~ difficult ground, "
                        "^ high ground, % fog or foliage, T pillar or tree, a space for the void"
                    )
        self.walls = self._squares("#")
        self.low = self._squares("=")
        self.covering = self._squares("#=T")
        self.concealing = self._squares("%")
        self.heights = self._squares("^")
        self.sides = self._joined(frozenset(sides))
        self.parted = frozenset(square for side in self.sides for square in beside(side))
        self._counts = {name: self._sums(getattr(self, name)) for name in KINDS}
        self.bits = {name: self._in_rows(getattr(self, name)) for name in KINDS}
        self._hash = hash((self.rows, self.sides))
        self._passable: dict[tuple[Square, int], bool] = {}

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Battlefield) and self.rows == other.rows and self.sides == other.sides
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Battlefield({self.width} by {self.height})"

    def at(self, square: Square) -> str:
        """Return the terrain of a square; void beyond the edges."""
        x, y = square
        return self.rows[y][x] if 0 <= x < self.width and 0 <= y < self.height else " "

    def holds(self, anchor: Square, side: int = 1) -> bool:
        """Return whether the whole space lies on the map."""
        x, y = anchor
        return 0 <= x <= self.width - side and 0 <= y <= self.height - side

    def passable(self, anchor: Square, side: int = 1) -> bool:
        """Return whether no square of the space is wall, pillar or void, and no thin wall is inside it.

        Creatures are not considered.
        """
        found = self._passable.get((anchor, side))
        if found is None:
            if not self.holds(anchor, side):
                return False
            x, y = anchor
            kinds = [self.at((x + dx, y + dy)) for dy in range(side) for dx in range(side)]
            found = not any(kind in "# T" for kind in kinds) and not self.divided(anchor, side, side)
            self._passable[anchor, side] = found
        return found

    def divided(self, anchor: Square, columns: int, rows: int) -> bool:
        """Return whether a thin wall is between any two squares of a rectangle."""
        if not self.sides or columns == rows == 1:
            return False
        x, y = anchor
        upright = ((True, x + dx, y + dy) for dx in range(1, columns) for dy in range(rows))
        level = ((False, y + dy, x + dx) for dx in range(columns) for dy in range(1, rows))
        return not self.sides.isdisjoint((*upright, *level))

    def doublings(self, anchor: Square, side: int = 1) -> int:
        """Return how often entering doubles the cost: 1 if any of the space is difficult or a low wall, else
        0.
        """
        x, y = anchor
        return int(any(self.at((x + dx, y + dy)) in "~=" for dy in range(side) for dx in range(side)))

    def high(self, anchor: Square, side: int = 1) -> bool:
        """Return whether the whole space is high ground."""
        if anchor not in self.heights:
            return False
        x, y = anchor
        return self.heights.issuperset((x + dx, y + dy) for dy in range(side) for dx in range(side))

    def any_within(self, kind: str, left: int, top: int, right: int, bottom: int) -> bool:
        """Return whether a square of `kind` (one of KINDS) lies in that rectangle, edges too."""
        # Inlined, like `rectangle_between`: min and max are calls.
        left = left if left > 0 else 0
        top = top if top > 0 else 0
        right = right if right < self.width else self.width - 1
        bottom = bottom if bottom < self.height else self.height - 1
        if left > right or top > bottom:
            return False
        sums = self._counts[kind]
        above, upto = sums[top], sums[bottom + 1]
        return upto[right + 1] - upto[left] - above[right + 1] + above[left] > 0

    def _joined(self, sides: frozenset[Side]) -> frozenset[Side]:
        """Return thin walls and the sides of walls' squares that join them at their ends."""
        found = set(sides)
        for upright, line, begins in sides:
            for end in (begins, begins + 1):
                x, y = (line, end) if upright else (end, line)
                for column, row in ((x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)):
                    if (column, row) in self.walls:
                        found |= {(True, x, row), (False, y, column)}
        return frozenset(found)

    def _squares(self, kinds: str) -> frozenset[Square]:
        return frozenset(
            (x, y) for y, row in enumerate(self.rows) for x, kind in enumerate(row) if kind in kinds
        )

    def _in_rows(self, squares: frozenset[Square]) -> list[int]:
        rows = [0] * self.height
        for x, y in squares:
            # A thin wall on the edge separates a square from the void, which no row has.
            if 0 <= x < self.width and 0 <= y < self.height:
                rows[y] |= 1 << x
        return rows

    def _sums(self, squares: frozenset[Square]) -> list[list[int]]:
        """At [y][x] how many lie above row y and left of column x: any rectangle takes four reads."""
        sums = [[0] * (self.width + 1)]
        for y in range(self.height):
            row, above = [0], sums[-1]
            for x in range(self.width):
                row.append(row[x] + above[x + 1] - above[x] + ((x, y) in squares))
            sums.append(row)
        return sums


battlefield: Final = lru_cache(maxsize=64)(Battlefield)
"""Returns the map with these rows, the same object for the same rows: it never changes. Cached."""


# --- Walls between squares: which of them a straight line meets, and which steps they bar. Exact integers

_Point = tuple[int, int]


def walls_met(walls: frozenset[Side], start: _Point, end: _Point, scale: int = 1) -> list[Side]:
    """Return the thin walls that a line meets between two points, in units of which `scale` make a square.

    Through a grid corner it is free unless walls join there on both sides of it, and so along a wall. Walls
    where it begins or ends are not met. O(length).
    """
    if start[0] == end[0] or start[1] == end[1]:
        return _met_straight(walls, start, end, scale)
    return _met_between(walls, start, end, scale, True) + _met_between(walls, start, end, scale, False)


def bars_step(field: Battlefield, a: Square, b: Square, side: int = 1) -> bool:
    """Return whether a thin wall bars the step of a space from `a` to `b`, or is passed at its corner or its
    end.

    srd35.distance.no-diagonal-past-corner. Walls inside the space at `b` are not considered.
    """
    walls = field.sides
    if not walls:
        return False
    dx, dy = b[0] - a[0], b[1] - a[1]
    squares = [(a[0] + across, a[1] + down) for across in range(side) for down in range(side)]
    if dx and dy:
        corners = [(x + (dx > 0), y + (dy > 0)) for x, y in squares]
        return any(not walls.isdisjoint(arm) for corner in corners for arm in _arms(corner, dx * dy > 0))
    if dx:
        return any((True, x + (dx > 0), y) in walls for x, y in squares)
    return any((False, y + (dy > 0), x) in walls for x, y in squares)


def _arms(corner: Square, falling: bool) -> tuple[tuple[Side, Side], tuple[Side, Side]]:
    """Return the sides that meet at a corner, by the side of a slanting line through it on which they lie."""
    x, y = corner
    up, down, left, right = (True, x, y - 1), (True, x, y), (False, y, x - 1), (False, y, x)
    return ((up, right), (down, left)) if falling else ((up, left), (down, right))


def _met_between(walls: frozenset[Side], start: _Point, end: _Point, scale: int, upright: bool) -> list[Side]:
    """Return the upright walls that a slanting line meets, or the level ones; those at corners once."""
    (px, py), (qx, qy) = (start, end) if upright else (start[::-1], end[::-1])
    if px > qx:
        px, py, qx, qy = qx, qy, px, py
    across, rise = qx - px, qy - py
    unit = across * scale
    found: list[Side] = []
    for line in range(px // scale + 1, (qx - 1) // scale + 1):
        begins, beyond = divmod(py * across + rise * (line * scale - px), unit)
        if beyond:
            if (upright, line, begins) in walls:
                found.append((upright, line, begins))
        elif upright:
            one, other = (walls.intersection(arm) for arm in _arms((line, begins), rise > 0))
            if one and other:
                found += [*one, *other]
    return found


def _met_straight(walls: frozenset[Side], start: _Point, end: _Point, scale: int) -> list[Side]:
    """Return the walls that a level or upright line meets, which may run along some."""
    upright = start[0] == end[0]
    line, (first, last) = (
        (start[0], sorted((start[1], end[1]))) if upright else (start[1], sorted((start[0], end[0])))
    )
    steps = range(first // scale + 1, (last - 1) // scale + 1)
    row, between = divmod(line, scale)
    if between:
        return [side for step in steps if (side := (not upright, step, row)) in walls]
    found: list[Side] = []
    before: list[Side] = []
    behind: list[Side] = []  # the walls that join the line from either side where it runs along one
    for step in steps:
        if (upright, row, step - 1) not in walls:
            before, behind = [], []
        before += walls.intersection([(not upright, step, row - 1)])
        behind += walls.intersection([(not upright, step, row)])
        if before and behind:
            found += [*before, *behind]
            before, behind = [], []
    return found
