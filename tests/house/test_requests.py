"""A command that comes again under its request id: applied once, answered twice."""

import subprocess
from pathlib import Path

import pytest

from affray.engine.table import policies
from affray.engine.table.appending import MustAnswer, NothingAsked
from affray.engine.table.scenario import parse_scenario, play
from affray.engine.table.table import Table
from affray.events import MemoryStore, SqliteStore
from affray.events.errors import Conflict, LogUnavailable, RequestReused
from affray.events.facts import acts
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import freeze
from affray.replay.workers import PYTHON
from tests.house.test_waiting import MOVE, SCENARIO, Nobody

SPEAK = acts.Speak(actor="fighter", words="Stand back!")
TURN = acts.EndTurn(actor="fighter")

AGAIN = """
import sys
from affray.engine.table.table import Table
from affray.events import SqliteStore
from affray.events.facts import acts
with SqliteStore(sys.argv[1]) as store:
    table = Table(store)
    outcome = table.declare(acts.EndTurn(actor="fighter"), "Ann", "r1")
    print(outcome.events[0].seq, outcome.events[-1].digest.hex(), table.seq)
"""


def begun(store: Store) -> Table:
    """Return a table at which it is the fighter's turn and the ogre's player is asked."""
    return play(parse_scenario(SCENARIO), store, answers=policies.ask)


def settled(table: Table) -> bool:
    """Say whether the table stands at the head of the log and holds what it folds to."""
    events = list(table.store.read(table.branch))
    return table.seq == events[-1].seq and freeze(fold(events)) == freeze(table.state)


def test_a_repeated_declaration_returns_what_was_recorded() -> None:
    """The same table is told the same outcome again, though the fight has gone on since."""
    table = begun(MemoryStore())
    first = table.declare(TURN, "Ann", "r1")
    table.declare(acts.EndTurn(actor="ogre"))
    head = table.seq
    again = table.declare(TURN, "Ann", "r1")
    assert again == first
    assert table.seq == head
    assert settled(table)


def test_another_process_may_repeat_it(tmp_path: Path) -> None:
    """A process that never saw the first call gets the same events, and the log does not grow."""
    path = tmp_path / "fight.db"
    with SqliteStore(path) as store:
        table = begun(store)
        outcome = table.declare(TURN, "Ann", "r1")
        head = table.declare(acts.EndTurn(actor="ogre")).events[-1].seq
    done = subprocess.run(
        [*PYTHON, "-c", AGAIN, str(path)], capture_output=True, text=True, check=True, timeout=60
    )
    last = outcome.events[-1]
    assert done.stdout.split() == [str(outcome.events[0].seq), last.digest.hex(), str(head)]


def test_a_table_that_stands_behind_catches_up() -> None:
    """The log holds the command already when the slower table declares it: it returns the other's outcome."""
    store = MemoryStore()
    quick = begun(store)
    slow = Table(store, answers=policies.ask)
    quick.declare(SPEAK)
    first = quick.declare(TURN, "Ann", "r1")
    assert slow.declare(TURN, "Ann", "r1") == first
    assert settled(slow)


