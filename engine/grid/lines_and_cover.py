"""Lines across the grid, and cover, concealment, borders and areas."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from affray.engine.grid.battlefield import (
    SQUARE_FT,
    Battlefield,
    GridError,
    Side,
    Space,
    Square,
    bars_step,
    beside,
    side_between,
    walls_met,
)
from affray.engine.grid.distance import adjacent, distance_ft, space, steps

# --- Obstacles on the borders between squares that cover those behind them: low walls, hedges, counters


class Border(NamedTuple):
    """A side that two neighbouring squares share; `low` obstacles reach no higher than half of a creature."""

    here: Square
    there: Square
    low: bool

    @property
    def side(self) -> Side:
        """Return its side."""
        return side_between(self.here, self.there)


def is_border(here: Square, there: Square) -> bool:
    """Return whether two squares share a whole side."""
    return abs(here[0] - there[0]) + abs(here[1] - there[1]) == 1


def crossed(start: Square, end: Square, borders: tuple[Border, ...]) -> list[Border]:
    """Return the borders that a line between two grid corners crosses, not those where it begins or ends.

    Past the end of a border it is free, unless the next one continues from there. O(borders), exact.
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


# --- Straight lines across the grid, in exact integers: the squares on them and what stops them

_FINE = 8
_WITHIN = ((1, 1), (7, 1), (1, 7), (7, 7), (4, 4))
"""A square's corners, an eighth inside, and its centre, in eighths of a square.

Lines of effect start and end inside the squares: a point exactly on a wall's corner would see around it,
and two squares that touch at a corner would see each other between two walls that touch there too."""


class Trace(Struct, frozen=True):
    """The squares that a segment meets, without its end points.

    `squares`: those whose interior it crosses. `pairs`: squares on both sides of a border that it runs along,
        or of a corner that it passes exactly; it slips through between the two unless both of them stop it.
    """

    squares: tuple[Square, ...]
    pairs: tuple[tuple[Square, Square], ...]


def trace(start: Square, end: Square) -> Trace:
    """Return the trace between two grid corners; corner (x, y) is the top left one of square (x, y).
    O(length).
    """
    found = relative_trace(0, 0, end[0] - start[0], end[1] - start[1], 1)
    x, y = start
    return Trace(
        tuple([(dx + x, dy + y) for dx, dy in found.squares]),
        tuple([((ax + x, ay + y), (bx + x, by + y)) for (ax, ay), (bx, by) in found.pairs]),
    )


@lru_cache(maxsize=65536)
def relative_trace(x0: int, y0: int, x1: int, y1: int, scale: int) -> Trace:
    """Return the trace between two points given in units of which `scale` make a square; remembered."""
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
    """Return the trace of a level or upright segment, which may run along borders."""
    upright = x0 == x1
    across, (start, end) = (x0, sorted((y0, y1))) if upright else (y0, (x0, x1))
    line, along = across // scale, range(start // scale, (end - 1) // scale + 1)
    if across % scale:
        return Trace(tuple((line, step) if upright else (step, line) for step in along), ())
    if upright:
        return Trace((), tuple(((line - 1, step), (line, step)) for step in along))
    return Trace((), tuple(((step, line - 1), (step, line)) for step in along))


def with_rim(field: Battlefield, squares: Iterable[Square]) -> frozenset[Square]:
    """Return squares of a map with those beside them beyond its edge, so that no line slips past along it."""
    found = set(squares)
    for x, y in squares:
        found.update([(-1, y)] if x == 0 else [], [(field.width, y)] if x == field.width - 1 else [])
        found.update([(x, -1)] if y == 0 else [], [(x, field.height)] if y == field.height - 1 else [])
    return frozenset(found)


def sides_with_rim(field: Battlefield, upright: bool) -> frozenset[Side]:
    """Return the thin walls of one direction; those that end at the map's edge go on beyond it."""
    found = {side for side in field.sides if side[0] is upright}
    last = (field.height if upright else field.width) - 1
    for _, line, begins in list(found):
        found.update([(upright, line, -1)] if begins == 0 else [])
        found.update([(upright, line, last + 1)] if begins == last else [])
    return frozenset(found)


