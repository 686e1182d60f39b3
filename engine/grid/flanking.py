"""Flanking geometry: whether two creatures stand on opposite sides of a third."""

from functools import lru_cache

from affray.engine.grid.battlefield import Space
from affray.engine.grid.reach import space

Point = tuple[int, int]


def opposite(a: Space, b: Space, target: Space) -> bool:
    """Whether a line between a's and b's centres passes opposite borders of the target, corners included.

    srd35.flank.line-test; a creature of several squares may use any of them (srd35.flank.large-flanker).
    Whether they threaten the target is not asked. Symmetric in `a` and `b`; remembered by how they stand to
    the target, wherever that is.
    """
    ((ax, ay), a_side), ((bx, by), b_side), ((x, y), side) = a, b, target
    return _opposite(ax - x, ay - y, a_side, bx - x, by - y, b_side, side)


@lru_cache(maxsize=65536)
def _opposite(ax: int, ay: int, an: int, bx: int, by: int, bn: int, side: int) -> bool:
    """Whether they stand so to a target at (0, 0)."""
    columns, rows = (ax, ax + an, bx, bx + bn, 0, side), (ay, ay + an, by, by + bn, 0, side)
    # Of giants there are hundreds of pairs of squares: none is looked at where all lie on one side.
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
    """Whether one has a square before the target and the other one behind it."""
    return (a < start and b_end > end) or (b < start and a_end > end)


def _meet(a: int, a_end: int, b: int, b_end: int, start: int, end: int) -> bool:
    """Whether not both are before the target, nor both behind it, with all their squares."""
    return (a_end > start or b_end > start) and (a < end or b < end)


def _any_through(one: list[Point], other: list[Point], borders: Point, ends: Point) -> bool:
    """Whether a segment from any point of one to any of the other crosses both borders between their ends."""
    left, right = borders
    for here, there in ((one, other), (other, one)):
        before, behind = [p for p in here if p[0] <= left], [q for q in there if q[0] >= right]
        if any(_through(p, q, borders, ends) for p in before for q in behind):
            return True
    return False


def _through(p: Point, q: Point, borders: Point, ends: Point) -> bool:
    """Whether the segment from p, before the left border, to q, behind the right one, crosses both in it."""
    (px, py), (qx, qy), (left, right), (top, bottom) = p, q, borders, ends
    run, rise = qx - px, qy - py
    at_left, at_right = py * run + (left - px) * rise, py * run + (right - px) * rise
    return top * run <= at_left <= bottom * run and top * run <= at_right <= bottom * run
