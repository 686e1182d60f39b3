"""A log whose reasons and questions are words as another version words them is the same fight."""

import random
from collections.abc import Callable
from itertools import groupby
from typing import Any

import pytest
from msgspec.structs import replace

from affray.engine.dialects import dialects
from affray.events.codec import decode, encode
from affray.events.envelope import Entry
from affray.events.facts.combat import AttackResolved
from affray.events.field_kinds import TextKind, rewritten
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import digest
from affray.projections.view import VIEW
from affray.replay.verification.verify import verify
from tests.house.fights import opened, play_wildly


def rewords(fact: Any) -> Any:
    """Put each reason and question of a fact in other words."""
    return rewritten(fact, lambda holds, text: f"because {text}" if holds is TextKind.REASON else text)


def copied(store: Store, change: Callable[[Any], Any]) -> MemoryStore:
    """Return a copy of a log, chained anew, with each fact changed."""
    copy = MemoryStore()
    for _, group in groupby(store.read("main"), key=lambda event: event.cause):
        entries = [
            Entry(
                one.type, one.version, one.round, one.turn, one.actor, one.cause, encode(change(decode(one)))
            )
            for one in group
        ]
        copy.append("main", entries, copy.head("main").seq)
    return copy


def wild(dialect: str) -> Store:
    """Return the log of a fight of random declarations, legal and illegal ones."""
    store = MemoryStore()
    table = opened(dialect, store, 5)
    play_wildly(table, random.Random("words"), 60)
    return store


@pytest.mark.parametrize("dialect", dialects())
def test_a_log_in_other_words_verifies(dialect: str) -> None:
    """`verify` finds no problem in it, and both end in the same state."""
    store = wild(dialect)
    copy = copied(store, rewords)
    assert [one.data for one in copy.read("main")] != [one.data for one in store.read("main")]
    assert verify(copy).ok
    ends = [digest(fold([*one.read("main")]), VIEW) for one in (store, copy)]
    assert ends[0] == ends[1]


def test_whether_a_reason_is_given_is_no_matter_of_wording() -> None:
    """A modifier counts if it has no reason not to: one that is denied without need is a problem."""

    def denied(fact: Any) -> Any:
        if type(fact) is AttackResolved:
            return replace(fact, attack=tuple(replace(one, denied="not today") for one in fact.attack))
        return fact

    assert not verify(copied(wild("srd35"), denied)).ok
