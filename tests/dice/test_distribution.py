"""Distributions are what listing every throw gives, and every total has a throw that comes to it."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.dice import ImpossibleFaces, parse, rethrow, throw
from affray.engine.dice import distribution as distributions
from affray.engine.dice.distribution import BURSTS, Test, distribution, faces_for
from affray.engine.dice.notation import Dice
from affray.events.errors import counted

LISTED = [
    "1d20",
    "2d20kh1",
    "2d20kl1",
    "3d6",
    "2d10",
    "d%",
    "2d6+3",
    "4d6kh3",
    "4d6dl1",
    "5d4dh2",
    "3d4-1d6+2",
    "1d20ro1",
    "2d6ro<3",
    "2d8ro1kl1",
    "2d6min3",
    "4d6kh3min2+1",
]
"""Notations of which every throw can be listed."""


class Wanted(Exception):
    """A throw needs another die, with this number of sides."""


def every_throw(text: str) -> Iterator[tuple[int, Fraction]]:
    """Yield the total and the chance of every throw, die by die."""
    notation = parse(text)
    open_throws: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while open_throws:
        faces, chance = open_throws.pop()
        rest = list(faces)

        def draw(sides: int, count: int, rest: list[int] = rest) -> tuple[int, ...]:
            if len(rest) < count:
                raise Wanted(sides)
            taken, rest[:count] = tuple(rest[:count]), []
            return taken

        try:
            yield throw(notation, draw).total, chance
        except Wanted as wanted:
            (sides,) = wanted.args
            open_throws += [((*faces, face), chance / sides) for face in range(1, sides + 1)]


@pytest.mark.parametrize("text", LISTED)
def test_all_throws_are_counted(text: str) -> None:
    """The chance of each total is the sum over all throws."""
    listed: dict[int, Fraction] = {}
    for total, chance in every_throw(text):
        listed[total] = listed.get(total, Fraction(0)) + chance
    found = distribution(text)
    assert {total: Fraction(ways, found.possible) for total, ways in found.ways.items()} == listed
    assert found.mean == sum(total * chance for total, chance in listed.items())
    assert found.note == ""


def test_advantage_adds_to_more_than_half() -> None:
    """The chance of 8 or more on the better of two d20: 87.75 %."""
    assert distribution("2d20kh1").at_least(8) == Fraction(351, 400)
    assert distribution("2d20kl1").at_least(8) == Fraction(169, 400)


def test_dice_rerolled_until_they_fit_are_equal_among_what_is_left() -> None:
    """`2d6rr<3` shows 3 to 6, each equally often."""
    assert distribution("2d6rr<3").ways == {6: 1, 7: 2, 8: 3, 9: 4, 10: 3, 11: 2, 12: 1}


def test_explosions_are_counted_up_to_a_bound_that_is_stated() -> None:
    """A d4 that explodes k times comes to 4k and a face below 4."""
    found = distribution("1d4!")
    for many in range(BURSTS):
        for last in (1, 2, 3):
            assert found.chance(lambda total, wanted=4 * many + last: total == wanted) == Fraction(
                1, 4 ** (many + 1)
            )
    assert str(BURSTS) in found.note
    assert sum(found.ways.values()) == found.possible


def exploded(sides: int, explodes: set[int], bound: int) -> list[tuple[tuple[int, ...], Fraction]]:
    """Return every chain of faces of one die with at most that many explosions, each with its chance."""
    if bound == 0:
        return [((face,), Fraction(1, sides)) for face in range(1, sides + 1)]
    found = []
    for face in range(1, sides + 1):
        if face not in explodes:
            found.append(((face,), Fraction(1, sides)))
            continue
        for chain, chance in exploded(sides, explodes, bound - 1):
            found.append(((face, *chain), chance / sides))
    return found


@pytest.mark.parametrize(
    "text", ["2d4!kh1", "2d4!kl1", "3d4!kh2", "2d6e>4kh2", "3d4!dl1", "3d3!dh2", "2d4e<2kl1", "2d4!kh1min2"]
)
def test_dice_that_explode_and_are_kept(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All faces, those of the explosions too, are ranked; the chances are those of all chains."""
    monkeypatch.setattr(distributions, "BURSTS", 2)
    (dice,) = parse(text).terms
    assert isinstance(dice, Dice)
    assert dice.explode is not None
    assert dice.keep is not None
    explodes = {*filter(dice.explode.holds, range(1, dice.sides + 1))}
    listed: dict[int, Fraction] = {}
    for chains in product(exploded(dice.sides, explodes, 2), repeat=dice.count):
        faces = sorted((face for chain, _ in chains for face in chain), reverse=dice.keep.how in ("kh", "dh"))
        first, rest = faces[: dice.keep.number], faces[dice.keep.number :]
        total = sum(map(dice.worth, first if dice.keep.how in ("kh", "kl") else rest))
        listed[total] = listed.get(total, Fraction(0)) + prod(chance for _, chance in chains)
    ways = distributions._of_term(dice)
    assert {total: Fraction(count, sum(ways.values())) for total, count in ways.items()} == listed


