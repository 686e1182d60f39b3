"""The map: what stands where, and which maps cannot be."""

import pytest

from affray.engine.grid import Battlefield, GridError, draw
from affray.engine.grid.battlefield import KINDS


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ((), "0 by 0"),
        (("",), "0 by 1"),
        (("." * 201,), "201 by 1"),
        ((".",) * 201, "1 by 201"),
        (("...", ".."), "row 1 has 2"),
        (("..", ".x"), "1,1: unknown terrain 'x'"),
        (
            (".,#", ".,."),
            "1,0: unknown terrain ','; a row is one sign a square, nothing between them: . floor",
        ),
    ],
)
def test_impossible_maps_are_refused(rows: tuple[str, ...], reason: str) -> None:
    """Empty, ragged, oversized maps and unknown terrain are refused with the place."""
    with pytest.raises(GridError, match=reason):
        Battlefield(rows)


def test_equal_rows_are_one_field() -> None:
    """Fields of equal rows are equal and interchangeable as keys, others are not."""
    assert {Battlefield([".#", ".."]): 1}[Battlefield((".#", ".."))] == 1
    assert Battlefield(["."]) != Battlefield(["#"])


def test_terrain_lookups() -> None:
    """Each terrain answers for movement and height as its kind does; beyond the edges lies void."""
    field = Battlefield([".#=~", "^ %T"])
    assert [field.passable((x, y)) for y in range(2) for x in range(4)] == [
        True,
        False,
        True,
        True,
        True,
        False,
        True,
        False,
    ]
    assert [field.doublings((x, 0)) for x in (0, 2, 3)] == [0, 1, 1]
    assert field.high((0, 1))
    assert not field.high((0, 0))
    assert field.at((-1, 0)) == field.at((4, 0)) == field.at((0, 2)) == " "
    assert not field.passable((-1, 0))


def test_big_spaces_take_the_worst_of_their_squares() -> None:
    """A large space is passable, cheap or high only if all of its squares are (srd35.terrain.mixed-worst)."""
    field = Battlefield(["^^..", "^^~.", "...#"])
    assert field.high((0, 0), 2)
    assert not field.high((1, 0), 2)
    assert (field.doublings((0, 0), 2), field.doublings((1, 0), 2)) == (0, 1)
    assert field.passable((1, 1), 2)
    assert not field.passable((2, 1), 2)
    assert field.holds((2, 1), 2)
    assert not field.holds((3, 1), 2)


def test_counting_squares_in_a_rectangle() -> None:
    """Whether a rectangle holds a wall agrees with looking at each of its squares, for every rectangle."""
    field = Battlefield(["..#=", "....", "#=.."])
    for left in range(-1, 4):
        for right in range(left, 5):
            for top in range(-1, 3):
                for bottom in range(top, 4):
                    for kind in KINDS:
                        squares = getattr(field, kind)
                        inside = any(left <= x <= right and top <= y <= bottom for x, y in squares)
                        assert field.any_within(kind, left, top, right, bottom) == inside


def test_maps_are_drawn_with_coordinates_and_tokens() -> None:
    """A drawing shows columns, rows, terrain, and a big creature's letter on all of its squares."""
    field = Battlefield(["............", "..##........", "............"])
    assert draw(field, {(0, 0): "A", (10, 1): "O"}, {(10, 1): 2}) == "\n".join(
        ["            1", "  012345678901", "0 A...........", "1 ..##......OO", "2 ..........OO"]
    )


def test_tokens_off_the_map_are_refused() -> None:
    """A token that does not fit the map, or is no single letter, cannot be drawn."""
    for tokens, sides in (({(2, 0): "A"}, {}), ({(1, 0): "A"}, {(1, 0): 2}), ({(0, 0): "AB"}, {})):
        with pytest.raises(GridError):
            draw(Battlefield(["..", ".."]), tokens, sides)