def test_both_at_the_same_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that send one command at once, each after looking in vain, are told of one recording.

    The slower one met another state, so that its own events differ from those recorded.
    """
    store = MemoryStore()
    quick = begun(store)
    slow = Table(store, answers=policies.ask)
    quick.declare(SPEAK)
    first = quick.declare(TURN, "Ann", "r1")
    look = store.recorded
    looks: list[str] = []

    def too_early(request: str) -> object:
        looks.append(request)
        return [] if len(looks) == 1 else look(request)

    monkeypatch.setattr(store, "recorded", too_early)
    assert slow.declare(TURN, "Ann", "r1") == first
    assert len(looks) == 2
    assert settled(slow)


@pytest.mark.parametrize(
    ("act", "by"),
    [(SPEAK, "Ann"), (TURN, "Bob"), (acts.EndTurn(actor="ogre"), "Ann"), (acts.Rule(author="Ann"), "")],
)
def test_another_command_under_the_id_is_refused(act: acts.Act, by: str) -> None:
    """Another act, another speaker or a ruling under a used id raises, and nothing is appended."""
    table = begun(MemoryStore())
    table.declare(TURN, "Ann", "r1")
    head = table.seq
    with pytest.raises(RequestReused, match="'r1' was recorded with another command"):
        table.declare(act, by, "r1")  # type: ignore[arg-type]
    with pytest.raises(RequestReused):
        table.choose("take", request="r1")
    assert table.seq == head
    assert settled(table)


def test_a_refusal_is_repeated_too() -> None:
    """What was refused stays refused under its id, even when it would be allowed by now."""
    table = begun(MemoryStore())
    act = acts.EndTurn(actor="ogre")
    first = table.declare(act, request="r1")
    table.declare(TURN)
    assert first.refused is not None
    assert table.declare(act, request="r1") == first
    assert table.declare(act, request="r2").refused is None


def test_a_question_and_its_answer_are_repeated() -> None:
    """The declaration that waits, the answer, and the answer once more all return what was recorded."""
    store = MemoryStore()
    table = begun(store)
    asked = table.declare(MOVE, request="r1")
    assert asked.waiting is not None
    assert table.declare(MOVE, request="r1") == asked
    answered = table.choose("take", "Ann", "r2")
    assert table.choose("take", "Ann", "r2") == answered
    other = Table(store)
    assert other.choose("take", "Ann", "r2") == answered
    assert other.declare(MOVE, request="r1") == asked
    for answer, by in (("decline", "Ann"), ("take", "Bob")):
        with pytest.raises(RequestReused):
            other.choose(answer, by, "r2")
    assert settled(table)
    assert settled(other)


def test_typed_faces_are_repeated() -> None:
    """Dice thrown by hand count once, however often the faces are sent under their id."""
    table = begun(MemoryStore())
    table.use(dice=Nobody(), answers=policies.auto)
    table.declare(MOVE)
    first = table.choose("15", request="r1")
    assert table.choose(" 15 ", request="r1") == first
    with pytest.raises(RequestReused):
        table.choose("16", request="r1")
    assert settled(table)


def test_a_ruling_is_repeated() -> None:
    """A ruling closes its declaration once."""
    table = begun(MemoryStore())
    table.declare(MOVE)
    rule = acts.Rule(text="he slipped", author="Ann")
    first = table.declare(rule, request="r1")
    assert table.declare(rule, request="r1") == first
    with pytest.raises(NothingAsked):
        table.declare(rule, request="r2")
    assert settled(table)


def test_a_request_belongs_to_its_branch() -> None:
    """The same id on another branch is another command."""
    store = MemoryStore()
    table = begun(store)
    table.declare(TURN, request="r1")
    store.fork("b", "main", table.seq)
    with pytest.raises(RequestReused, match="on branch 'main'"):
        Table(store, "b").declare(TURN, request="r1")


def test_who_stands_behind_is_told_conflict_and_not_nonsense() -> None:
    """A table that missed a question, or its answer, gets a Conflict once and then stands at the head."""
    store = MemoryStore()
    one = begun(store)
    before, after = Table(store, answers=policies.ask), Table(store, answers=policies.ask)
    one.declare(MOVE)
    with pytest.raises(Conflict):
        before.choose("take")
    assert before.waiting is not None
    with pytest.raises(Conflict):
        after.declare(TURN)
    one.choose("take")
    with pytest.raises(Conflict) as told:
        after.declare(TURN)
    assert told.value.actual == one.seq > told.value.expected
    for table in (one, after):
        assert settled(table)
        with pytest.raises(NothingAsked):
            table.choose("take")


def test_two_answers_to_one_question() -> None:
    """Of two answers one is recorded; the other one is a conflict and changes nothing."""
    store = MemoryStore()
    one = begun(store)
    one.declare(MOVE)
    other = Table(store)
    one.choose("decline")
    with pytest.raises(Conflict):
        other.choose("take")
    assert other.waiting is None
    assert settled(other)
    assert settled(one)


def test_a_table_outlives_a_log_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the log fails in the middle, the table takes its state from the log again before it goes on."""
    table = begun(MemoryStore())
    store = table.store
    before = table.seq

    def unavailable(*_: object, **__: object) -> None:
        raise LogUnavailable("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(store, "append", unavailable)
        broken.setattr(store, "read", unavailable)
        for _ in range(2):
            with pytest.raises(LogUnavailable):
                table.declare(TURN)
    assert table.declare(TURN).refused is None
    assert [event.seq for event in store.read("main")][before] == before + 1
    assert settled(table)


def test_an_answer_is_owed_only_while_it_is() -> None:
    """A declaration that comes while the fight waits is told so, and nothing is read anew for that."""
    table = begun(MemoryStore())
    table.declare(MOVE)
    state = table.state
    with pytest.raises(MustAnswer):
        table.declare(TURN)
    assert table.state is state


def test_a_seed_left_by_a_crash_is_taken_up() -> None:
    """An encounter can be opened over the seed of one that died between its seed and its first event."""
    store = MemoryStore()
    store.keep_secret("seed", b"left behind")
    table = Table.create(store, dialect="srd35", terrain=["...."])
    assert store.secret("seed") == b"left behind"
    assert settled(table)
