"""Distances and the cost of moving, with diagonals that count one, two, one, two."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from affray.engine.grid.battlefield import SQUARE_FT, Battlefield, GridError, Space, Square, bars_step
from affray.events.errors import counted

STEPS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""The offsets of neighbouring squares: the straight ones, then the diagonals."""

Doublings = Callable[[Square], int]
"""How often the cost of moving into this anchor square is doubled."""


class Cost(Struct, frozen=True, gc=False):
    """The cost of a path in squares, its number of ordinary diagonals, and the parity that it leaves, modulo
    2.

    Diagonals that are doubled count as two and are not among them.
    """

    squares: int
    parity: int
    diagonals: int = 0


def steps(a: Square, b: Square) -> int:
    """Return the squares between two squares; every second diagonal counts two (srd35.distance.diagonals)."""
    across, down = abs(a[0] - b[0]), abs(a[1] - b[1])
    return across + down // 2 if across > down else down + across // 2


def gaps(a: Square, a_side: int, b: Square, b_side: int) -> tuple[int, int]:
    """Return the columns and rows between two spaces' nearest squares; 0 where they overlap, 1 side by
    side.
    """
    across = b[0] - a[0] - a_side + 1 if b[0] > a[0] else a[0] - b[0] - b_side + 1
    down = b[1] - a[1] - a_side + 1 if b[1] > a[1] else a[1] - b[1] - b_side + 1
    return across if across > 0 else 0, down if down > 0 else 0


@lru_cache(maxsize=65536)
def distance_ft(a: Square, b: Square, a_side: int = 1, b_side: int = 1) -> int:
    """Return the feet between two spaces' nearest squares; 5 when adjacent, corners included, 0 when they
    overlap.

    Remembered.
    """
    return SQUARE_FT * steps((0, 0), gaps(a, a_side, b, b_side))


@lru_cache(maxsize=65536)
def adjacent(a: Square, b: Square, a_side: int = 1, b_side: int = 1) -> bool:
    """Return whether the spaces touch, at least at a corner, without overlapping. Remembered."""
    return max(gaps(a, a_side, b, b_side)) == 1


def step_cost(diagonal: bool, doublings: int, parity: int, scaled: bool = False) -> Cost:
    """Return the cost of one step and the parity after it.

    2**n for n doublings, diagonally 3 * 2**(n - 1) (srd35.special-move.double-cost-multiple). A doubled
    diagonal counts as two ordinary ones, so it leaves the parity unchanged. If the distance itself is
    multiplied (`scaled`), each diagonal is doubled by its count: the first as one square, the next as two
    (woa.terrain.difficult.half-speed).
    """
    if diagonal and scaled:
        return Cost((1 + parity) << doublings, 1 - parity)
    if not diagonal:
        return Cost(1 << doublings, parity)
    if doublings:
        return Cost(3 << (doublings - 1), parity)
    return Cost(1 + parity, 1 - parity)


def path_cost(
    field: Battlefield,
    path: Sequence[Square],
    *,
    side: int = 1,
    doublings_of: Doublings | None = None,
    parity: int = 0,
    scaled: bool = False,
) -> Cost:
    """Return the cost of moving a space of that side along anchor squares, beginning with its present one.

    `doublings_of` replaces the map's own terrain (by default the worst under the space counts:
    srd35.terrain.mixed-worst) for creatures that fly, squeeze or are hampered otherwise. `parity` is that of
    the movement so far this turn; `scaled` as for one step. Only costs: see `obstructed` for whether a step
    is possible. Raises GridError if a step is not to a neighbour.
    """
    total = diagonals = 0
    for here, there in pairwise(path):
        across, down = abs(here[0] - there[0]), abs(here[1] - there[1])
        if max(across, down) != 1:
            raise GridError(f"no step leads from {here[0]},{here[1]} to {there[0]},{there[1]}")
        doublings = field.doublings(there, side) if doublings_of is None else doublings_of(there)
        cost = step_cost(across == down, doublings, parity, scaled)
        diagonals += cost.parity != parity
        total, parity = total + cost.squares, cost.parity
    return Cost(total, parity, diagonals)


