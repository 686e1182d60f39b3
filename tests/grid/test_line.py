"""Lines: what they cross, and what stops them."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine.grid import Battlefield, line_of_effect, line_of_sight, trace
from tests.grid.maps import drawn

ends = st.tuples(st.integers(-9, 9), st.integers(-9, 9))


@given(ends, ends)
def test_crossed_squares_are_those_with_the_line_inside(a: tuple[int, int], b: tuple[int, int]) -> None:
    """A square is crossed just when a stretch of the segment lies inside it, and both ways alike."""
    crossed = set(trace(a, b).squares)
    assert crossed == set(trace(b, a).squares)
    for x in range(-10, 10):
        for y in range(-10, 10):
            enter, leave = Fraction(0), Fraction(1)
            for start, run, low in ((a[0], b[0] - a[0], x), (a[1], b[1] - a[1], y)):
                if run == 0:
                    if not low < start < low + 1:
                        leave = Fraction(-1)
                    continue
                first, last = sorted((Fraction(low - start, run), Fraction(low + 1 - start, run)))
                enter, leave = max(enter, first), min(leave, last)
            assert ((x, y) in crossed) == (enter < leave)


def test_borders_and_corners_come_as_pairs() -> None:
    """Along a border both neighbours are named, at a corner passed the two squares beside the line."""
    assert trace((0, 1), (2, 1)).pairs == (((0, 0), (0, 1)), ((1, 0), (1, 1)))
    assert trace((1, 0), (1, 1)).pairs == (((0, 0), (1, 0)),)
    assert trace((0, 0), (2, 2)).pairs == (((0, 1), (1, 0)),)
    assert trace((0, 2), (2, 0)).pairs == (((0, 0), (1, 1)),)
    assert trace((3, 3), (3, 3)) == trace((0, 0), (0, 0))


@pytest.mark.parametrize(
    ("picture", "seen"),
    [
        ("a..b", True),
        ("a#.b", False),
        ("aT.b", True),
        ("a=%b", True),
        ("a_.b", True),
        ("####\na..b\n####", True),
        ("a#\n#b", False),
        ("a#\n.b", True),
        ("a#.\n.#b\n.#.", False),
        ("a..\n.#b\n.#.", True),
        ("aa#b\naa..", True),
        ("aa#b\naa#.", False),
    ],
)
def test_line_of_effect(picture: str, seen: bool) -> None:
    """Walls stop lines, other terrain does not; nothing passes between walls that touch at a corner."""
    field, where = drawn(picture)
    assert line_of_effect(field, *where["a"], *where["b"]) == seen
    assert line_of_sight(field, *where["b"], *where["a"]) == seen


cells = st.sampled_from("....#")
fields = st.lists(st.text(cells, min_size=6, max_size=6), min_size=6, max_size=6)
places = st.tuples(st.integers(0, 4), st.integers(0, 4))


@settings(max_examples=60)
@given(fields, places, places, st.sampled_from([1, 2]))
def test_lines_of_effect_are_mutual(
    rows: list[str], a: tuple[int, int], b: tuple[int, int], side: int
) -> None:
    """Whoever is seen sees, and a map mirrored along its diagonal gives the same answer."""
    field = Battlefield(rows)
    seen = line_of_effect(field, a, side, b, 1)
    assert seen == line_of_effect(field, b, 1, a, side)
    turned = Battlefield(["".join(column) for column in zip(*rows, strict=True)])
    assert seen == line_of_effect(turned, (a[1], a[0]), side, (b[1], b[0]), 1)
