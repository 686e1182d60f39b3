"""Directions and areas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.grid import DIRECTIONS, GridError, away, burst, cone, line_area, straight


def _widths(shown: frozenset[tuple[int, int]]) -> list[int]:
    rows = sorted({y for _, y in shown})
    return [sum(y == row for _, y in shown) for row in rows]


@pytest.mark.parametrize(
    ("radius", "widths"),
    [(0, []), (5, [2, 2]), (10, [2, 4, 4, 2]), (20, [2, 6, 6, 8, 8, 6, 6, 2])],
)
def test_bursts_count_to_the_far_corner(radius: int, widths: list[int]) -> None:
    """A square belongs to a burst when its far corner is within the radius (srd35.cast.area-origin)."""
    assert _widths(burst((0, 0), radius)) == widths
    assert burst((7, -3), radius) == {(x + 7, y - 3) for x, y in burst((0, 0), radius)}


def test_cones_are_quarter_circles() -> None:
    """Cones of 15 and 30 feet from a corner, diagonal and straight (srd35.cast.area-origin)."""
    assert _widths(cone((0, 0), (1, 1), 15)) == [3, 2, 1]
    assert _widths(cone((0, 0), (0, 1), 15)) == [2, 4, 2]
    assert _widths(cone((0, 0), (0, 1), 30)) == [2, 4, 6, 8, 6, 2]
    assert all(y >= 0 for _, y in cone((0, 0), (0, 1), 30))


@given(st.sampled_from([5, 10, 15, 30, 60]))
def test_four_diagonal_cones_make_a_burst(length: int) -> None:
    """The diagonal cones divide the burst; the straight ones cover it and share its diagonals alone."""
    whole = burst((0, 0), length)
    diagonal = [cone((0, 0), way, length) for way in DIRECTIONS if all(way)]
    assert sum(map(len, diagonal)) == len(whole)
    assert frozenset().union(*diagonal) == whole
    straight_on = [cone((0, 0), way, length) for way in DIRECTIONS if not all(way)]
    assert frozenset().union(*straight_on) == whole
    shared = sum(map(len, straight_on)) - len(whole)
    assert shared == sum(x in (y, -1 - y) for x, y in whole)


def test_lines() -> None:
    """Lines take what they pass through, up to their length with diagonals 1-2-1, nearest first."""
    assert line_area((0, 0), (3, 3), 20) == ((0, 0), (1, 1), (2, 2))
    assert line_area((0, 0), (1, 0), 20) == ((0, 0), (1, 0), (2, 0), (3, 0))
    assert line_area((0, 0), (-1, 0), 15) == ((-1, 0), (-2, 0), (-3, 0))
    assert line_area((0, 0), (2, 1), 20) == ((0, 0), (1, 0), (2, 1))
    with pytest.raises(GridError):
        line_area((1, 1), (1, 1), 20)


def test_cones_go_in_eight_directions() -> None:
    """Anything but a direction is refused."""
    with pytest.raises(GridError):
        cone((0, 0), (2, 1), 15)


@pytest.mark.parametrize(
    ("a", "b", "direction"),
    [
        (((0, 0), 1), ((1, 0), 1), (1, 0)),
        (((0, 0), 1), ((-1, -1), 1), (-1, -1)),
        (((0, 0), 1), ((5, 2), 1), (1, 0)),
        (((0, 0), 1), ((5, 3), 1), (1, 1)),
        (((0, 0), 1), ((7, 3), 1), (1, 1)),
        (((0, 0), 2), ((2, 1), 1), (1, 0)),
        (((0, 0), 2), ((2, 2), 1), (1, 1)),
        (((0, 0), 3), ((1, 1), 1), (0, 0)),
    ],
)
def test_away(
    a: tuple[tuple[int, int], int], b: tuple[tuple[int, int], int], direction: tuple[int, int]
) -> None:
    """The push goes in the direction nearest to that between the centres, and back the other way."""
    assert away(a, b) == direction
    assert away(b, a) == (-direction[0], -direction[1])


def test_straight() -> None:
    """Squares in a direction, the start left out."""
    assert straight((1, 1), (1, -1), 2) == ((2, 0), (3, -1))
