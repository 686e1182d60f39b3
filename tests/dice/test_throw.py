"""Throws: what counts, what was put aside, and the way back from recorded faces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.dice import ImpossibleFaces, Throw, describe, faces, parse, rethrow, throw
from affray.engine.dice.notation import MAX_EXTRA


@pytest.mark.parametrize(
    ("text", "shown", "markdown", "plain"),
    [
        ("1d20+7", (12,), "1d20 (12) + 7 = 19", "1d20 (12) + 7 = 19"),
        ("4d6kh3", (4, 4, 6, 3), "4d6kh3 (4, 4, **6**, ~~3~~) = 14", "4d6kh3 (4, 4, 6, 3 dropped) = 14"),
        ("2d20kl1-2", (20, 5), "2d20kl1 (~~20~~, 5) - 2 = 3", "2d20kl1 (20 dropped, 5) - 2 = 3"),
        ("4d6dh1", (2, 5, 5, 3), "4d6dh1 (2, 5, ~~5~~, 3) = 10", "4d6dh1 (2, 5, 5 dropped, 3) = 10"),
        ("2d6ro<3", (2, 4, 1), "2d6ro<3 (~~2~~, 4, **1**) = 5", "2d6ro<3 (2 rerolled, 4, 1) = 5"),
        (
            "2d6rr<3",
            (2, 4, 1, 5),
            "2d6rr<3 (~~2~~, 4, ~~1~~, 5) = 9",
            "2d6rr<3 (2 rerolled, 4, 1 rerolled, 5) = 9",
        ),
        ("2d6!", (6, 2, 6, 3), "2d6e6 (**6**!, 2, **6**!, 3) = 17", "2d6e6 (6!, 2, 6!, 3) = 17"),
        ("-1d4[cold]+9", (3,), "-1d4 (3) [cold] + 9 = 6", "-1d4 (3) [cold] + 9 = 6"),
        ("1d8+1d6[fire]", (5, 2), "1d8 (5) + 1d6 (2) [fire] = 7", "1d8 (5) + 1d6 (2) [fire] = 7"),
        ("5", (), "5 = 5", "5 = 5"),
    ],
)
def test_descriptions(text: str, shown: tuple[int, ...], markdown: str, plain: str) -> None:
    """Recorded faces are read back into the line that players know, with and without markup."""
    notation = parse(text)
    thrown = rethrow(notation, shown)
    assert describe(notation, thrown) == markdown
    assert describe(notation, thrown, markdown=False) == plain


def test_reroll_explode_keep_apply_in_that_order() -> None:
    """A rerolled die may explode, and the dice brought by explosions compete for being kept."""
    thrown = rethrow(parse("3d6ro1e6kh2"), (1, 4, 3, 6, 5))
    assert thrown == Throw((1, 4, 3, 6, 5), (1, 2), (0,), (3,), 11)


def test_of_equal_dice_the_earlier_is_kept() -> None:
    """A tie for the last place to keep drops the later die."""
    assert rethrow(parse("3d6kh2"), (4, 5, 4)).dropped == (2,)
    assert rethrow(parse("3d6kl2"), (4, 2, 4)).dropped == (2,)


def test_explosions_end() -> None:
    """Dice that always explode stop after a thousand further dice, and so do rerolls that never help."""
    for text, face in (("1d6!", 6), ("10d6e>1", 2), ("1d20rr<20", 1), ("3d20rr<20e20", 1)):
        notation = parse(text)
        thrown = throw(notation, lambda sides, count, face=face: (face,) * count)  # type: ignore[misc]
        started = int(text.split("d")[0])
        assert len(thrown.faces) == started + MAX_EXTRA
        assert rethrow(notation, thrown.faces) == thrown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2d6", (1,)),
        ("2d6", (1, 2, 3)),
        ("1d6", (7,)),
        ("1d6", (0,)),
        ("1d6!", (6,)),
        ("1d6!", (5, 5)),
        ("5", (1,)),
    ],
)
def test_faces_that_do_not_fit_are_refused(text: str, shown: tuple[int, ...]) -> None:
    """Too few faces, too many, or one that the die does not have: all are refused."""
    with pytest.raises(ImpossibleFaces):
        rethrow(parse(text), shown)


def test_faces_must_be_whole_numbers() -> None:
    """A float or a truth value is no face, even when it equals one."""
    for shown in ([True], [3.0]):
        with pytest.raises(ImpossibleFaces):
            rethrow(parse("1d6"), shown)  # type: ignore[arg-type]


def test_description_refuses_another_throw() -> None:
    """A throw cannot be described as one of another notation."""
    with pytest.raises(ImpossibleFaces):
        describe(parse("2d6"), rethrow(parse("1d6"), (3,)))
    with pytest.raises(ImpossibleFaces):
        describe(parse("1d6"), rethrow(parse("2d6"), (3, 3)))


TEXTS = st.sampled_from(
    [
        "1d20",
        "3d6+2",
        "4d6kh3",
        "2d20kl1",
        "5d8dl2",
        "4d4ro<3",
        "4d4rr<3",
        "6d6!",
        "3d6rr1e>4dh1",
        "1d8+2d6-1d4-3",
    ]
)


@given(TEXTS, st.binary(min_size=1, max_size=8))
def test_throws_can_be_rebuilt_from_their_faces(text: str, seed: bytes) -> None:
    """Any throw equals the one rebuilt from its faces, and its total is the signed sum of what counts."""
    notation = parse(text)
    drawn = 0

    def draw(sides: int, count: int) -> tuple[int, ...]:
        nonlocal drawn
        drawn += count
        return faces(seed, "k", sides, count, drawn - count)

    thrown = throw(notation, draw)
    assert rethrow(notation, thrown.faces) == thrown
    assert describe(notation, thrown).endswith(f" = {thrown.total}")
    out = set(thrown.dropped) | set(thrown.rerolled)
    if len(notation.terms) == 1:
        assert thrown.total == sum(face for index, face in enumerate(thrown.faces) if index not in out)
