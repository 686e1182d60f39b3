"""Flanking geometry: whether two creatures stand on opposite sides of a third."""

from functools import lru_cache

from affray.engine.grid.battlefield import Space
from affray.engine.grid.reach import space

Point = tuple[int, int]


def opposite(a: Space, b: Space, target: Space) -> bool:
    """Whether a line between a's and b's centres passes opposite borders of the target, corners included.

    srd35.flank.line-test; a creature of several squares may use any of them (srd35.flank.large-flanker).
    Whether they threaten the target is not asked. Symmetric in `a` and `b`; remembered.
    """
    return _opposite(a, b, target) if a <= b else _opposite(b, a, target)


@lru_cache(maxsize=65536)
def _opposite(a: Space, b: Space, target: Space) -> bool:
    (x, y), side = target
    # In halves of a square, centres are odd and borders even.
    left, top, right, bottom = 2 * x, 2 * y, 2 * (x + side), 2 * (y + side)
    for ax, ay in space(*a):
        for bx, by in space(*b):
            px, py, qx, qy = 2 * ax + 1, 2 * ay + 1, 2 * bx + 1, 2 * by + 1
            if _through((px, py), (qx, qy), (left, right), (top, bottom)):
                return True
            if _through((py, px), (qy, qx), (top, bottom), (left, right)):
                return True
    return False


def _through(p: Point, q: Point, borders: Point, ends: Point) -> bool:
    """Whether the segment from p to q crosses the left as well as the right border between their ends."""
    (px, py), (qx, qy) = (p, q) if p[0] <= q[0] else (q, p)
    (left, right), (top, bottom) = borders, ends
    if not (px <= left and right <= qx):
        return False
    run, rise = qx - px, qy - py
    at_left, at_right = py * run + (left - px) * rise, py * run + (right - px) * rise
    return top * run <= at_left <= bottom * run and top * run <= at_right <= bottom * run
