"""The benchmark proves what it did: same arguments, same checksums."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from affray.engine.table.table import Table
from affray.events import MemoryStore, SqliteStore
from affray.events.facts.declared import AnyAct
from affray.projections.fold import fold
from affray.projections.state import digest
from affray.replay.playhead import Playhead
from affray.replay.verification import verify
from tests.bench import logs, many, play, questions, rivals
from tests.bench.arena import opened, round_of


@pytest.fixture(scope="module")
def store() -> MemoryStore:
    """Return the log of a few rounds of the arena."""
    return play.attacks(12)[1]


def test_attacks_have_the_same_checksums_every_time(store: MemoryStore) -> None:
    """Playing the arena again gives the same log, byte for byte."""
    again, other = play.attacks(12)
    assert other.head("main") == store.head("main")
    assert again["head"] == store.head("main").digest.hex()
    assert (
        again["attacks"] == 12 * 25
    )  # three strikes by seven, two by one that moves and two chances it gives


def test_facts_kept_as_objects_are_those_of_the_log(store: MemoryStore) -> None:
    """Without a log the same declarations lead to the same state, in the arena and one on one."""
    for logged, kept in ((play.attacks(12)[0], play.attacks_kept(12)), (play.duel(51), play.duel_kept(51))):
        for same in ("attacks", "declarations", "state"):
            assert logged[same] == kept[same]


def test_the_arena_is_a_fight_that_verifies(store: MemoryStore) -> None:
    """What the benchmark plays is decided again from fresh memory, and every event comes out the same."""
    assert verify(store, "main").ok


@pytest.mark.parametrize(("begin", "rounds", "most"), [(opened, round_of, 82), (play.facing, play.blows, 73)])
def test_an_attack_takes_few_calls(
    begin: Callable[[MemoryStore], Table], rounds: Callable[[Table], Iterator[AnyAct]], most: int
) -> None:
    """Its time is that of its calls, and these no busy machine changes: 79 four on four, 70 one on one."""
    store = MemoryStore()
    table = begin(store)
    for _ in range(10):
        for act in rounds(table):
            table.declare(act)
    seq, calls = table.seq, Counter[str]()
    sys.setprofile(lambda frame, event, argument: calls.update((event,)))
    try:
        for _ in range(10):
            for act in rounds(table):
                table.declare(act)
    finally:
        sys.setprofile(None)
    attacks = sum(event.type == "attack.resolved" for event in store.read("main", after=seq))
    assert attacks >= 60
    assert calls["call"] / attacks <= most


def test_whole_fights_end(store: MemoryStore) -> None:
    """The fights of the benchmark are fought out, with the same log every time."""
    found = play.fights(2)
    assert found["heads"] == play.fights(2)["heads"]
    assert found["events"] > 200


def test_long_logs_hold_what_their_length_says(store: MemoryStore, tmp_path: Path) -> None:
    """A log told again and again folds from its beginning to what the playhead finds by checkpoints."""
    path = tmp_path / "long.db"
    head = logs.long_log(path, store, 9000)
    with SqliteStore(path) as filed:
        assert filed.head("main").seq == head >= 9000
        for seq in (1, 2500, 7777, head):
            assert digest(Playhead(filed).seek(seq)) == digest(fold(filed.read("main", upto=seq)))


def test_appending_counts_every_declaration(store: MemoryStore) -> None:
    """The rows of the bare run are those of the log, group by group."""
    events = list(store.read("main"))
    groups = list(logs.grouped(events))
    assert [event for group in groups for event in group] == events
    assert all(len({event.cause for event in group}) == 1 for group in groups)
    assert logs.appending(store, 300, "NORMAL")["events"] == 300


def test_a_dispute_is_the_same_dispute_every_time() -> None:
    """Explaining, changing and verifying leaves the same branch behind."""
    assert questions.disputes(1)["whatif head"] == questions.disputes(1)["whatif head"]


def test_odds_are_the_same_by_any_number_of_processes() -> None:
    """The figure is told only after both ways have given the same odds."""
    found = many.scaling(4)
    assert found["fights"] == 4
    assert found["odds"] == many.scaling(4)["odds"]


def test_a_rival_that_cannot_run_is_named_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is guessed for a rival that fails: its entry says why there is no figure."""

    def nothing(kind: str) -> Path:
        raise rivals.CannotRun(f"no {kind} here")

    monkeypatch.setattr(rivals, "environment", nothing)
    assert rivals.measured("osr.py") == {"not run": "no pypi here"}
    assert rivals.measured("showdown.mjs") == {"not run": "no npm here"}
