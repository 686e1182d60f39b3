"""Distances and path costs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.grid import (
    Battlefield,
    Cost,
    GridError,
    adjacent,
    corner_blocked,
    distance_ft,
    obstructed,
    path_cost,
    space,
    step_cost,
    steps,
)

squares = st.tuples(st.integers(-30, 30), st.integers(-30, 30))
sides = st.sampled_from([1, 2, 3, 4, 6])
OPEN = Battlefield(["." * 12] * 12)


def test_diagonals_alternate() -> None:
    """Consecutive diagonals cost 1, 2, 1, 2: together 1, 3, 4, 6 squares (srd35.distance.diagonals)."""
    path = [(n, n) for n in range(5)]
    assert [path_cost(OPEN, path[: n + 1]).squares for n in range(1, 5)] == [1, 3, 4, 6]
    assert [steps((0, 0), (n, n)) for n in range(1, 5)] == [1, 3, 4, 6]


def test_parity_carries_over_straight_steps_and_path_ends() -> None:
    """The second diagonal costs 2 wherever it comes, also in a second path that goes on from the first."""
    assert path_cost(OPEN, [(0, 0), (1, 1), (2, 1), (3, 2)]) == Cost(4, 0, diagonals=2)
    first = path_cost(OPEN, [(0, 0), (1, 1)])
    assert path_cost(OPEN, [(1, 1), (2, 2)], parity=first.parity) == Cost(2, 0, diagonals=1)


@pytest.mark.parametrize(("doublings", "straight", "diagonal"), [(1, 2, 3), (2, 4, 6), (3, 8, 12)])
def test_doublings_multiply(doublings: int, straight: int, diagonal: int) -> None:
    """N doublings cost 2**n, diagonally 3 * 2**(n-1) (srd35.special-move.double-cost-multiple)."""
    assert step_cost(False, doublings, 0).squares == straight
    for parity in (0, 1):
        assert step_cost(True, doublings, parity) == Cost(diagonal, parity)
    across = path_cost(OPEN, [(0, 0), (1, 0), (2, 1)], doublings_of=lambda square: doublings)
    assert across.squares == straight + diagonal


def test_terrain_costs_when_entered() -> None:
    """Difficult terrain and low walls cost double on entering, not on leaving; big spaces take the worst."""
    field = Battlefield([".~=..", ".....", "....."])
    assert path_cost(field, [(0, 0), (1, 0), (2, 0), (3, 0)]).squares == 5
    assert path_cost(field, [(0, 1), (1, 0)]).squares == 3
    assert path_cost(field, [(0, 1), (1, 1)], side=2).squares == 1
    assert path_cost(field, [(0, 1), (0, 0)], side=2).squares == 2


def test_jumps_are_no_steps() -> None:
    """A path that skips a square, or stands still, is refused."""
    for there in ((2, 0), (0, 0)):
        with pytest.raises(GridError):
            path_cost(OPEN, [(0, 0), there])


def test_walls_have_corners_and_pits_and_pillars_do_not() -> None:
    """No diagonal passes a wall's corner; void, pillars and low walls are passed (srd35.distance.*)."""
    field = Battlefield([".#. .", "...T.", "=...."])
    assert corner_blocked(field, (0, 0), (1, 1))
    assert corner_blocked(field, (1, 1), (0, 0))
    assert corner_blocked(field, (2, 0), (1, 1))
    assert not corner_blocked(field, (1, 1), (1, 2))
    assert not corner_blocked(field, (2, 1), (3, 2))
    assert not corner_blocked(field, (4, 0), (3, 1))
    assert not corner_blocked(field, (0, 1), (1, 2))
    assert obstructed(field, (2, 1), (3, 1))
    assert obstructed(field, (2, 0), (3, 0))
    assert not obstructed(field, (1, 1), (0, 2))


def test_big_spaces_mind_corners_with_every_square() -> None:
    """A large creature's outer squares cannot cut a wall's corner either."""
    field = Battlefield(["..#.", "....", "...."])
    assert corner_blocked(field, (0, 0), (1, 1), 2)
    assert not corner_blocked(field, (0, 0), (0, 1), 2)


@given(squares, squares, sides, sides)
def test_space_distance_is_that_of_the_nearest_squares(
    a: tuple[int, int], b: tuple[int, int], a_side: int, b_side: int
) -> None:
    """The distance of two spaces is symmetric and the least over their squares; adjacent means 5 feet."""
    least = min(steps(one, two) for one in space(a, a_side) for two in space(b, b_side))
    assert distance_ft(a, b, a_side, b_side) == distance_ft(b, a, b_side, a_side) == 5 * least
    assert adjacent(a, b, a_side, b_side) == (least == 1)
