"""Ctrl-C and alarms: wherever one comes, a store is usable afterwards, and all or nothing is recorded."""

import gc
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from affray.events.envelope import Entry
from affray.events.errors import Conflict
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import Store
from tests.events.conftest import Entries

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings(
        # Python 3.12 closes a generator that is thrown away by instructions: what is raised there is lost.
        "ignore::pytest.PytestUnraisableExceptionWarning"
    ),
]


class Interrupt(BaseException):
    """What Ctrl-C raises, by another name, so that the tests themselves can still be stopped."""


def interrupted(run: Callable[[], object], at: int) -> bool:
    """Run something and raise Interrupt before its `at`-th instruction; say whether it came so far.

    Python 3.12 tells of instructions by `sys.monitoring` (its `sys.settrace` leaves out nearly all,
    up to 3.12.3), Python 3.11 by `sys.settrace` alone.
    """
    left, fired = at, False

    def instruction() -> None:
        nonlocal left, fired
        left -= 1
        if not left:
            fired = True
            stop()
            raise Interrupt

    start, stop = (monitoring if sys.version_info >= (3, 12) else tracing)(instruction)
    gc.disable()  # what is raised in a callback of the collector is lost
    start()
    try:
        run()
    except (Interrupt, Conflict):
        pass
    finally:
        stop()
        gc.enable()
    return fired


Switch = Callable[[], object]


def tracing(instruction: Callable[[], None]) -> tuple[Switch, Switch]:
    """Return what begins and what ends to call something before each instruction, by `sys.settrace`."""
    before = sys.gettrace()

    def trace(frame: FrameType, event: str, _arg: object) -> Any:
        if frame.f_code.co_filename == __file__:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            instruction()
        return trace

    return lambda: sys.settrace(trace), lambda: sys.settrace(before)


def monitoring(instruction: Callable[[], None]) -> tuple[Switch, Switch]:
    """Return what begins and what ends to call something before each instruction, by `sys.monitoring`."""
    monitor: Any = getattr(sys, "monitoring")  # noqa: B009 - not there on 3.11, which the types are checked for
    tool, kind, thread = monitor.DEBUGGER_ID, monitor.events.INSTRUCTION, threading.get_ident()

    def told(code: CodeType, _offset: int) -> None:
        if threading.get_ident() == thread and code.co_filename != __file__:
            instruction()

    def start() -> None:
        monitor.use_tool_id(tool, "interrupts")
        monitor.register_callback(tool, kind, told)
        monitor.set_events(tool, kind)

    def stop() -> None:
        if monitor.get_tool(tool) is not None:
            monitor.set_events(tool, 0)
            monitor.register_callback(tool, kind, None)
            monitor.free_tool_id(tool)

    return start, stop


def everywhere(run: Callable[[int], Callable[[], object]], stride: int = 1) -> Iterator[int]:
    """Interrupt `run(n)` before its n-th instruction, for each n until it comes to its end; yield each n.

    With a `stride`, a prime, for each so many-th.
    """
    for at in count(1, stride):
        if not interrupted(run(at), at):
            break
        yield at
    assert at > 100


def check_request(store: Store, other: Store, entries: list[Entry], request: str) -> None:
    """Check that a request is recorded wholly or not at all, and can come again."""
    known = store.recorded(request)
    assert len(known) in (0, len(entries))
    assert other.recorded(request) == known
    again = store.append("main", entries, store.head("main").seq, request)
    assert not known or again == known
    assert other.recorded(request) == again == list(store.read("main", again[0].seq - 1, again[-1].seq))


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_an_append_is_interrupted_anywhere(tmp_path: Path, entries: Entries, kind: str) -> None:
    """Before every instruction of an append: nobody is locked out, and what is told was recorded is."""
    path = tmp_path / "log.db"
    store: Store = MemoryStore() if kind == "memory" else SqliteStore(path, synchronous="NORMAL")
    other = store if kind == "memory" else SqliteStore(path, synchronous="NORMAL", busy_seconds=0)

    def append(at: int) -> Callable[[], object]:
        wanted, seq = entries(2, str(at)), store.head("main").seq
        return lambda: store.append("main", wanted, seq, f"r{at}")

    with store, other:
        for at in everywhere(append):
            # Another writer is served at once, although this store was not used since.
            other.append("main", entries(1, f"other {at}"), other.head("main").seq)
            check_request(store, other, entries(2, str(at)), f"r{at}")


def test_a_rollback_is_interrupted_anywhere(tmp_path: Path, entries: Entries) -> None:
    """A conflict rolls back; an interrupt of that leaves no lock and nothing that is read as recorded."""
    path = tmp_path / "log.db"
    with (
        SqliteStore(path, synchronous="NORMAL") as store,
        SqliteStore(path, synchronous="NORMAL", busy_seconds=0) as other,
    ):
        store.append("main", entries(1), 0)
        for at in everywhere(lambda at: lambda: store.append("main", entries(1, str(at)), 0, f"r{at}")):
            assert store.recorded(f"r{at}") == []
            assert store.head("main").seq == at
            other.append("main", entries(1, f"other {at}"), at)