def corner_blocked(field: Battlefield, a: Square, b: Square, side: int = 1) -> bool:
    """Return whether the step is a diagonal past a wall's corner (srd35.distance.no-diagonal-past-corner).

    Creatures, pits and pillars, which do not fill their square to the corner, can be passed.
    """
    if a[0] == b[0] or a[1] == b[1]:
        return False
    walls, (ax, ay), (bx, by) = field.walls, a, b
    for dx in range(side):
        for dy in range(side):
            if (bx + dx, ay + dy) in walls or (ax + dx, by + dy) in walls:
                return True
    return False


def obstructed(field: Battlefield, a: Square, b: Square, side: int = 1) -> bool:
    """Return whether the map forbids the step.

    A wall, pillar or void under the space at `b`, a thin wall inside it or on the way, a wall's corner.
    """
    return not field.passable(b, side) or corner_blocked(field, a, b, side) or bars_step(field, a, b, side)


@lru_cache(maxsize=16384)
def open_steps(field: Battlefield, here: Square, side: int = 1) -> tuple[Square, ...]:
    """Return the neighbours that the map lets a space at `here` step to: straight ones first. Remembered."""
    x, y = here
    neighbours = [(x + dx, y + dy) for dx, dy in STEPS]
    return tuple([there for there in neighbours if not obstructed(field, here, there, side)])


# --- Distance in three dimensions: every second diagonal counts two, in every direction
# Spaces are as high as they are wide; levels are counted in squares from the ground.

SECOND_DIAGONAL_FT = 10
Body = tuple[Square, int, int]
"""The anchor of a space, its width and height in squares, and its level in squares above the ground."""


def squares_above(a_level: int, a_side: int, b_level: int, b_side: int) -> int:
    """Return the squares between two spaces one above the other; 0 where they share a level, 1 right
    above.
    """
    if b_level > a_level:
        return max(b_level - a_level - a_side + 1, 0)
    return max(a_level - b_level - b_side + 1, 0)


def farthest(a_level: int, a_side: int, b_level: int, b_side: int) -> int:
    """Return the squares from a space to the farthest level of another beyond it, 0 if none is beyond it."""
    return max(b_level + b_side - a_level - a_side, a_level - b_level, 0)


def squares_in_space(across: int, down: int, up: int) -> int:
    """Return the squares of a path in three dimensions: the longest distance, plus half of the next for the
    diagonals.
    """
    _, middle, most = sorted((across, down, up))
    return most + middle // 2


def feet_between(a: Square, a_side: int, b: Square, b_side: int, up: int) -> int:
    """Return the feet between the nearest squares of two spaces, one `up` squares above the other."""
    return SQUARE_FT * squares_in_space(*gaps(a, a_side, b, b_side), up)


def within_reach_aloft(a: Body, b: Body, least: int, most: int) -> bool:
    """Return whether `a` reaches any part of `b`'s space at `least` to `most` feet, over or under it too.

    With a reach of 10 feet the second diagonal counts as reached.
    """
    a_at, a_side, a_level = a
    b_at, b_side, b_level = b
    near = (*gaps(a_at, a_side, b_at, b_side), squares_above(a_level, a_side, b_level, b_side))
    (ax, ay), (bx, by) = a_at, b_at
    far = (
        max(bx + b_side - ax - a_side, ax - bx, 0),
        max(by + b_side - ay - a_side, ay - by, 0),
        farthest(a_level, a_side, b_level, b_side),
    )
    if SQUARE_FT * squares_in_space(*near) <= most and SQUARE_FT * squares_in_space(*far) >= least:
        return True
    return least <= most == SECOND_DIAGONAL_FT and max(near) <= 2 <= sorted(far)[1]


# --- The squares that a creature takes up, and those it reaches


@lru_cache(maxsize=4096)
def space(anchor: Square, side: int) -> tuple[Square, ...]:
    """Return the squares of a space, row by row."""
    x, y = anchor
    return tuple((x + dx, y + dy) for dy in range(side) for dx in range(side))


@lru_cache(maxsize=4096)
def rectangle(corner: Square, columns: int, rows: int) -> tuple[Square, ...]:
    """Return the squares of a rectangle, of which `corner` is the top left one, column by column;
    remembered.
    """
    x, y = corner
    return tuple((x + dx, y + dy) for dx in range(columns) for dy in range(rows))