def line_of_effect(field: Battlefield, a_anchor: Square, a_side: int, b_anchor: Square, b_side: int) -> bool:
    """Return whether some line from a corner or centre of a's squares to one of b's meets no wall, thin or
    not.

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
    """Return whether a space has room at `there`, with no wall, thin or not, between it and the space at
    `here`.

    For a combatant that is put somewhere at once; a step is checked with `obstructed`.
    """
    return field.passable(there, side) and line_of_effect(field, here, here_side, there, side)


def line_from_corner(field: Battlefield, corner: Square, anchor: Square, side: int) -> bool:
    """Return whether some line from a grid corner into one of those squares meets no wall."""
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


# --- Directions, and the areas of bursts, cones and lines, counted from a grid corner
#
# Corner (x, y) is the top left one of square (x, y). A square is in an area when its far corner, counted
# from corner to corner with the usual diagonals, is within it.

DIRECTIONS: tuple[Square, ...] = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight directions, clockwise from the top of the map."""


def squares_around(corner: Square) -> tuple[Square, ...]:
    """Return the four squares that touch a grid corner."""
    x, y = corner
    return (x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)


def away(a: Space, b: Space) -> Square:
    """Return the one of the eight directions nearest to that from a's centre to b's; (0, 0) if those
    coincide.
    """
    ((ax, ay), a_side), ((bx, by), b_side) = a, b
    across, down = 2 * bx + b_side - 2 * ax - a_side, 2 * by + b_side - 2 * ay - a_side
    more, less = max(abs(across), abs(down)), min(abs(across), abs(down))
    # Less than 22.5 degrees off an axis is more > (1 + sqrt 2) * less; squared, to stay in whole numbers.
    if more > less and (more - less) ** 2 > 2 * less**2:
        return (_sign(across), 0) if abs(across) == more else (0, _sign(down))
    return _sign(across), _sign(down)


def straight(start: Square, direction: Square, squares: int) -> tuple[Square, ...]:
    """That many squares from `start`, itself not among them, in one direction."""
    return tuple((start[0] + direction[0] * n, start[1] + direction[1] * n) for n in range(1, squares + 1))


@lru_cache(maxsize=1024)
def burst(centre: Square, radius_ft: int) -> frozenset[Square]:
    """Return the squares within the radius around a grid corner; O(area), remembered."""
    reach = radius_ft // SQUARE_FT
    x, y = centre
    return frozenset(
        (x + dx, y + dy)
        for dx in range(-reach, reach)
        for dy in range(-reach, reach)
        if steps((0, 0), _far(dx, dy)) <= reach
    )


@lru_cache(maxsize=1024)
def cone(origin: Square, direction: Square, length_ft: int) -> frozenset[Square]:
    """Return a quarter circle from a grid corner in one of the eight directions; O(area), remembered."""
    if direction not in DIRECTIONS:
        raise GridError(f"{direction} is not one of the eight directions")
    x, y = origin
    wide, high = direction
    squares = set()
    for square in burst(origin, length_ft):
        # Twice the way from the origin to the square's centre: odd, so never on the axes.
        across, down = 2 * (square[0] - x) + 1, 2 * (square[1] - y) + 1
        if wide and high:
            inside = across * wide > 0 and down * high > 0
        else:
            ahead, aside = across * wide + down * high, across * high + down * wide
            inside = ahead >= abs(aside)
        if inside:
            squares.add(square)
    return frozenset(squares)


