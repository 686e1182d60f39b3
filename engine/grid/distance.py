"""Distances and the cost of moving, with diagonals that count one, two, one, two."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from affray.engine.grid.battlefield import SQUARE_FT, Battlefield, GridError, Square
from affray.engine.grid.thin_walls import bars_step

STEPS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""The ways to a neighbouring square: the straight ones, then the diagonals."""

Doublings = Callable[[Square], int]
"""How often the cost of moving into this anchor square is doubled."""


class Cost(Struct, frozen=True, gc=False):
    """What a path costs, in squares, and how many ordinary diagonals it has and leaves behind, modulo 2.

    Diagonals that are doubled stand for two and are not among them.
    """

    squares: int
    parity: int
    diagonals: int = 0


def steps(a: Square, b: Square) -> int:
    """Squares between two squares: every second diagonal counts two (srd35.distance.diagonals)."""
    across, down = abs(a[0] - b[0]), abs(a[1] - b[1])
    return across + down // 2 if across > down else down + across // 2


def gaps(a: Square, a_side: int, b: Square, b_side: int) -> tuple[int, int]:
    """Columns and rows between two spaces' nearest squares; 0 where they overlap, 1 side by side."""
    across = b[0] - a[0] - a_side + 1 if b[0] > a[0] else a[0] - b[0] - b_side + 1
    down = b[1] - a[1] - a_side + 1 if b[1] > a[1] else a[1] - b[1] - b_side + 1
    return across if across > 0 else 0, down if down > 0 else 0


@lru_cache(maxsize=65536)
def distance_ft(a: Square, b: Square, a_side: int = 1, b_side: int = 1) -> int:
    """Feet between two spaces' nearest squares; 5 when adjacent, corners included, 0 when they overlap.

    Remembered.
    """
    return SQUARE_FT * steps((0, 0), gaps(a, a_side, b, b_side))


@lru_cache(maxsize=65536)
def adjacent(a: Square, b: Square, a_side: int = 1, b_side: int = 1) -> bool:
    """Whether the spaces touch, at least at a corner, without overlapping. Remembered."""
    return max(gaps(a, a_side, b, b_side)) == 1


def step_cost(diagonal: bool, doublings: int, parity: int, scaled: bool = False) -> Cost:
    """Cost of one step and the parity after it.

    2**n for n doublings, diagonally 3 * 2**(n - 1) (srd35.special-move.double-cost-multiple). A doubled
    diagonal stands for two ordinary ones, so it leaves the parity as it was. Where the distance itself is
    multiplied (`scaled`), each diagonal is doubled as it counts: one as much as a square, the next as two
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
    """Cost of moving a space of that side along anchor squares, the first being where it stands.

    `doublings_of` replaces the map's own terrain (by default the worst under the space counts:
    srd35.terrain.mixed-worst) for creatures that fly, squeeze or are hampered otherwise. `parity` is what
    the movement so far this turn has left; `scaled` as for one step. Only costs: see `obstructed` for whether
    a step is possible. Raises GridError when a step is not to a neighbour.
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
    """Whether the step is a diagonal past a wall's corner (srd35.distance.no-diagonal-past-corner).

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
    """Whether the map forbids the step.

    A wall, pillar or void under the space at `b`, a thin wall inside it or on the way, a wall's corner.
    """
    return not field.passable(b, side) or corner_blocked(field, a, b, side) or bars_step(field, a, b, side)


@lru_cache(maxsize=16384)
def open_steps(field: Battlefield, here: Square, side: int = 1) -> tuple[Square, ...]:
    """The neighbours that the map lets a space at `here` step to: straight ones first. Remembered."""
    x, y = here
    neighbours = [(x + dx, y + dy) for dx, dy in STEPS]
    return tuple([there for there in neighbours if not obstructed(field, here, there, side)])
