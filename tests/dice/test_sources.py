"""Sources: who says what the dice show, and what happens when nobody can."""

import pytest

from affray.engine.dice import (
    DiceExhausted,
    ImpossibleFaces,
    LeftoverDice,
    Manual,
    Overridden,
    Recorded,
    Scripted,
    Seeded,
    Source,
    faces,
    parse,
    rethrow,
)

SEED = b"a fixed seed"
D20, TWO, BURST = parse("1d20"), parse("2d6+1"), parse("1d6!")


def _shown(source: Source, key: str, text: str = "1d20") -> tuple[tuple[int, ...], str]:
    answer = source.throw(key, parse(text))
    assert answer is not None
    return answer[0].faces, answer[1]


def test_seeded_throws_are_the_generator_s() -> None:
    """A seeded throw shows the keyed faces, whether plain or with modifiers, several terms counting on."""
    source = Seeded(SEED)
    assert _shown(source, "k", "3d6") == (faces(SEED, "k", 6, 3), "seeded")
    assert _shown(source, "k", "3d6kh2")[0] == faces(SEED, "k", 6, 3)
    assert _shown(source, "k", "1d8+2d6")[0] == faces(SEED, "k", 8, 1) + faces(SEED, "k", 6, 2, 1)


def test_scripted_in_order() -> None:
    """Dice laid down in order fall one by one, as many as each throw takes, and end in DiceExhausted."""
    source = Scripted([17, 3, 4, 6, 2])
    assert _shown(source, "a") == ((17,), "scripted")
    assert _shown(source, "b", "2d6+1") == ((3, 4), "scripted")
    assert source.leftover() == [6, 2]
    assert _shown(source, "c", "1d6!") == ((6, 2), "scripted")
    source.check_empty()
    with pytest.raises(DiceExhausted, match="no scripted dice left for d"):
        source.throw("d", D20)


def test_scripted_goes_on_with_another_source() -> None:
    """Once the script is used up, the next source answers with its own provenance."""
    source = Scripted([17], then=Seeded(SEED))
    assert _shown(source, "a")[1] == "scripted"
    assert _shown(source, "b") == (faces(SEED, "b", 20, 1), "seeded")


@pytest.mark.parametrize("notation", [TWO, BURST])
def test_a_script_never_ends_in_the_middle_of_a_throw(notation: object) -> None:
    """Too few dice for a throw raise even with a further source, and leave the script as it was."""
    source = Scripted([6], then=Seeded(SEED))
    with pytest.raises(DiceExhausted, match="only 1 scripted"):
        source.throw("k", notation)  # type: ignore[arg-type]
    assert source.leftover() == [6]


def test_scripted_by_purpose() -> None:
    """Patterns match the end of the key by segments, with or without ordinal; longer patterns go first."""
    source = Scripted({"attack": [10, 11], "attack/2": 20, "aoo:*/attack": [1], "damage": [5, 6]}, then=None)
    assert _shown(source, "d17/orc/attack/1") == ((10,), "scripted")
    assert _shown(source, "d17/aoo:ogre/attack/1")[0] == (1,)
    assert _shown(source, "d17/aoo:ogre/attack/2")[0] == (20,)
    assert _shown(source, "d17/aoo:ogre/attack/2")[0] == (11,)
    with pytest.raises(DiceExhausted, match="attack/3"):
        source.throw("d17/orc/attack/3", D20)
    with pytest.raises(DiceExhausted):
        source.throw("d17/orc/counterattack/1", D20)
    with pytest.raises(LeftoverDice, match=r"2 scripted dice left over: damage: \[5, 6\]"):
        source.check_empty()


def test_scripted_faces_must_exist() -> None:
    """A scripted face that the die does not have is refused, naming the roll, and stays in the script."""
    source = Scripted([21])
    with pytest.raises(ImpossibleFaces, match="k: 1d20: a d20 cannot show 21"):
        source.throw("k", D20)
    assert source.leftover() == [21]


def test_constants_ask_nobody() -> None:
    """A notation without dice needs no script and no person."""
    assert _shown(Scripted([]), "k", "5") == ((), "scripted")
    assert _shown(Manual(lambda key, notation: None), "k", "5") == ((), "physical")


def test_manual_dice() -> None:
    """A person's faces are checked and marked physical; no answer means waiting."""
    answers = {"a": [20], "b": [21]}
    source = Manual(lambda key, notation: answers.get(key))
    assert _shown(source, "a") == ((20,), "physical")
    with pytest.raises(ImpossibleFaces, match=r"^b: "):
        source.throw("b", D20)
    assert source.throw("c", D20) is None


def test_recorded_faces_come_first_and_keep_their_provenance() -> None:
    """A recorded key shows its faces as they were; other keys are asked of the next source, or wait."""
    record = {"a": ((4,), "physical")}
    assert _shown(Recorded(record, Seeded(SEED)), "a") == ((4,), "physical")
    assert _shown(Recorded(record, Seeded(SEED)), "b") == (faces(SEED, "b", 20, 1), "seeded")
    assert Recorded(record).throw("b", D20) is None


def test_a_changed_question_is_not_answered_from_the_record() -> None:
    """Faces that no longer fit the notation raise when strict, and otherwise go to the next source."""
    record = {"a": ((20,), "physical")}
    with pytest.raises(ImpossibleFaces, match=r"^a: "):
        Recorded(record, Seeded(SEED)).throw("a", TWO)
    assert _shown(Recorded(record, Seeded(SEED), strict=False), "a", "2d6")[1] == "seeded"


def test_overrides_are_marked_and_remembered() -> None:
    """An override replaces its key alone, says so, and is known to have been used or not."""
    source = Overridden({"a": [4, 6], "z": [1]}, Seeded(SEED))
    assert source.throw("a", TWO) == (rethrow(TWO, (4, 6)), "overridden")
    assert _shown(source, "b") == (faces(SEED, "b", 20, 1), "seeded")
    assert (list(source.used), source.unused()) == (["a"], ["z"])
    with pytest.raises(ImpossibleFaces, match=r"^z: "):
        Overridden({"z": [21]}, Seeded(SEED)).throw("z", D20)