@lru_cache(maxsize=256)
def spread(field: Battlefield, centre: Square, radius_ft: int) -> frozenset[Square]:
    """Return the squares that a spread from a grid corner fills, round corners and along walls; O(area),
    remembered.

    The way to a square's far corner is counted through open squares, diagonals as usual.
    """
    reach = radius_ft // SQUARE_FT
    x, y = centre
    best: dict[Square, tuple[int, int]] = {}
    waiting = [
        (1, 1, (x + dx, y + dy)) for dx in (-1, 0) for dy in (-1, 0) if field.at((x + dx, y + dy)) != "#"
    ]
    while waiting and reach:
        waiting.sort()
        cost, diagonals, square = waiting.pop(0)
        known = best.get(square)
        if known is not None and known <= (cost, diagonals):
            continue
        best[square] = (cost, diagonals)
        for dx, dy in DIRECTIONS:
            there = (square[0] + dx, square[1] + dy)
            if field.at(there) == "#" or not field.holds(there) or bars_step(field, square, there):
                continue
            slanted = dx != 0 and dy != 0
            beside = (field.at((square[0] + dx, square[1])), field.at((square[0], square[1] + dy)))
            if slanted and "#" in beside:
                continue
            further = cost + (2 if slanted and diagonals % 2 else 1)
            if further <= reach:
                waiting.append((further, diagonals + slanted, there))
    return frozenset(best)


def line_area(origin: Square, toward: Square, length_ft: int) -> tuple[Square, ...]:
    """Return the squares that a line from one grid corner through another passes through, nearest first.

    A line along a border takes the squares below it or to its right. Raises GridError if the corners
    coincide.
    """
    across, down = toward[0] - origin[0], toward[1] - origin[1]
    if not across and not down:
        raise GridError("a line needs two different corners")
    reach = length_ft // SQUARE_FT
    x, y = origin
    found = trace(origin, (x + across * reach, y + down * reach))
    squares = found.squares or tuple(pair[1] for pair in found.pairs)
    near = [
        (steps((0, 0), far), far[0] ** 2 + far[1] ** 2, square)
        for square in squares
        for far in (_far(square[0] - x, square[1] - y),)
    ]
    return tuple(square for length, _, square in sorted(near) if length <= reach)


def _far(dx: int, dy: int) -> Square:
    """Return the far corner of the square at that offset from a corner."""
    return dx + (dx >= 0), dy + (dy >= 0)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


# --- Lines between the corners of two spaces, their squares as the bits of whole numbers
# Obstacles are a number as well: one `&` decides whether a line, or several at once, meets any of them. The
# bits are the squares of a window around both spaces.

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
        """Return the bits of a space that reaches into the window, or is next to it."""
        x, y = anchor
        place = (y - self.top) * self.stride + x - self.left
        block = _block(self.stride, side)
        return block << place if place >= 0 else block >> -place

    def squares(self, bits: int) -> list[Square]:
        """Return the squares of some bits."""
        found = []
        while bits:
            last = bits & -bits
            down, across = divmod(last.bit_length() - 1, self.stride)
            found.append((self.left + across, self.top + down))
            bits ^= last
        return found

    def cut(self, rows: Sequence[int]) -> int:
        """Return the bits of the squares of a map that lie within, from its rows (see `Battlefield.bits`)."""
        left, top, stride = self.left, self.top, self.stride
        whole = (1 << stride - self.margin) - 1
        found = 0
        for y in range(max(top, 0), min(top + self.rows, len(rows))):
            if row := rows[y]:
                found |= ((row >> left if left >= 0 else row << -left) & whole) << (y - top) * stride
        return found


@lru_cache(maxsize=1024)
def _block(stride: int, side: int) -> int:
    """Return the bits of a space at the first square of a window."""
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
        """Return those of the stops that the line meets."""
        found = stops & self.squares
        if self.halves:
            both = stops & self.halves & stops >> self.gap
            found |= both | both << self.gap
        return found


class Fan(Struct, frozen=True, gc=False):
    """Lines that are examined together, and all squares that any of them touches."""

    lines: tuple[Line, ...]
    touched: int


class Fans(Struct, frozen=True, gc=False):
    """Fans to choose from, and all squares that any of them touches."""

    each: tuple[Fan, ...]
    touched: int


