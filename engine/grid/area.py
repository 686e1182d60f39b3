"""Directions, and the areas of bursts, cones and lines, counted from a grid corner.

Corner (x, y) is the top left one of square (x, y). A square is in an area when its far corner, counted from
corner to corner with the usual diagonals, is within it.
"""

from functools import lru_cache

from affray.engine.grid.battlefield import SQUARE_FT, Battlefield, GridError, Space, Square
from affray.engine.grid.distance import steps
from affray.engine.grid.line import trace
from affray.engine.grid.thin_walls import bars_step

DIRECTIONS: tuple[Square, ...] = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight directions, clockwise from the top of the map."""


def squares_around(corner: Square) -> tuple[Square, ...]:
    """Return the four squares that touch a grid corner."""
    x, y = corner
    return (x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)


def away(a: Space, b: Space) -> Square:
    """The one of the eight directions nearest to that from a's centre to b's; (0, 0) if those coincide."""
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
    """Squares within the radius around a grid corner; O(area), remembered."""
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
    """A quarter circle from a grid corner in one of the eight directions; O(area), remembered."""
    if direction not in DIRECTIONS:
        raise GridError(f"{direction} is none of the eight directions")
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
    """Squares that a spread from a grid corner fills, round corners and along walls; O(area), remembered.

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
    """Squares that a line from one grid corner through another passes through, nearest first.

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
    """The far corner of the square at that offset from a corner."""
    return dx + (dx >= 0), dy + (dy >= 0)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
