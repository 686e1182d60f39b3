"""Dice notation: one canonical spelling, and errors that point at the character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.dice import DiceNotationError, parse
from affray.engine.dice.notation import Dice, Keep, Notation, Number, Test, of_terms


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("d20", "1d20"),
        ("D%", "1d100"),
        (" 1d20 + 7 ", "1d20+7"),
        ("-2+1d6", "-2+1d6"),
        ("+5", "5"),
        ("1d8 \N{MINUS SIGN} 1", "1d8-1"),
        ("4d6k3", "4d6kh3"),
        ("4d6kh", "4d6kh1"),
        ("4d6d1", "4d6dl1"),
        ("2d20KL1", "2d20kl1"),
        ("5d6!", "5d6e6"),
        ("5d6kh3!ro<2", "5d6ro<2e6kh3"),
        ("2d6rr1", "2d6rr1"),
        ("2d6mi3", "2d6min3"),
        ("4d6MIN2kh3", "4d6kh3min2"),
        ("1d8 [ slashing ]+1d6[fire]", "1d8[slashing]+1d6[fire]"),
        ("007d06", "7d6"),
    ],
)
def test_aliases_share_one_spelling(typed: str, canonical: str) -> None:
    """What Roll20, Foundry and avrae users type ends in one canonical form, equal to that form typed."""
    assert str(parse(typed)) == canonical
    assert parse(typed) == parse(canonical)


@pytest.mark.parametrize(
    ("typed", "position", "reason"),
    [
        ("", 1, "the text ends"),
        ("   ", 4, "the text ends"),
        ("1d20++2", 6, "found '+'"),
        ("1d20+", 6, "the text ends"),
        ("1d20 7", 6, "expected + or -"),
        ("0d6", 1, "0 dice"),
        ("1001d6", 1, "1001 dice"),
        ("600d6+600d6", 11, "more than 1000 dice"),
        ("1d0", 3, "0 sides"),
        ("1d1001", 3, "1001 sides"),
        ("1000001", 1, "number above"),
        ("4d6r<2", 4, "write ro"),
        ("1d6!>4", 4, "such as e>4"),
        ("1d6x6", 4, "such as e>4"),
        ("1d6e7", 4, "no face"),
        ("1d6ro<1", 4, "no face"),
        ("1d6rr<7", 4, "every face"),
        ("1d6e>0", 4, "every face"),
        ("1d1!", 4, "every face"),
        ("2d6min7", 4, "cannot be 7"),
        ("2d6min1", 4, "cannot be 1"),
        ("2d6min2min3", 8, "second modifier"),
        ("2d6kh3", 4, "kh3 of 2"),
        ("2d6kh0", 4, "kh0 of 2"),
        ("4d6kh3kl1", 7, "second modifier"),
        ("4d6e6!", 6, "second modifier"),
        ("1d6[fire", 4, "a label"),
        ("1d6[]", 4, "a label"),
        ("1d6[a\nb\x00]", 4, "a label"),
        ("\N{ARABIC-INDIC DIGIT ONE}d6", 1, "expected dice"),
        ("1+" * 150 + "1", 201, "longer than 200"),
    ],
)
def test_errors_name_the_place(typed: str, position: int, reason: str) -> None:
    """Text that is no notation is refused with one line naming the position and the reason."""
    with pytest.raises(DiceNotationError) as caught:
        parse(typed)
    assert caught.value.position == position
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_plain_throws_are_marked() -> None:
    """One added group without modifiers carries count, sides and bonus; anything else carries zeroes."""
    plain = parse("2+3d6[fire]-1")
    assert (plain.count, plain.sides, plain.bonus) == (3, 6, 1)
    for other in ("7", "1d6+1d8", "-1d6", "2d20kh1"):
        assert (parse(other).count, parse(other).sides, parse(other).bonus) == (0, 0, 0)


@st.composite
def _tests(draw: st.DrawFn, sides: int) -> Test:
    compare = draw(st.sampled_from(("", "<", ">")))
    low, high = {"": (1, sides), "<": (2, sides), ">": (1, sides - 1)}[compare]
    return Test(compare, draw(st.integers(low, high)))  # type: ignore[arg-type]


@st.composite
def _dice(draw: st.DrawFn) -> Dice:
    count, sides = draw(st.integers(1, 20)), draw(st.integers(2, 1000))
    reroll = draw(st.none() | _tests(sides))
    how = draw(st.sampled_from(("kh", "kl", "dh", "dl")))
    return Dice(
        count,
        sides,
        draw(st.sampled_from((1, -1))),
        reroll,
        reroll is not None and draw(st.booleans()),
        draw(st.none() | _tests(sides)),
        draw(st.none() | st.builds(Keep, st.just(how), st.integers(1, count))),
        draw(st.sampled_from(("", "fire", "cold iron"))),
    )


notations = st.lists(_dice() | st.builds(Number, st.integers(-99, 99)), min_size=1, max_size=4).map(
    lambda terms: of_terms(tuple(terms))
)


@given(notations)
def test_canonical_form_round_trips(notation: Notation) -> None:
    """Parsing the canonical text gives back the same notation, term by term."""
    assert parse(str(notation)) == notation


@given(st.text(alphabet="0123456789d%khlroe!<>+-[] x", max_size=24))
def test_any_text_parses_stably_or_is_refused(text: str) -> None:
    """Arbitrary text either has a canonical form that parses to itself, or raises DiceNotationError."""
    try:
        first = parse(text)
    except DiceNotationError:
        return
    assert parse(str(first)) == first
