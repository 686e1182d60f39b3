"""Lines as bits meet what the same lines meet square by square."""

from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine.grid.distance import space
from affray.engine.grid.lines_and_cover import fans, trace, window_around

SQUARES = st.tuples(st.integers(-2, 9), st.integers(-2, 9))
SIDES = st.integers(1, 3)
CREATURES = st.lists(st.tuples(SQUARES, st.integers(1, 8)), max_size=5)


@settings(max_examples=300, deadline=None)
@given(SQUARES, SIDES, SQUARES, SIDES, st.booleans(), CREATURES)
def test_lines_meet_what_stands_in_their_squares(
    here: tuple[int, int],
    side: int,
    there: tuple[int, int],
    other_side: int,
    melee: bool,
    creatures: list[tuple[tuple[int, int], int]],
) -> None:
    """Whoever reaches into the window from outside counts only where it stands, however wide it is."""
    margin = max([1, *[wide for _, wide in creatures]])
    window = window_around((here, side), (there, other_side), margin)
    right, bottom = window.left + window.stride - margin, window.top + window.rows
    inside = [
        ((x, y), wide)
        for (x, y), wide in creatures
        if window.left <= x + wide and x < right and window.top <= y + wide and y < bottom
    ]
    taken = {square for one in inside for square in space(*one)}
    stops = 0
    for one in inside:
        stops |= window.bits(*one)
    found = fans(side, there[0] - here[0], there[1] - here[1], other_side, melee, margin)
    for fan in found.each:
        assert fan.touched & found.touched == fan.touched
        for line in fan.lines:
            start, end = [(here[0] + x, here[1] + y) for x, y in (line.start, line.end)]
            seen = trace(start, end)
            pairs = [pair for pair in seen.pairs if taken.issuperset(pair)]
            expected = taken.intersection(seen.squares).union(*pairs)
            assert set(window.squares(line.met(stops))) == expected
            assert line.met(stops) == line.met(stops & fan.touched)


def test_terrain_is_cut_out_of_the_rows_of_a_map() -> None:
    """A window that goes over the edge has nothing there."""
    window = window_around(((0, 0), 1), ((2, 1), 1), 6)
    found = window.cut([0b0001, 0b11010, 0, 0b1111])
    assert sorted(window.squares(found)) == [(0, 0), (1, 1), (3, 1)]
