"""All stores against a model that is nothing but lists, in every order hypothesis can think of."""

import tempfile
from itertools import count
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from affray.events.chain import verified
from affray.events.envelope import Entry, Event
from affray.events.errors import Conflict, RequestReused
from affray.events.stores.memory import MemoryStore
from affray.events.stores.postgres import PostgresStore
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import PROMOTED, Store
from tests.server import Server

entry = st.builds(
    Entry,
    st.sampled_from(["attack.rolled", "hp.lost", PROMOTED]),
    st.just(1),
    st.integers(0, 9),
    st.integers(0, 9),
    st.text("ab:1é", max_size=3),
    st.integers(0, 99),
    st.integers().map(lambda n: f'{{"n":{n}}}'.encode()),
)
batches = st.lists(entry, min_size=1, max_size=4)


class Stores(RuleBasedStateMachine):
    """Do the same to a memory store and one in a file, and expect of both what the model says."""

    names = Bundle("names")

    def __init__(self) -> None:
        super().__init__()
        self.begin()
        self.stores: list[Store] = [MemoryStore(), self.opened()]
        self.lines: dict[str, list[tuple[str, Entry]]] = {"main": []}  # the whole line, with its streams
        self.requests: dict[str, tuple[str, list[Entry], list[Event]]] = {}
        self.main = "main"

    def begin(self) -> None:
        """Have a place for a log."""
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "log.db"

    def opened(self) -> Store:
        """Open the log there."""
        return SqliteStore(self.path, synchronous="NORMAL")

    def end(self) -> None:
        """Leave nothing behind."""
        self.folder.cleanup()

    @initialize(target=names)
    def root(self) -> str:
        """The root stream is there."""
        return "main"

    @rule(stream=names, batch=batches)
    def append(self, stream: str, batch: list[Entry]) -> None:
        """Appending at the head extends the line, under a new request id."""
        at, request = len(self.lines[stream]), f"r{len(self.requests)}"
        made = [store.append(stream, batch, at, request) for store in self.stores]
        assert made[0] == made[1]
        self.lines[stream] += [(stream, e) for e in batch]
        self.requests[request] = (stream, batch, made[0])
        if any(e.type == PROMOTED for e in batch):
            self.main = stream

    @rule(stream=names, batch=batches, off=st.integers(-2, 2).filter(bool))
    def append_at_a_wrong_position(self, stream: str, batch: list[Entry], off: int) -> None:
        """Appending anywhere else is a conflict."""
        for store in self.stores:
            with pytest.raises(Conflict):
                store.append(stream, batch, len(self.lines[stream]) + off)

    @rule(pick=st.integers(0), batch=batches)
    def repeat_a_request(self, pick: int, batch: list[Entry]) -> None:
        """A repeated request is answered as before, or refused if it comes with other entries."""
        if not self.requests:
            return
        request = f"r{pick % len(self.requests)}"
        stream, recorded, made = self.requests[request]
        for store in self.stores:
            assert store.append(stream, recorded, 0, request) == made
            if batch != recorded:
                with pytest.raises(RequestReused):
                    store.append(stream, batch, 0, request)

    @rule(target=names, parent=names, where=st.integers(0))
    def fork(self, parent: str, where: int) -> str:
        """A branch starts as the parent's line up to a position."""
        name, at = f"b{len(self.lines)}", where % (len(self.lines[parent]) + 1)
        made = [store.fork(name, parent, at) for store in self.stores]
        assert made[0] == made[1]
        self.lines[name] = self.lines[parent][:at]
        return name

    @rule(stream=names, after=st.integers(-1, 12), upto=st.none() | st.integers(-1, 12))
    def read(self, stream: str, after: int, upto: int | None) -> None:
        """Any part of any line is that part of the model."""
        low, line = max(after, 0), self.lines[stream]
        expected = line[low : len(line) if upto is None else max(upto, 0)]
        for store in self.stores:
            found = list(store.read(stream, after, upto))
            assert [(e.stream, e.data, e.actor) for e in found] == [(s, e.data, e.actor) for s, e in expected]
            assert [e.seq for e in found] == list(range(low + 1, low + 1 + len(expected)))

    @rule()
    def reopen(self) -> None:
        """A log that is closed and opened again is the same."""
        self.stores[1].close()
        self.stores[1] = self.opened()

    @invariant()
    def every_line_is_whole(self) -> None:
        """Every line of both stores verifies, with the same digests, and both know the main line."""
        for stream, line in self.lines.items():
            memory, file = (list(verified(store.read(stream))) for store in self.stores)
            assert memory == file
            assert len(memory) == len(line)
        assert [store.main_line() for store in self.stores] == [self.main, self.main]
        assert list(self.stores[0].read_all()) == list(self.stores[1].read_all())

    def teardown(self) -> None:
        """Close it."""
        self.stores[1].close()
        self.end()


class Fights(Stores):
    """Do the same to a memory store and a fight of a PostgreSQL database."""

    server: ClassVar[Server]
    numbers = count(1)

    def begin(self) -> None:
        """Name a fight that is not there yet."""
        self.address = self.server.address(fight=f"machine{next(self.numbers)}")

    def opened(self) -> Store:
        """Open it."""
        return PostgresStore(self.address, synchronous="NORMAL")

    def end(self) -> None:
        """Leave it: the server goes with the session."""


Stores.TestCase.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
TestStores = Stores.TestCase


def test_fights(postgres: Server) -> None:
    """The same in a database; tests/campaigns/machine.py goes on for as long as it is given."""
    Fights.server = postgres
    few = settings(max_examples=5, stateful_step_count=12, deadline=None)
    run_state_machine_as_test(Fights, settings=few)
