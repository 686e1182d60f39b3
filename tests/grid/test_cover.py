"""Cover and concealment, on hand-drawn maps: a attacks b, other letters stand around."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine.grid import Battlefield, Cover, cover, obscured
from tests.grid.maps import drawn

LOW_FT = 30
RANK = {"none": 0, "soft": 1, "cover": 2, "total": 3}


def _cover(picture: str, melee: bool) -> Cover:
    field, where = drawn(picture)
    others = [(name, *where[name]) for name in where]
    return cover(field, where["a"], where["b"], melee=melee, low_range_ft=LOW_FT, creatures=others)


@pytest.mark.parametrize(
    ("picture", "kind"),
    [
        ("a...b", "none"),
        ("a.#.b", "total"),
        ("a.T.b", "cover"),
        ("a.c.b", "soft"),
        ("a.cTb", "cover"),
        ("#####\na...b\n#####", "none"),
        ("a....\n...#b", "cover"),
        ("a....\n..#..\n....b", "total"),
        ("a....\n..T..\n....b", "cover"),
        ("a.....\n..#...\n.....b", "cover"),
        (".....\na..#.\n....b", "none"),
        ("#....\na...b\n.....", "none"),
        ("a.c.b\n.....", "soft"),
        ("c....\na...b\nd....", "none"),
        ("a~^%b", "none"),
    ],
)
def test_ranged_cover(picture: str, kind: str) -> None:
    """The best corner's lines decide; walls in the way entirely are total cover (srd35.cover.ranged-test)."""
    assert _cover(picture, melee=False).kind == kind


def test_cover_names_what_gives_it() -> None:
    """The squares, the creatures and the number of stopped lines are told."""
    assert _cover("a.c.b", melee=False) == Cover("soft", (), ("c",), False, 2)
    tree = _cover("a.T.b", melee=False)
    assert (tree.squares, tree.creatures, tree.low) == (((2, 0),), (), False)


@pytest.mark.parametrize(
    ("picture", "kind"),
    [
        ("ab", "none"),
        ("a#\n.b", "cover"),
        ("a=\n.b", "cover"),
        ("a#\n#b", "total"),
        ("ac\ndb", "none"),
        ("#ab#\n####", "none"),
        ("aa#\naab", "none"),
        ("aa#\naa#\n..b", "cover"),
    ],
)
def test_adjacent_melee_cover(picture: str, kind: str) -> None:
    """Next to the target walls count, low ones too, creatures do not (srd35.cover.melee-adjacent-test)."""
    assert _cover(picture, melee=True).kind == kind


@pytest.mark.parametrize(
    ("picture", "kind"),
    [("a.b", "none"), ("acb", "soft"), ("a=b", "cover"), ("aTb", "cover"), ("a#b", "total")],
)
def test_melee_at_a_distance_uses_the_ranged_test(picture: str, kind: str) -> None:
    """A reach weapon's target has soft cover behind a creature (srd35.cover.melee-reach-test)."""
    assert _cover(picture, melee=True).kind == kind


@pytest.mark.parametrize("picture", ["..d..\na.c.b\n..e..", ".a.\n...\ndce\n...\n.b."])
def test_lines_between_two_creatures_are_stopped(picture: str) -> None:
    """A line along the border of two occupied squares passes through neither alone, yet not between them."""
    assert _cover(picture, melee=False) == Cover("soft", (), ("c", "d"), False, 4)


def test_nothing_on_the_own_squares_is_in_the_way() -> None:
    """Neither a steed nor the low wall one stands on gives cover, to the attacker or the target."""
    low = Battlefield(["=...="])
    assert cover(low, ((0, 0), 1), ((4, 0), 1), melee=False, low_range_ft=LOW_FT).kind == "none"
    field = Battlefield(["......", "......"])
    riders = [("rider", (1, 0), 1), ("other", (1, 1), 1), ("page", (4, 0), 1), ("cook", (4, 1), 1)]
    found = cover(field, ((0, 0), 2), ((4, 0), 2), melee=False, low_range_ft=LOW_FT, creatures=riders)
    assert found.kind == "none"


