"""Walls between squares: which of them a straight line meets, and which steps they bar. Exact integers."""

from affray.engine.grid.battlefield import Battlefield, Side, Square

_Point = tuple[int, int]


def walls_met(walls: frozenset[Side], start: _Point, end: _Point, scale: int = 1) -> list[Side]:
    """Return the thin walls that a line meets between two points, in units of which `scale` make a square.

    Through a grid corner it goes free unless walls join there on both sides of it, and so along a wall. What
    stands where it begins or ends is not met. O(length).
    """
    if start[0] == end[0] or start[1] == end[1]:
        return _met_straight(walls, start, end, scale)
    return _met_between(walls, start, end, scale, True) + _met_between(walls, start, end, scale, False)


def bars_step(field: Battlefield, a: Square, b: Square, side: int = 1) -> bool:
    """Whether a thin wall bars the step of a space from `a` to `b`, or is passed at its corner or its end.

    srd35.distance.no-diagonal-past-corner. What stands inside the space at `b` is not looked at.
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