def window_around(a: Space, b: Space, margin: int) -> Window:
    """Return the window in which all lines between two spaces run.

    It is one square wider on each side than both: lines along the edge depend on the squares beyond it as
    well.
    """
    ((ax, ay), a_side), ((bx, by), b_side) = a, b
    left, top = min(ax, bx) - 1, min(ay, by) - 1
    right, bottom = max(ax + a_side, bx + b_side) + 1, max(ay + a_side, by + b_side) + 1
    return Window(left, top, right - left + margin, bottom - top, margin)


def corners(anchor: Square, side: int) -> tuple[Square, Square, Square, Square]:
    """Return the four outer corners of a space."""
    x, y = anchor
    return (x, y), (x + side, y), (x, y + side), (x + side, y + side)


@lru_cache(maxsize=4096)
def edge_corners(anchor: Square, side: int) -> tuple[Square, ...]:
    """Return the corners of all its squares that lie on a space's edge, outer corners first."""
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
    """Return the sets of lines to choose from, to another space whose anchor has the given offset.

    They start and end as if the first space were at (0, 0); their bits are those of the window around both.
    Cached: they depend only on the relative position of the two.
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
    """Return the sets of lines to choose from, each as its starting and its end corners."""
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
        # Along one line both always have the same relative direction, and so do their bits.
        one, gap = ay * stride + ax, (by - ay) * stride + bx - ax
        halves |= 1 << place + (one if gap > 0 else one + gap)
    return Line(start, end, squares, halves, abs(gap))


# --- Concealment by terrain: fog, foliage


def obscured(
    field: Battlefield, attacker: Space, target: Space, *, melee: bool, borders: tuple[Border, ...] = ()
) -> bool:
    """Return whether the map's fog or foliage, or one of the borders, conceals the target from this attacker.

    Melee next to it: only if the target's whole space is concealing (srd35.concealment.melee-adjacent-test).
    Otherwise the attacker picks a corner, and any line from it to a corner of the target through a concealing
    square, the target's own among them, or across such a border conceals (srd35.concealment.ranged-test,
    .melee-reach-test). Remembered.
    """
    if not field.concealing and not borders:
        return False
    return _obscured(field, attacker, target, melee, borders)


@lru_cache(maxsize=16384)
def _obscured(
    field: Battlefield, attacker: Space, target: Space, melee: bool, borders: tuple[Border, ...]
) -> bool:
    fog = field.concealing
    if melee and adjacent(attacker[0], target[0], attacker[1], target[1]):
        return fog.issuperset(space(*target))
    for start in edge_corners(*attacker):
        ends = corners(*target)
        traces = [trace(start, end) for end in ends]
        if not any(crossed(start, end, borders) for end in ends) and not any(
            any(square in fog for square in found.squares)
            or any(one in fog and other in fog for one, other in found.pairs)
            for found in traces
        ):
            return False
    return True


# --- Cover: obstacles between an attacker and a target. Bonuses are looked up elsewhere

Creature = tuple[str, Square, int]
"""Id, anchor and side of a creature that may be in the way."""

Kind = Literal["none", "soft", "cover", "total"]
_RANK: dict[Kind, int] = {"none": 0, "soft": 1, "cover": 2, "total": 3}


class Cover(Struct, frozen=True):
    """The best cover that the attacker can choose.

    `squares`: terrain that gives the cover; `creatures`: ids in the way, also if terrain counts for more;
        `low`: only low obstacles give it; `lines`: how many of the chosen lines are stopped.
    """

    kind: Kind
    squares: tuple[Square, ...] = ()
    creatures: tuple[str, ...] = ()
    low: bool = False
    lines: int = 0


class _Stops(Struct, frozen=True, gc=False):
    """The obstacles of lines, as bits of the squares of a window: all of them, terrain, and creatures.

    A square with several counts for terrain, then for the first creature.
    """

    window: Window
    every: int
    terrain: int
    creatures: tuple[tuple[str, int], ...]


NONE = Cover("none")
TOTAL = Cover("total")


def cover(
    field: Battlefield,
    attacker: Space,
    target: Space,
    *,
    melee: bool,
    low_range_ft: int,
    creatures: Iterable[Creature] = (),
    heeding: bool = False,
    borders: tuple[Border, ...] = (),
) -> Cover:
    """Return the cover that the target has against this attacker (srd35.cover.*).

    Ranged, and melee at a distance: the attacker picks the corner whose lines to all corners of the target
    are the freest; terrain, then creatures in the way count (srd35.cover.ranged-test,
    srd35.cover.melee-reach-test). Melee next to the target: any line between the two squares through an
    obstacle gives cover, creatures do not (srd35.cover.melee-adjacent-test). In melee, attackers pick one
    square each of their own and of the target's space (srd35.cover.big-attacker, srd35.cover.big-defender). A
    low obstacle counts for targets within `low_range_ft` of it, and not if the attacker is nearer to it than
    the target, unless `heeding` is set. No line of effect: total. A burst from a grid corner is an attacker
    without a side: all lines run from that corner.

    `creatures` may include attacker and target: those on their squares are left out. `borders` between
    squares cover as well, and thin walls, given by the first of their two squares. Cached; O(1) if nothing is
    in the rectangle around both, otherwise O(corners x distance).
    """
    left, top, right, bottom = _around(attacker, target)
    between: tuple[Creature, ...] = ()
    close = melee and adjacent(attacker[0], target[0], attacker[1], target[1])
    if creatures and not close:
        between = tuple(
            sorted(
                one
                for one in in_the_way(creatures, left, top, right, bottom)
                if one[1:] not in (attacker, target)
            )
        )
    near = tuple(
        one
        for one in borders
        if left <= one.here[0] <= right
        and top <= one.here[1] <= bottom
        and left <= one.there[0] <= right
        and top <= one.there[1] <= bottom
    )
    if (
        not between
        and not near
        and not field.any_within("covering", left, top, right, bottom)
        and not (field.sides and field.any_within("parted", left, top, right, bottom))
    ):
        return NONE
    return _cover(field, attacker, target, melee, (low_range_ft, heeding), between, near)


def in_the_way(creatures: Iterable[Creature], left: int, top: int, right: int, bottom: int) -> list[Creature]:
    """Return those that may stop lines within a rectangle of squares.

    It is taken one square wider: a line along its edge is stopped from both sides.
    """
    return [
        (name, (x, y), side)
        for name, (x, y), side in creatures
        if left <= x + side and x <= right + 1 and top <= y + side and y <= bottom + 1
    ]


def rank(found: Cover) -> int:
    """Return how good a cover is: none, soft, from terrain, total."""
    return _RANK[found.kind]


def _around(a: Space, b: Space) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the rectangle of squares around both spaces."""
    ((ax, ay), a_side), ((bx, by), b_side) = a, b
    right, other_right, bottom, other_bottom = ax + a_side, bx + b_side, ay + a_side, by + b_side
    # Inlined, like `rectangle_between`: min and max are calls.
    return (
        ax if ax < bx else bx,
        ay if ay < by else by,
        (right if right > other_right else other_right) - 1,
        (bottom if bottom > other_bottom else other_bottom) - 1,
    )