def test_a_fork_and_a_secret_are_interrupted_anywhere(tmp_path: Path, entries: Entries) -> None:
    """So are the other things that are written."""
    path = tmp_path / "log.db"
    with (
        SqliteStore(path, synchronous="NORMAL") as store,
        SqliteStore(path, synchronous="NORMAL", busy_seconds=0) as other,
    ):
        store.append("main", entries(3), 0)
        for at in everywhere(lambda at: lambda: store.fork(f"b{at}", "main", 2)):
            other.keep_note(f"s{at}", b"1")
        assert store.branches() == other.branches()
        for at in everywhere(lambda at: lambda: store.keep_note(f"t{at}", b"1")):
            assert store.note(f"t{at}") == other.note(f"t{at}")
            other.keep_note(f"t{at}", b"1")


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("before", [False, True], ids=["new", "added"])
def test_a_secret_is_interrupted_anywhere(tmp_path: Path, before: bool) -> None:
    """The file of the secrets is whole or not there, keeps what it held, and the same call goes on."""
    path = tmp_path / "log.db"
    with (
        SqliteStore(path, synchronous="NORMAL") as store,
        SqliteStore(path, synchronous="NORMAL", busy_seconds=0) as other,
    ):
        beside = store.secrets.path
        store.keep_secret("seed", b"1")
        held = beside.read_bytes()

        def keep(at: int) -> Callable[[], object]:
            if before:
                beside.write_bytes(held)
            else:
                beside.unlink(missing_ok=True)
            return lambda: store.keep_secret("key", b"2")

        for _ in everywhere(keep):
            kept = other.secret("seed"), other.secret("key")
            assert kept in ((b"1" if before else None, None), (b"1" if before else None, b"2"))
            other.keep_secret("key", b"2")
            assert store.secret("key") == b"2"


def test_what_is_kept_of_states_is_interrupted_anywhere(tmp_path: Path, entries: Entries) -> None:
    """A kept state is there or not, for everybody alike, and so is one that is dropped as it does not fit."""
    path = tmp_path / "log.db"
    with (
        SqliteStore(path, synchronous="NORMAL") as store,
        SqliteStore(path, synchronous="NORMAL", busy_seconds=0) as other,
    ):
        digest = store.append("main", entries(3), 0)[2].digest

        def kept(one: SqliteStore) -> object:
            return one.checkpoint("main", "p", 1, 3)

        for at in everywhere(
            lambda at: lambda: store.save_checkpoint("main", "p", 1, 3, digest, b"%d" % at), 7
        ):
            assert kept(store) == kept(other)
            other.keep_note(f"n{at}", b"1")

        def spoiled(_: int) -> Callable[[], object]:
            other.save_checkpoint("main", "p", 1, 3, digest, b"1")
            with closing(sqlite3.connect(path)) as connection, connection:
                connection.execute("UPDATE checkpoints SET state = x'00'")
            return lambda: kept(store)

        for at in everywhere(spoiled, 7):
            other.keep_note(f"m{at}", b"1")
            assert kept(other) is None


def test_an_import_and_a_removal_are_interrupted_anywhere(tmp_path: Path, entries: Entries) -> None:
    """A whole log comes in or none; a seed that is moved out of an old log stands in one place or in both."""
    source = MemoryStore()
    source.append("main", entries(5), 0)
    source.fork("b", "main", 3)
    source.append("b", entries(2, "b"), 3)
    made: list[SqliteStore] = []

    def fresh(at: int) -> SqliteStore:
        made.append(SqliteStore(tmp_path / f"{len(made)}.db", synchronous="NORMAL"))
        return made[-1]

    def restored(at: int) -> Callable[[], object]:
        store = fresh(at)
        return lambda: store.restore(source.branches(), source.read_all())

    for _ in everywhere(restored, 41):
        with made[-1] as store, SqliteStore(store.path, busy_seconds=0) as other:
            count = len(list(other.read_all()))
            assert (count, len(other.branches())) in ((0, 1), (7, 2))
            if not count:
                store.restore(source.branches(), source.read_all())
            assert len(list(other.read_all())) == 7
    made[-1].close()  # the one that came to its end

    def moved(at: int) -> Callable[[], object]:
        store = fresh(at)
        store.keep_note("seed", b"nobody may read it")
        store.append("main", entries(2), 0)
        return store.move_out_secrets

    for _ in everywhere(moved, 41):
        with made[-1] as store:
            with SqliteStore(store.path, busy_seconds=0) as other:
                assert other.secret("seed") == b"nobody may read it"
                other.append("main", entries(1), other.head("main").seq)
            store.move_out_secrets()
            assert store.secret("seed") == b"nobody may read it"
        assert b"nobody may" not in store.path.read_bytes()
        SqliteStore(store.path).close()
    made[-1].close()


def test_an_open_transaction_is_never_read(tmp_path: Path, entries: Entries) -> None:
    """Were a transaction left open after all, the next call would roll it back before it reads anything."""
    path = tmp_path / "log.db"
    with SqliteStore(path) as store, SqliteStore(path, busy_seconds=0) as other:
        store._connection.execute("BEGIN IMMEDIATE")
        store._connection.execute("INSERT INTO secrets (name, value) VALUES ('seed', x'00')")
        assert store.note("seed") is None
        other.append("main", entries(1), 0)
        store._connection.execute("BEGIN IMMEDIATE")
        assert len(store.append("main", entries(1, "b"), 1)) == 1
        assert [event.seq for event in other.read("main")] == [1, 2]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms here")
def test_an_alarm_in_the_wait_for_the_lock(tmp_path: Path, entries: Entries) -> None:
    """The alarm is raised when the lock has come: it is given back, and nothing was recorded."""
    path = tmp_path / "log.db"

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise Interrupt

    with SqliteStore(path, busy_seconds=10) as store, SqliteStore(path, busy_seconds=0) as other:
        holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        holder.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.2, lambda: holder.execute("ROLLBACK"))
        before = signal.signal(signal.SIGALRM, ring)
        try:
            release.start()
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with pytest.raises(Interrupt):
                store.append("main", entries(1), 0, "r")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            release.join()
            holder.close()
        assert store.recorded("r") == []
        other.append("main", entries(1, "other"), 0)
        assert store.append("main", entries(1), 1, "r")[0].seq == 2
