"""The digest chain: what it covers and what it finds."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from affray.events.chain import GENESIS, START, digest, link, salt_key, verified
from affray.events.envelope import Entry, Event, Head
from affray.events.errors import BrokenLog

Entries = Callable[..., list[Entry]]

numbers = st.integers(-3, 30)
texts = st.text("1:ä|a", max_size=4)
NAMES = ("stream", "seq", "type", "version", "round", "turn", "actor", "cause", "data")
fields = st.tuples(texts, numbers, texts, numbers, numbers, numbers, texts, numbers, st.binary(max_size=4))


def test_genesis_and_framing_are_fixed() -> None:
    """The bytes that are hashed are those that the docstring describes, for any other program to repeat."""
    assert sha256(b"affray log 1").digest() == GENESIS
    framed = b'4:main7:4:roll1:3:2:3:\xc3\xa4b5:{"a":1}'
    expected = sha256(GENESIS + framed).digest()
    found = digest(
        GENESIS, "main", 7, type="roll", version=1, round=3, turn=2, actor="äb", cause=5, data=b'{"a":1}'
    )
    assert found == expected


@given(fields, fields)
def test_different_fields_never_share_a_digest(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    """Two sets of fields have the same digest only if they are equal, wherever a character moves."""
    first, second = (digest(GENESIS, **dict(zip(NAMES, given, strict=True))) for given in (one, other))
    assert (first == second) == (one == other)


def test_a_character_that_moves_between_fields_is_seen() -> None:
    """Neighbouring fields cannot trade characters, digits and colons included."""
    made = {
        digest(
            GENESIS, stream, seq, type=kind, version=1, round=1, turn=1, actor=actor, cause=cause, data=data
        )
        for stream, seq, kind, actor, cause, data in [
            ("a1", 2, "b", "c", 3, b"d"),
            ("a", 12, "b", "c", 3, b"d"),
            ("a1", 21, "", "c", 3, b"d"),
            ("a1", 2, "b", "c3", 3, b"d"),
            ("a1", 2, "b", "c", 33, b"d"),
            ("a1", 2, "b", "c", 3, b":d"),
            ("a1", 2, "b", "c3:", 3, b"d"),
        ]
    }
    assert len(made) == 7


def test_linked_entries_verify(entries: Entries) -> None:
    """Entries linked in two pieces make one chain from 1 without gaps."""
    first = link("main", START, entries(3))
    second = link("main", Head(3, first[-1].digest), entries(2))
    assert [e.seq for e in verified(first + second)] == [1, 2, 3, 4, 5]
    assert list(verified(second, Head(3, first[-1].digest))) == second


def test_the_name_may_change_along_a_line(entries: Entries) -> None:
    """A line that goes over from a parent to its branch verifies as one."""
    parent = link("main", START, entries(2))
    child = link("what-if", Head(2, parent[-1].digest), entries(2))
    assert [e.stream for e in verified(parent + child)] == ["main", "main", "what-if", "what-if"]


CHANGES = {
    "stream": "other",
    "type": "attack.missed",
    "version": 2,
    "round": 4,
    "turn": 9,
    "actor": "bob",
    "cause": 77,
    "data": b"{}",
    "digest": bytes(32),
}


@pytest.mark.parametrize("field", CHANGES)
def test_every_field_is_covered(field: str, entries: Entries) -> None:
    """A change in any single field of an event is found at that event, after all good ones were yielded."""
    events = link("main", START, entries(5))
    events[2] = replace(events[2], **{field: CHANGES[field]})
    seen: list[Event] = []
    with pytest.raises(BrokenLog) as caught:
        seen.extend(verified(events))
    assert caught.value.seq == 3
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("order", "found_at"), [([0, 2, 3], 3), ([0, 2, 1, 3], 3), ([1, 2], 2), ([0, 1, 1], 2)]
)
def test_gaps_and_reorderings_are_named(order: list[int], found_at: int, entries: Entries) -> None:
    """A missing, moved or repeated event is named by the first position that cannot follow."""
    events = link("main", START, entries(4))
    with pytest.raises(BrokenLog, match="expected") as caught:
        list(verified([events[index] for index in order]))
    assert caught.value.seq == found_at


def test_the_framing_of_a_salted_event_is_fixed(entries: Entries) -> None:
    """An asterisk, the name of the stream, 16 bytes of salt, and the rest as without."""
    salt = bytes(range(16))
    framed = b"*4:main" + salt + b'7:4:roll1:3:2:3:\xc3\xa4b5:{"a":1}'
    given: dict[str, Any] = dict(
        type="roll", version=1, round=3, turn=2, actor="äb", cause=5, data=b'{"a":1}'
    )
    assert digest(GENESIS, "main", 7, **given, salt=salt) == sha256(GENESIS + framed).digest()
    with pytest.raises(ValueError, match="16 bytes"):
        digest(GENESIS, "main", 7, **given, salt=salt + b"7")


def test_salted_entries_verify(entries: Entries) -> None:
    """Each event has a salt of its own, which its digest covers; without the key there are none."""
    key = salt_key(b"seed")
    events = link("main", START, entries(9), key)
    assert list(verified(events)) == events
    assert len({e.salt for e in events}) == 9
    assert {len(e.salt) for e in events} == {16}
    for changed in (b"", bytes(16), events[1].salt, events[0].salt[1:]):
        with pytest.raises(BrokenLog):
            list(verified([replace(events[0], salt=changed)]))
    plain = link("main", START, entries(9))
    assert {e.salt for e in plain} == {b""}
    assert not {e.digest for e in plain} & {e.digest for e in events}


def test_salts_follow_from_the_key_and_what_came_before(entries: Entries) -> None:
    """The same fight has the same salts; with another key, past, place or beginning all of them differ."""
    key = salt_key(b"seed")
    made = entries(5)
    first = link("main", START, made, key)
    assert link("main", START, made, key) == first
    others = [
        link("main", START, made, salt_key(b"other")),
        link("main", Head(0, bytes(32)), made, key),
        link("other", START, made, key),
        link("main", Head(1, START.digest), made, key),
        link("main", START, [replace(made[0], data=b'{"b":1}'), *made[1:]], key),
    ]
    salts = [event.salt for line in (first, *others) for event in line]
    assert len(set(salts)) == len(salts)


def test_a_field_of_another_type_is_a_broken_log(entries: Entries) -> None:
    """What a damaged file may return, such as NULL for a text, is named and no crash."""
    (event,) = link("main", START, entries(1))
    with pytest.raises(BrokenLog, match="main#1"):
        list(verified([replace(event, actor=None)]))
