"""Reach: which squares a creature threatens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.grid import GridError, space, squeezed, threatened, within_reach

sides = st.sampled_from([1, 2, 3, 4, 6])
squares = st.tuples(st.integers(-8, 8), st.integers(-8, 8))
bands = st.sampled_from([(0, 0), (0, 5), (5, 5), (5, 10), (10, 10), (15, 20), (5, 15), (25, 30)])


def _picture(side: int, low: int, high: int, second: bool = False) -> list[str]:
    far = high // 5
    shown = threatened((0, 0), side, low, high, second)
    return [
        "".join("x" if (x, y) in shown else "." for x in range(-far, side + far))
        for y in range(-far, side + far)
    ]


@pytest.mark.parametrize(
    ("band", "second", "picture"),
    [
        ((0, 0), False, ["x"]),
        ((5, 5), False, ["xxx", "x.x", "xxx"]),
        ((10, 10), False, [".xxx.", "x...x", "x...x", "x...x", ".xxx."]),
        ((10, 10), True, ["xxxxx", "x...x", "x...x", "x...x", "xxxxx"]),
        ((5, 10), True, ["xxxxx", "xxxxx", "xx.xx", "xxxxx", "xxxxx"]),
    ],
)
def test_published_shapes(band: tuple[int, int], second: bool, picture: list[str]) -> None:
    """Reach 0, 5, 10 with a reach weapon or by nature, without and with the second diagonal."""
    assert _picture(1, *band, second) == picture


def test_large_reach_weapon() -> None:
    """A large creature with a reach weapon strikes at 15 and 20 feet, and not at or inside 10."""
    shown = threatened((0, 0), 2, 15, 20)
    assert (4, 0) in shown
    assert (5, 0) in shown
    assert (3, 0) not in shown
    assert (6, 0) not in shown
    assert (3, 3) in shown  # two diagonals off: 15 feet


def test_the_second_diagonal_is_for_ten_feet_alone() -> None:
    """The exception changes nothing for other reaches."""
    for low, high in ((5, 5), (5, 15), (15, 20)):
        assert threatened((0, 0), 2, low, high, True) == threatened((0, 0), 2, low, high, False)


def test_a_reach_weapon_hits_the_far_squares_of_a_big_neighbour() -> None:
    """A huge creature next to a reach weapon's wielder has squares at 10 feet, a medium one has not."""
    assert within_reach((0, 0), 1, (1, 0), 3, 10, 10)
    assert not within_reach((0, 0), 1, (1, 0), 1, 10, 10)


def test_squeezed_spaces() -> None:
    """A large creature in a passage one square wide takes two squares; half the width is the least."""
    assert squeezed((3, 4), 2, 1, upright=True) == ((3, 4), (3, 5))
    assert squeezed((3, 4), 2, 1, upright=False) == ((3, 4), (4, 4))
    assert len(squeezed((0, 0), 3, 2, upright=True)) == 6
    for side, width in ((3, 1), (1, 1), (4, 4), (2, 0)):
        with pytest.raises(GridError):
            squeezed((0, 0), side, width, upright=True)


@given(squares, sides, sides, bands, st.booleans())
def test_reaching_is_meeting_a_threatened_square(
    b: tuple[int, int], a_side: int, b_side: int, band: tuple[int, int], second: bool
) -> None:
    """The direct answer agrees with the square by square one, and is symmetric."""
    direct = within_reach((0, 0), a_side, b, b_side, *band, second)
    assert direct == bool(threatened((0, 0), a_side, *band, second) & set(space(b, b_side)))
    if a_side == b_side:
        assert direct == within_reach(b, b_side, (0, 0), a_side, *band, second)
