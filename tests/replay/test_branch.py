"""Branches: where they leave, how they are listed, and which one is the main line."""

import random

import pytest

from affray.engine.table.policies import auto
from affray.engine.table.table import Table
from affray.events.errors import AffrayError, InvalidBranch, UnknownStream
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.projections.timeline import BadPosition
from affray.replay.log.branches import branches, fork, locate, promote
from affray.replay.log.playhead import state_at
from affray.replay.verification.verify import verify
from tests.house.fights import DIALECTS, opened, play_wildly
from tests.replay.fights import brawl, fought
from tests.replay.test_verify import waiting


@pytest.fixture
def store() -> Store:
    """Return a fight of some rounds that goes on."""
    return fought(rounds=3, close=False).store


def test_a_round_is_left_when_somebody_can_act_in_it(store: Store) -> None:
    """A branch from r2 stands in round 2 with a running turn, and play goes on there."""
    made = fork(store, "r2", "again")
    table = Table(store, made.name, answers=auto)
    assert table.state.round == 2
    assert table.state.active
    brawl(table, 2)
    assert verify(store, "again").ok
    assert made.at >= locate(store, "main", "r2")


def test_a_number_is_left_exactly_there(store: Store) -> None:
    """Every event can be the last one that a branch shares, also in the middle of a declaration."""
    head = store.head("main").seq
    for seq in range(1, head + 1):
        assert fork(store, str(seq), f"b{seq}").at == seq
        report = verify(store, f"b{seq}")
        assert report.ok, (seq, [check.problem for check in report.checks])
        assert report.events == seq


def test_play_goes_on_after_half_a_declaration() -> None:
    """A branch that cuts a declaration in two verifies when it is played on."""
    store = fought(rounds=3, close=False).store
    rolled = [event.seq for event in store.read("main") if event.type == "attack.resolved"][1]
    fork(store, str(rolled), "half")
    table = Table(store, "half", answers=auto)
    table.declare(acts.EndTurn(actor=table.state.active))
    brawl(table, 1)
    assert verify(store, "half").ok


def test_a_branch_of_a_branch_is_listed_with_its_places(store: Store) -> None:
    """The list tells for each branch where it leaves, where it ends, and how much is its own."""
    fork(store, "r2", "one")
    brawl(Table(store, "one", answers=auto), 1)
    fork(store, "end", "two", "one")
    found = {line.name: line for line in branches(store)}
    assert list(found) == ["main", "one", "two"]
    assert found["main"].main
    assert found["main"].own == found["main"].head == store.head("main").seq
    assert found["one"].parent == "main"
    assert found["one"].left.startswith("r2.t")
    assert found["one"].own > 0
    assert found["two"].own == 0
    assert found["two"].at == found["one"].head
    assert found["two"].left == found["one"].ends


@pytest.mark.parametrize("dialect", DIALECTS)
def test_places_are_those_of_the_state(dialect: str) -> None:
    """Where a branch leaves and ends is told from one event, and is where the state stands after it."""
    log = MemoryStore()
    table = opened(dialect, log, 7)
    table.declare(acts.Begin())
    play_wildly(table, random.Random(7), 40)
    for seq in range(log.head("main").seq + 1):
        log.fork(f"b{seq}", "main", seq)
    for line in branches(log)[1:]:
        state = state_at(log, line.name, line.at)
        place = f"r{state.round}.t{state.turn}" if state.turn else f"r{state.round}"
        assert line.left == line.ends == place, line


def test_promoting_changes_the_main_line_and_can_be_undone_by_promoting(store: Store) -> None:
    """The newest promotion counts; each one is an event on the promoted branch."""
    fork(store, "r2", "one")
    seq = promote(store, "one", by="gm")
    assert store.main_line() == "one"
    assert next(iter(store.read("one", seq - 1))).type == "branch.promoted"
    assert promote(store, "one") == seq, "the main line need not be promoted again"
    assert Table(store).branch == "one"
    promote(store, "main")
    assert store.main_line() == "main"
    assert verify(store, "one").ok
    assert verify(store, "main").ok


def test_a_branch_that_waits_is_not_promoted() -> None:
    """An open question is answered first."""
    store = waiting().store
    fork(store, "end", "one")
    with pytest.raises(AffrayError, match="answer it first"):
        promote(store, "one")
    assert store.main_line() == "main"


@pytest.mark.parametrize(
    ("at", "name", "parent", "error"),
    [
        ("r9", "x", "", BadPosition),
        ("9999", "x", "", BadPosition),
        ("what", "x", "", BadPosition),
        ("5", "main", "", InvalidBranch),
        ("5", "x", "nowhere", UnknownStream),
    ],
)
def test_mistakes_are_named(store: Store, at: str, name: str, parent: str, error: type[AffrayError]) -> None:
    """A position, a name or a parent that cannot be is an error of its own."""
    with pytest.raises(error):
        fork(store, at, name, parent)


def test_an_empty_log_can_be_listed() -> None:
    """A log without events has its root and nothing else."""
    (line,) = branches(MemoryStore())
    assert (line.name, line.head, line.own, line.main) == ("main", 0, 0, True)
