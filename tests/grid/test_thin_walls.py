"""Walls between squares: what they stop, and what goes past them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine.grid import Battlefield, cover, line_of_effect, obstructed
from affray.engine.grid.battlefield import Side, side_between
from affray.engine.grid.lines_and_cover import line_from_corner, spread

OPEN = ["......"] * 6
#: A wall down the middle of the map, between columns 2 and 3, but for the lowest row.
WALL = [(True, 3, y) for y in range(5)]
#: Around the square 1,1.
CELL = [(True, 1, 1), (True, 2, 1), (False, 1, 1), (False, 2, 1)]


@pytest.mark.parametrize(
    ("walls", "a", "b", "seen"),
    [
        (WALL, (2, 0), (3, 0), False),
        (WALL, (0, 0), (5, 1), False),
        (WALL, (2, 5), (3, 5), True),
        (WALL, (2, 4), (3, 5), True),
        (WALL, (2, 0), (2, 4), True),
        (CELL, (1, 1), (2, 2), False),
        (CELL, (1, 1), (1, 4), False),
        (CELL, (0, 0), (2, 2), False),
        (CELL, (0, 0), (3, 1), True),
    ],
)
def test_lines_of_effect(walls: list[Side], a: tuple[int, int], b: tuple[int, int], seen: bool) -> None:
    """A thin wall stops every line through it, and none leaves a closed cell at its corners."""
    field = Battlefield(OPEN, walls)
    assert line_of_effect(field, a, 1, b, 1) == seen
    assert line_of_effect(field, b, 1, a, 1) == seen


@pytest.mark.parametrize(
    ("a", "b", "barred"),
    [
        ((2, 0), (3, 0), True),
        ((2, 4), (3, 5), True),
        ((2, 5), (3, 4), True),
        ((2, 5), (3, 5), False),
        ((2, 0), (2, 1), False),
        ((1, 0), (2, 1), False),
    ],
)
def test_steps(a: tuple[int, int], b: tuple[int, int], barred: bool) -> None:
    """Nobody steps across, nor slantwise past the end of it; along it everybody does."""
    field = Battlefield(OPEN, WALL)
    assert obstructed(field, a, b) == obstructed(field, b, a) == barred


def test_wide_spaces() -> None:
    """Nobody large stands across a wall, nor comes through with half of the space."""
    field = Battlefield(OPEN, WALL)
    assert not field.passable((2, 0), 2)
    assert obstructed(field, (1, 4), (2, 4), 2)
    assert field.passable((3, 0), 2)
    assert field.divided((2, 4), 2, 1)
    assert not field.divided((2, 5), 2, 1)


def test_cover() -> None:
    """Behind a wall there is total cover, at its end cover as at a corner, along it none."""
    field = Battlefield(OPEN, WALL)

    def kind(a: tuple[int, int], b: tuple[int, int], melee: bool = False) -> str:
        return cover(field, (a, 1), (b, 1), melee=melee, low_range_ft=30).kind

    assert kind((2, 0), (3, 0), melee=True) == "total"
    assert kind((0, 0), (5, 0)) == "total"
    assert kind((2, 4), (3, 5), melee=True) == "cover"
    assert kind((0, 3), (3, 5)) == "cover"
    assert kind((2, 0), (2, 5)) == kind((0, 5), (5, 5)) == "none"
    assert cover(field, ((0, 3), 1), ((3, 5), 1), melee=False, low_range_ft=30).squares == ((2, 4),)


def test_areas() -> None:
    """What spreads goes around a wall, not through it; a line from a corner stops at it."""
    field = Battlefield(OPEN, WALL)
    filled = spread(field, (2, 1), 15)
    assert (2, 2) in filled
    assert (3, 0) not in filled
    assert (3, 5) in spread(field, (2, 4), 15)
    assert not line_from_corner(field, (2, 1), (3, 1), 1)
    assert line_from_corner(field, (2, 1), (2, 2), 1)


places = st.tuples(st.integers(0, 4), st.integers(0, 4))
sides = st.lists(st.tuples(st.booleans(), st.integers(1, 5), st.integers(0, 5)), max_size=8)


@settings(max_examples=40)
@given(sides, places, places, st.sampled_from([1, 2]))
def test_walls_are_the_same_from_both_sides(
    walls: list[Side], a: tuple[int, int], b: tuple[int, int], side: int
) -> None:
    """Whoever is seen sees; a map mirrored along its diagonal gives the same answer, and so do steps."""
    field, turned = Battlefield(OPEN, walls), Battlefield(OPEN, [(not up, *rest) for up, *rest in walls])
    seen = line_of_effect(field, a, side, b, 1)
    assert seen == line_of_effect(field, b, 1, a, side)
    assert seen == line_of_effect(turned, (a[1], a[0]), side, (b[1], b[0]), 1)
    if max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1:
        barred = obstructed(field, a, b)
        assert barred == obstructed(field, b, a) == obstructed(turned, a[::-1], b[::-1])
        if not barred:
            assert line_of_effect(field, a, 1, b, 1)


@settings(max_examples=40)
@given(sides, places, places, st.tuples(st.booleans(), st.integers(1, 5), st.integers(0, 5)), st.booleans())
def test_more_thin_walls_never_mean_less_cover(
    walls: list[Side], a: tuple[int, int], b: tuple[int, int], more: Side, melee: bool
) -> None:
    """One wall more leaves the kind of cover or raises it, and what was hidden stays hidden."""
    if a == b:
        return
    rank = {"none": 0, "soft": 1, "cover": 2, "total": 3}

    def kind(fewer: list[Side]) -> int:
        return rank[cover(Battlefield(OPEN, fewer), (a, 1), (b, 1), melee=melee, low_range_ft=30).kind]

    assert kind([*walls, more]) >= kind(walls)


def test_sides_are_told_apart() -> None:
    """Maps that differ in a wall are different maps."""
    assert side_between((3, 1), (2, 1)) == (True, 3, 1)
    assert side_between((3, 1), (3, 0)) == (False, 1, 3)
    assert Battlefield(OPEN, WALL) != Battlefield(OPEN)
    assert {Battlefield(OPEN, WALL): 1}[Battlefield(OPEN, reversed(WALL))] == 1
