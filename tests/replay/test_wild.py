"""Wild fights: whatever is declared, the log verifies, and so does every what-if on it."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.replay.explain.why import text, why
from affray.replay.redecide.rulings import Ruling
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import WhatIf, what_if
from tests.house.fights import DIALECTS, opened, play_wildly

pytestmark = pytest.mark.slow


def faces(store: Store, branch: str) -> dict[tuple[str, str], tuple[int, ...]]:
    """Return the faces of all rolls of a branch by key and dice: other dice are another question."""
    facts = (decode(event) for event in store.read(branch) if event.type == "rolled")
    return {(fact.key, fact.notation): fact.faces for fact in facts}


def anything(dice: random.Random, store: Store, line: str) -> tuple[WhatIf, str]:
    """Ask for another face or make a ruling somewhere; return what came of it and the key changed."""
    rolled = list(faces(store, line).items())
    if dice.random() < 0.5 and rolled:
        (key, _), shown = dice.choice(rolled)
        return what_if(store, line, faces={key: [1] * len(shown)}), key
    declared = [event.seq for event in store.read(line, 20) if event.type == "declared"]
    who = dice.choice([decode(e).id for e in store.read(line, upto=20) if e.type == "combatant.entered"])
    effects = dice.choice([(), (f"{who}.hp=1",), (f"{who}.defense+9:cover",), (f"{who}+dead",)])
    return what_if(store, line, at=dice.choice(declared), ruling=Ruling("so be it", effects)), ""


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000))
@example(seed=1864)  # woa: another injury bleeds by other dice, which are another question
def test_whatever_happens_is_verified_and_can_be_asked_about(dialect: str, seed: int) -> None:
    """Two what-ifs on top of each other: both lines verify, and no face moves that was not changed."""
    dice, store = random.Random(seed), MemoryStore()
    table = opened(dialect, store, seed)
    table.declare(acts.Begin())
    play_wildly(table, dice, 40)
    line = "main"
    for _ in range(2):
        made, key = anything(dice, store, line)
        before, after = faces(store, line), faces(store, made.name)
        same = [each for each in before.keys() & after.keys() if each[0] != key]
        assert all(before[each] == after[each] for each in same)
        for branch in (line, made.name):
            report = verify(store, branch)
            assert report.ok, [str(check.problem) for check in report.checks if not check.ok]
        line = made.name
    head = store.head(line).seq
    for seq in range(head - 10, head + 1):
        assert text(why(store, line, seq))