@lru_cache(maxsize=16384)
def _cover(
    field: Battlefield,
    attacker: Space,
    target: Space,
    melee: bool,
    low: tuple[int, bool],
    between: tuple[Creature, ...],
    near: tuple[Border, ...],
) -> Cover:
    """Return the cover; `low` is the range of low walls, and whether they count for a nearer attacker too."""
    (at, side), (there, other_side) = attacker, target
    if not (line_of_effect(field, *attacker, *target) if side else line_from_corner(field, at, *target)):
        return TOTAL
    margin = max([MARGIN, *[wide for _, _, wide in between]])
    window = window_around(attacker, target, margin)
    looked_along = fans(side, there[0] - at[0], there[1] - at[1], other_side, melee, margin)
    free = ~(window.bits(*attacker) | window.bits(*target)) & looked_along.touched
    terrain = window.cut(field.bits["covering"]) & free
    for square in window.squares(terrain):
        if square in field.low and not _low_counts(square, square, attacker, target, low):
            terrain ^= window.bits(square, 1)
    every, creatures = terrain, []
    for name, anchor, wide in between:
        bits = window.bits(anchor, wide) & free & ~every
        creatures.append((name, bits))
        every |= bits
    borders = tuple(
        one for one in near if not one.low or _low_counts(one.here, one.there, attacker, target, low)
    )
    stops = _Stops(window, every, terrain, tuple(creatures))
    best: tuple[tuple[int, int, int], Cover] | None = None
    for fan in looked_along.each:
        found = _looked(field, stops, borders, at, fan)
        weight = (_RANK[found.kind], found.lines, len(found.squares) + len(found.creatures))
        if found.kind == "none":
            return found
        if best is None or weight < best[0]:
            best = (weight, found)
    return NONE if best is None else best[1]


