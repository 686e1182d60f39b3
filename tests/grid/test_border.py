"""Borders between squares that give cover: which lines cross them, and which go past."""

import pytest

from affray.engine.grid.battlefield import Square
from affray.engine.grid.lines_and_cover import Border, crossed, is_border

UPRIGHT = Border((1, 1), (2, 1), False)
LEVEL = Border((1, 1), (1, 2), False)
NEXT = Border((1, 2), (2, 2), False)


@pytest.mark.parametrize(
    ("start", "end", "met"),
    [
        ((1, 1), (3, 2), True),
        ((3, 2), (1, 1), True),
        ((0, 0), (4, 4), False),  # through (2, 2), where the border ends
        ((2, 1), (4, 2), False),  # begins on it
        ((0, 1), (2, 2), False),  # ends on it
        ((2, 0), (2, 4), False),  # runs along it
        ((0, 0), (4, 1), False),  # above it
    ],
)
def test_a_line_crosses_an_upright_border_between_its_ends(start: Square, end: Square, met: bool) -> None:
    """Only a line that passes through it, strictly between the ends of both, crosses it."""
    assert bool(crossed(start, end, (UPRIGHT,))) is met


def test_a_level_border_is_crossed_as_an_upright_one() -> None:
    """Columns and rows are treated alike."""
    assert crossed((1, 1), (2, 3), (LEVEL,)) == [LEVEL]
    assert not crossed((1, 2), (2, 2), (LEVEL,))


def test_where_two_borders_meet_no_line_slips_through() -> None:
    """A line through the point where one border goes on as another crosses both."""
    assert crossed((0, 0), (4, 4), (UPRIGHT, NEXT)) == [UPRIGHT, NEXT]


def test_only_a_whole_side_is_a_border() -> None:
    """Squares that touch at a corner share no side."""
    assert is_border((1, 1), (1, 2))
    assert not is_border((1, 1), (2, 2))
