"""Values and lines of the notation: what is written is read, what cannot be read is named by its place."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine.notation.statements import DeclarationStatement, act_kinds, act_of, statement, words_of
from affray.engine.notation.tokens import NotationError, Tokens, written
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.replay import import_notation
from tests.notation.texts import BY_HAND, events, read

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None)
@given(value=PLAIN)
def test_any_value_is_read_as_it_was_written(value: Any) -> None:
    """Texts, numbers, squares, paths, lists and maps come back, on one line."""
    told = written(value)
    assert "\n" not in told
    assert Tokens(f" {told} # said", 1).value_here() == value


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([3, 4], "3,4"),
        ([[3, 4], [4, 4]], "3,4>4,4"),
        ([[3, 4]], "3,4>"),
        (["a", "b c"], '[a "b c"]'),
        ({"cure light": 2}, '{"cure light":2}'),
        ("true", '"true"'),
        ("", '""'),
        ([], "[]"),
        (None, "null"),
    ],
)
def test_values_are_short(value: Any, told: str) -> None:
    """A square is two numbers, a path its squares, and a word needs no quotes."""
    assert written(value) == told


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (acts.Attack(actor="ogre", target="elf"), "attack elf"),
        (acts.Attack(target="elf", weapon="bow", power=2), "attack elf bow power=2"),
        (acts.Move(path=((1, 2), (2, 2))), "move 1,2>2,2"),
        (acts.Step(to=(1, 2)), "step 1,2"),
        (acts.EndTurn(), "end-turn"),
        (acts.FullAttack(strikes=(acts.Strike("elf"),)), "full-attack [{target:elf}]"),
        (acts.Begin(unaware=("elf",), round=2), "begin [elf] 2"),
        (acts.Begin(turn="elf"), "begin turn=elf"),
    ],
)
def test_an_act_is_its_word_and_its_fields(act: Any, told: str) -> None:
    """Fields follow in their order; those behind one that is left out have their names."""
    assert words_of(act) == told
    said = statement(f"{act.actor}: {told}" if act.actor else told, 1)
    assert isinstance(said, DeclarationStatement)
    assert act_of(said, lambda name: None) == act


def test_every_kind_of_act_can_be_said() -> None:
    """Each word stands for its act."""
    for word, kind in act_kinds().items():
        said = statement(f"elf: {word}", 1)
        assert isinstance(said, DeclarationStatement)
        if word != "enter":
            assert type(act_of(said, lambda name: None)) is kind


WRONG = [
    ("affray notation 1", "affray notation 2", 1, 17, "version 1"),
    ("affray notation 1", "a notation", 1, 1, "'affray notation 1'"),
    ("[dialect srd35]", "[dialekt srd35]", 3, 1, "a tag"),
    ("[dialect srd35]", "[dialect srd35", 3, 15, "a value or ']'"),
    ("[dialect srd35]", "[dialect woe]", 3, 1, "a dialect: "),
    ("attack goblin; 17", "atack goblin; 17", 13, 17, "an act"),
    ("attack goblin; 17", "attack goblin; 21", 13, 32, "the faces of 1d20 for d4/fighter/attack/1"),
    ("attack goblin; 17", "attack goblin; =no", 13, 32, "the faces of 1d20"),
    ("attack goblin; 17", "attack goblin; ?", 13, 32, "nobody is to throw"),
    ("attack goblin; 17; 3", "attack goblin; 17; 3; 4", 13, 39, "the rules ask for nothing more"),
    ("attack goblin; 17; 3", "attack goblin; 17", 13, 32, "the faces of 1d8"),
    ("fighter: end-turn", "fighter: attack goblin; 5", 17, 25, "the end of the line: the rules refuse it: "),
    ("attack goblin; 17", "attack goblin power=x; 17", 13, 31, "a whole number for 'power' of 'attack'"),
    ("attack goblin; 17", "attack goblin pover=1; 17", 13, 31, "a field of 'attack'"),
    ("attack goblin; 17", "attack goblin; 17 18", 13, 32, "the faces of 1d20"),
    ("attack goblin; 17", 'attack "goblin; 17', 13, 24, "a word, a number"),
    ("== round 1 fighter", "== round 2", 12, 1, "round 1"),
    ("== round 1 fighter", "== round 1 goblin", 12, 1, "the turn of fighter"),
    ("heroes fighter 2,1", "heroes figther 2,1", 9, 22, "the name of a sheet"),
    ("( instead", "( -x", 14, 3, "the name of a variation"),
    ("( instead", "( instead after 99", 14, 1, "a variation of a declaration above it"),
    (")\nfighter", "fighter", 19, 1, "')', the end of the variation"),
    ("goblin: attack fighter; 4\n", "goblin: attack fighter; 4\n)\n", 20, 1, "no variation is open"),
    ("goblin: attack fighter; 4\n", '= 3 "ab"\n', 19, 5, "64 lower-case hexadecimal digits"),
    ("goblin: attack fighter; 4\n", f'= 3 "{"ab" * 32}"\n', 19, 1, "what the lines before come to"),
    (
        "goblin: attack fighter; 4\n",
        "* hit-points.changed elf\n",
        19,
        3,
        "the field 'hp' of",
    ),
    ("goblin: attack fighter; 4\n", "% nonsense\n", 19, 1, "packed corrections"),
]


@pytest.mark.parametrize(("was", "now", "line", "column", "expected"), WRONG)
def test_what_cannot_be_read_is_named(was: str, now: str, line: int, column: int, expected: str) -> None:
    """A fault has its line, its column and what was expected there."""
    assert was in BY_HAND
    with pytest.raises(NotationError) as fault:
        read(BY_HAND.replace(was, now, 1))
    assert (fault.value.line, fault.value.column) == (line, column), fault.value
    assert expected in fault.value.expected
    assert str(fault.value).startswith(f"line {line}, column {column}: expected ")


def test_bytes_that_are_no_text_are_named() -> None:
    """A byte that is no UTF-8 has its place too."""
    with pytest.raises(NotationError, match="line 2, column 3: expected UTF-8"):
        import_notation(b"affray notation 1\n# \xff", MemoryStore())


def test_space_comments_and_line_ends_change_nothing() -> None:
    """The same is said with other blanks, without comments and with the line ends of other systems."""
    seeded = BY_HAND.replace("[name", "[seed abcd]\n[name")
    bare = "\r\n".join(line.split("#")[0].replace("; ", "  ;\t") for line in seeded.split("\n"))
    assert events(read(bare)) == events(read(seeded))