def _low_counts(one: Square, other: Square, attacker: Space, target: Space, low: tuple[int, bool]) -> bool:
    """Return whether a low obstacle in a square, or between two squares, counts.

    srd35.cover.low-obstacle, srd35.cover.low-obstacle-ignored.
    """
    range_ft, heeding = low
    to_target = distance_ft(target[0], one, target[1])
    to_attacker = distance_ft(attacker[0], one, attacker[1])
    if one != other:
        to_target = min(to_target, distance_ft(target[0], other, target[1]))
        to_attacker = min(to_attacker, distance_ft(attacker[0], other, attacker[1]))
    return to_target < range_ft + SQUARE_FT and (heeding or to_attacker >= to_target)


def _looked(field: Battlefield, stops: _Stops, borders: tuple[Border, ...], at: Square, fan: Fan) -> Cover:
    """Return the cover along all lines of a fan that begins at the attacker's anchor."""
    if not stops.every & fan.touched and not borders and not field.sides:
        return NONE
    met = lines = 0
    over: set[Border] = set()
    for line in fan.lines:
        hit = line.met(stops.every)
        passed: list[Border] = []
        if borders or field.sides:
            start, end = [(at[0] + x, at[1] + y) for x, y in (line.start, line.end)]
            passed = [
                *crossed(start, end, borders),
                *[Border(*beside(side), low=False) for side in walls_met(field.sides, start, end)],
            ]
        if hit or passed:
            lines += 1
            met |= hit
            over.update(passed)
    if not met and not over:
        return NONE
    terrain = set(stops.window.squares(met & stops.terrain))
    names = tuple(sorted({name for name, bits in stops.creatures if met & bits}))
    low = bool(terrain or over) and field.low.issuperset(terrain) and all(one.low for one in over)
    terrain |= {min(one.here, one.there) for one in over}
    return Cover("cover" if terrain else "soft", tuple(sorted(terrain)), names, low, lines)


# --- A small text map


def draw(field: Battlefield, tokens: Mapping[Square, str], sides: Mapping[Square, int] | None = None) -> str:
    """Return the map with coordinates along the top and left edges, and a letter on every square of each
    token.

    `tokens` are letters by anchor; `sides` gives the sides of those that take more than one square. Lines
    carry no trailing blanks. Raises GridError for a token longer than one character or off the map.
    """
    rows = [list(row) for row in field.rows]
    for anchor, letter in sorted(tokens.items()):
        side = (sides or {}).get(anchor, 1)
        if len(letter) != 1 or not field.holds(anchor, side):
            raise GridError(f"cannot draw {letter!r} at {anchor[0]},{anchor[1]}")
        for x, y in space(anchor, side):
            rows[y][x] = letter
    margin = len(str(field.height - 1))
    heads = []
    for unit in (100, 10):
        if field.width > unit:
            marks = (str(x // unit % 10) if x and x % unit == 0 else " " for x in range(field.width))
            heads.append(" " * (margin + 1) + "".join(marks))
    heads.append(" " * (margin + 1) + "".join(str(x % 10) for x in range(field.width)))
    body = [f"{y:>{margin}} {''.join(row)}" for y, row in enumerate(rows)]
    return "\n".join(line.rstrip() for line in heads + body)
