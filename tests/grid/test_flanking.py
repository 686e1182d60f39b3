"""Flanking: opposite borders and corners."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.grid import opposite
from tests.grid.maps import drawn

spaces = st.tuples(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), st.sampled_from([1, 2, 3]))


@pytest.mark.parametrize(
    ("picture", "flanked"),
    [
        ("atb", True),
        ("a..\n.t.\n..b", True),
        ("a..\n.tb\n...", False),
        ("a.b\n.t.\n...", False),
        (".a.\n.tb\n...", False),
        ("a..\n.t.\nb..", False),
        ("a.t.b", True),
        ("a....\n..t..\n....b", True),
        ("a...\n.tt.\n.ttb", False),
        ("a....\n.tt..\n.tt..\n...b.", True),
        ("a..b\n.tt.\n.tt.", False),
        (".a..\n.tt.\n.tt.\n..b.", True),
        ("aa..\naat.\n...b", True),
        ("aa...\naat..\n...b.", True),
        ("aa.\naa.\n.t.\nb..", False),
        ("aa.\naa.\n.t.\n.b.", True),
    ],
)
def test_published_test(picture: str, flanked: bool) -> None:
    """The line between centres passes opposite borders or corners (srd35.flank.line-test, .large-flanker)."""
    _, where = drawn(picture)
    assert opposite(where["a"], where["b"], where["t"]) == flanked


@given(spaces, spaces, st.sampled_from([1, 2, 3]))
def test_flanking_is_mutual_and_turns_with_the_map(
    a: tuple[tuple[int, int], int], b: tuple[tuple[int, int], int], side: int
) -> None:
    """Exchanging the flankers, or mirroring the map along its diagonal, changes nothing."""
    target = ((0, 0), side)
    found = opposite(a, b, target)
    assert found == opposite(b, a, target)
    (ax, ay), a_side = a
    (bx, by), b_side = b
    assert found == opposite(((ay, ax), a_side), ((by, bx), b_side), target)


@given(spaces, st.sampled_from([1, 2, 3]))
def test_the_point_reflection_of_a_flanker_flanks(a: tuple[tuple[int, int], int], side: int) -> None:
    """Two creatures at points reflected through the target's centre flank it; on one square nobody does."""
    (x, y), own = a
    target = ((0, 0), side)
    mirrored = ((side - x - own, side - y - own), own)
    apart = x >= side or y >= side or x + own <= 0 or y + own <= 0
    if apart:
        assert opposite(a, mirrored, target)
    if own == 1:
        assert not opposite(a, a, target)