def test_big_creatures_choose_their_squares_in_melee_only() -> None:
    """With reach, any square of a big target may be picked; at range all of its space is aimed at."""
    picture = "....bb\na.T.bb"
    assert _cover(picture, melee=True).kind == "none"
    assert _cover("a.T.bb\n....bb", melee=False).kind == "cover"


def test_big_attackers_choose_any_corner_of_their_space() -> None:
    """What hides the target from one square of an ogre does not hide it from another."""
    assert _cover("a...b\n..T..\n.....", melee=False).kind == "none"
    assert _cover(".....\naaT..\naa..b", melee=False).kind == "none"


@pytest.mark.parametrize(
    ("picture", "kind"),
    [
        ("a..=b", "cover"),
        ("a=..b", "none"),
        ("a.=.b", "cover"),
        ("a.........=......b", "none"),
        ("a..........=.....b", "cover"),
        ("a.........=.......b", "none"),
    ],
)
def test_low_obstacles(picture: str, kind: str) -> None:
    """They count within 30 feet of the target, unless the attacker is nearer (srd35.cover.low-obstacle*)."""
    found = _cover(picture, melee=False)
    assert found.kind == kind
    assert found.low == (kind == "cover")


def test_the_low_range_is_the_caller_s() -> None:
    """The distance up to which low obstacles count is no figure of the geometry."""
    field, where = drawn("a........=.b")
    kinds = [cover(field, where["a"], where["b"], melee=False, low_range_ft=ft).kind for ft in (5, 10)]
    assert kinds == ["none", "cover"]


places = st.tuples(st.integers(0, 6), st.integers(0, 6))


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.text(st.sampled_from("......#=T~"), min_size=7, max_size=7), min_size=7, max_size=7),
    places,
    places,
    places,
    st.lists(places, max_size=3),
    st.booleans(),
)
def test_more_walls_never_mean_less_cover(
    rows: list[str],
    a: tuple[int, int],
    b: tuple[int, int],
    wall: tuple[int, int],
    others: list[tuple[int, int]],
    melee: bool,
) -> None:
    """Turning any other square into a wall leaves the kind of cover or raises it, and so does a creature."""
    if a == b or wall in (a, b):
        return
    creatures = [(f"c{n}", place, 1) for n, place in enumerate(others)]
    x, y = wall
    walled = [*rows]
    walled[y] = walled[y][:x] + "#" + walled[y][x + 1 :]

    def kind(lines: list[str], around: list[tuple[str, tuple[int, int], int]]) -> int:
        field = Battlefield(lines)
        return RANK[cover(field, (a, 1), (b, 1), melee=melee, low_range_ft=LOW_FT, creatures=around).kind]

    before = kind(rows, creatures)
    assert kind(walled, creatures) >= before
    assert kind(rows, [*creatures, ("new", wall, 1)]) >= before


@pytest.mark.parametrize(
    ("picture", "melee", "concealed"),
    [
        ("a.%.b", False, True),
        ("a...b", False, False),
        ("a....\n%%%%%\n....b", False, True),
        ("%a..b%", False, False),
        ("%%%%%\na...b\n%%%%%", False, False),
        ("a.%b", True, True),
        ("ab%", True, False),
        ("a%\n%b", True, False),
    ],
)
def test_concealment(picture: str, melee: bool, concealed: bool) -> None:
    """Fog in between conceals at a distance, but not next to the target (srd35.concealment.*-test)."""
    field, where = drawn(picture)
    assert obscured(field, where["a"], where["b"], melee=melee) == concealed


def test_targets_inside_fog() -> None:
    """A target wholly in fog is concealed near and far; half in fog it is so from afar alone."""
    inside, edge = Battlefield([".%%"]), Battlefield(["..%", "..%"])
    for melee in (True, False):
        assert obscured(inside, ((0, 0), 1), ((1, 0), 1), melee=melee)
    assert not obscured(edge, ((0, 0), 1), ((1, 0), 2), melee=True)
    assert obscured(edge, ((0, 0), 1), ((1, 0), 2), melee=False)
