"""The benchmark proves what it did: same arguments, same checksums."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from affray.engine.dialects import load
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.events import MemoryStore, SqliteStore
from affray.events.facts.flow import AnyAct
from affray.projections.fold import fold
from affray.projections.state import digest, duplicate
from affray.replay.chance.odds import Scratch
from affray.replay.log.playhead import Playhead
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.verification.verify import verify
from tests.bench import logs, many, play, questions, rivals, serving
from tests.bench.arena import opened, round_of

pytestmark = pytest.mark.slow

RUNS = 12
"""Fights over which calls are counted."""


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


@pytest.mark.parametrize(
    ("begin", "rounds", "most"), [(opened, round_of, 77.5), (play.facing, play.blows, 72)]
)
def test_an_attack_takes_few_calls(
    begin: Callable[[MemoryStore], Table], rounds: Callable[[Table], Iterator[AnyAct]], most: float
) -> None:
    """Its time is that of its calls, and these no busy machine changes: 77.2 four on four, 72 one on one."""
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
    """The fights of the benchmark are fought out, with the same log every time, and alike without one."""
    found = play.fights(2)
    assert found["heads"] == play.fights(2)["heads"]
    assert found["events"] > 200
    kept = play.fights_kept(2)
    assert (kept["states"], kept["rounds"]) == (found["states"], found["rounds"])


def test_what_was_remembered_changes_no_run() -> None:
    """Played on again and again one fight ends as it does in a fight of its own, whatever came before."""
    assert play.played_on(2)["states"] == play.played_on(2)["states"]
    start = play.mortal(MemoryStore(), b"fight 0").state
    scratch = Scratch(make_fight_context(duplicate(start), None))
    for seed in (b"odds 1", b"odds 2", b"odds 1"):
        scratch.again(seed)
        play_on(scratch, 60)
        alone = Scratch(make_fight_context(duplicate(start), None))
        alone.again(seed)
        play_on(alone, 60)
        assert digest(scratch.state) == digest(alone.state)


@pytest.mark.parametrize(("anew", "most"), [(True, 19_300), (False, 14_300)])
def test_a_whole_fight_takes_few_calls(anew: bool, most: int) -> None:
    """Kept as objects: in a fight of its own, and where one is played on again and again.

    Fights of their own share answers about sheets, sums and the map, and none about positions.
    """
    load("srd35").memories.clear()  # whatever other tests have found out
    start = play.mortal(MemoryStore(), b"fight 0").state

    def play_all(first: int) -> None:
        scratch = None
        for number in range(first, first + RUNS):
            if anew or scratch is None:
                scratch = Scratch(make_fight_context(duplicate(start), None))
            scratch.again(b"odds %d" % number)
            play_on(scratch, 60)

    play_all(RUNS)  # other fights, of which the map's geometry and what is like them is remembered
    calls = Counter[str]()
    sys.setprofile(lambda frame, event, argument: calls.update((event,)))
    try:
        play_all(0)
    finally:
        sys.setprofile(None)
    assert calls["call"] / RUNS <= most


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


def test_the_same_is_told_every_time() -> None:
    """Telling a fight to the same audiences gives the same bytes."""
    one, other = serving.telling(2), serving.telling(2)
    assert one["told"] == other["told"]
    assert one["declarations"] == 34