def test_what_is_sampled_says_so() -> None:
    """Rerolled dice that explode and are kept are sampled; so are those whose table would be too large."""
    for text in ("3d6ro1!kh2", "1000d1000", "30d6!kh2"):
        found = distribution(text)
        assert found.note == f"estimated from {counted(found.possible, 'throw')}"
    assert distribution("1000d6").note == ""
    assert distribution("1000d6").mean == 3500


def test_totals_of_several_notations_add_up() -> None:
    """Weapon and extra dice together."""
    assert distribution("1d8+3", "2d6").ways == distribution("1d8+2d6+3").ways
    assert distribution().ways == {0: 1}


@given(
    text=st.sampled_from(
        [*LISTED, "3d6rr<3", "2d6ro<4kh1", "100d6", "4d6!", "2d4e>2+1d6", "3d6!kh2", "3d6!min2"]
    ),
    data=st.data(),
)
def test_every_total_has_a_throw(text: str, data: st.DataObject) -> None:
    """The faces that are put together come to it; only a total beyond the bound of explosions has none."""
    notation = parse(text)
    total = data.draw(st.sampled_from(list(distribution(text).ways)))
    try:
        faces = faces_for(notation, total)
    except ImpossibleFaces:
        assert distribution(text).at_least(total) < Fraction(1, 10**5)
    else:
        assert rethrow(notation, faces).total == total


def test_a_total_beyond_the_dice_is_refused() -> None:
    """In one line that names the dice and the total."""
    with pytest.raises(ImpossibleFaces, match="1d6 never comes to 7"):
        faces_for(parse("1d6"), 7)


@pytest.mark.parametrize(
    ("test", "chance"),
    [
        (Test("1d20", 5, 15, 1, 20), Fraction(11, 20)),
        (Test("1d20", 5, 40, 1, 20), Fraction(1, 20)),
        (Test("1d20", 50, 15, 1, 20), Fraction(19, 20)),
        (Test("1d20", 50, 15), Fraction(1)),
        (Test("2d20kh1", 7, 15, 1, 20), Fraction(351, 400)),
        (Test("3d6", 0, 11), Fraction(1, 2)),
        (Test("1d4-1", 0, 1), Fraction(3, 4)),
        (Test("1d100", -65, 1), Fraction(35, 100)),
    ],
)
def test_a_test_has_its_exact_chance(test: Test, chance: Fraction) -> None:
    """With faces that decide whatever the sum is, and without."""
    assert test.chance == chance
    assert test.chance == distribution(test.dice).chance(test.passes)


@given(of=st.integers(1, 60), text=st.sampled_from(LISTED))
def test_draws_spread_over_all_cases(of: int, text: str) -> None:
    """Draws ascend from the lowest total, none twice as often as its share and one more."""
    found = distribution(text)
    drawn = [found.quantile(number, of) for number in range(of)]
    assert drawn == sorted(drawn)
    for total, ways in found.ways.items():
        assert abs(drawn.count(total) - Fraction(ways * of, found.possible)) <= 1