def squeezed(anchor: Square, side: int, width: int, upright: bool) -> tuple[Square, ...]:
    """Return the squares of a space in a passage `width` squares wide, along y if `upright`, else along x.

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
    """Return the squares at `min_ft` to `max_ft` from the space; remembered, otherwise O(area).

    A `min_ft` of 0 includes the creature's own squares; a reach weapon has the first distance that it can
    strike at, such as 10. With `second_diagonal`, a reach of exactly 10 feet includes the squares two
    diagonals away.
    """
    x, y = anchor
    return frozenset((x + dx, y + dy) for dx, dy in _around(side, min_ft, max_ft, second_diagonal))


@lru_cache(maxsize=512)
def _around(side: int, min_ft: int, max_ft: int, second_diagonal: bool) -> tuple[Square, ...]:
    """Return the squares threatened from the anchor (0, 0)."""
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
    """Return whether `a` reaches any square of `b`'s space; the same as b's space meeting `threatened`.
    O(1).
    """
    (ax, ay), (bx, by) = a_anchor, b_anchor
    return _reaches(a_side, bx - ax, by - ay, b_side, min_ft, max_ft, second_diagonal)


@lru_cache(maxsize=65536)
def _reaches(
    side: int, across: int, down: int, other_side: int, min_ft: int, max_ft: int, second_diagonal: bool
) -> bool:
    """Return whether a space at (0, 0) reaches another one, of which this is the anchor; remembered."""
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


# --- Flanking geometry: whether two creatures are on opposite sides of a third

Point = tuple[int, int]


def opposite(a: Space, b: Space, target: Space) -> bool:
    """Return whether a line between a's and b's centres passes opposite borders of the target, corners
    included.

    srd35.flank.line-test; a creature of several squares may use any of them (srd35.flank.large-flanker).
    Whether they threaten the target is not checked. Symmetric in `a` and `b`; cached by their positions
    relative to the target.
    """
    ((ax, ay), a_side), ((bx, by), b_side), ((x, y), side) = a, b, target
    return _opposite(ax - x, ay - y, a_side, bx - x, by - y, b_side, side)


@lru_cache(maxsize=65536)
def _opposite(ax: int, ay: int, an: int, bx: int, by: int, bn: int, side: int) -> bool:
    """Return whether they are opposite for a target at (0, 0)."""
    columns, rows = (ax, ax + an, bx, bx + bn, 0, side), (ay, ay + an, by, by + bn, 0, side)
    # Giants have hundreds of pairs of squares: none is checked if all are on one side.
    across, down = _embrace(*columns) and _meet(*rows), _embrace(*rows) and _meet(*columns)
    if not across and not down:
        return False
    # In halves of a square, centres are odd and borders even.
    spaces = space((ax, ay), an), space((bx, by), bn)
    one, other = ([(2 * x + 1, 2 * y + 1) for x, y in each] for each in spaces)
    borders = 0, 2 * side
    if across and _any_through(one, other, borders, borders):
        return True
    return down and _any_through([(y, x) for x, y in one], [(y, x) for x, y in other], borders, borders)


def _embrace(a: int, a_end: int, b: int, b_end: int, start: int, end: int) -> bool:
    """Return whether one has a square before the target and the other one behind it."""
    return (a < start and b_end > end) or (b < start and a_end > end)


def _meet(a: int, a_end: int, b: int, b_end: int, start: int, end: int) -> bool:
    """Return whether neither both are before the target nor both behind it, with all their squares."""
    return (a_end > start or b_end > start) and (a < end or b < end)


def _any_through(one: list[Point], other: list[Point], borders: Point, ends: Point) -> bool:
    """Return whether a segment from any point of one to any of the other crosses both borders between their
    ends.
    """
    left, right = borders
    for here, there in ((one, other), (other, one)):
        before, behind = [p for p in here if p[0] <= left], [q for q in there if q[0] >= right]
        if any(_through(p, q, borders, ends) for p in before for q in behind):
            return True
    return False


def _through(p: Point, q: Point, borders: Point, ends: Point) -> bool:
    """Return whether the segment from p, before the left border, to q, behind the right one, crosses both in
    it.
    """
    (px, py), (qx, qy), (left, right), (top, bottom) = p, q, borders, ends
    run, rise = qx - px, qy - py
    at_left, at_right = py * run + (left - px) * rise, py * run + (right - px) * rise
    return top * run <= at_left <= bottom * run and top * run <= at_right <= bottom * run
