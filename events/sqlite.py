"""The log in a SQLite file: durable, shared between processes, open to every tool that reads SQLite."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from affray.events.chain import GENESIS, link
from affray.events.entries import check_entries
from affray.events.envelope import Branch, Entry, Event, Head
from affray.events.errors import (
    BrokenLog,
    Conflict,
    InvalidBranch,
    LogUnavailable,
    SecretKept,
    UnknownStream,
    did_you_mean,
)
from affray.events.sqlite_file import Synchronous, connect, faults
from affray.events.sqlite_rows import INSERT, READ, READ_ALL, decoded, digest_of, encoded
from affray.events.store import (
    MAIN,
    PROMOTED,
    Checkpoint,
    check_fork,
    check_repeat,
    first_usable,
    following,
    line_parts,
    owner,
)

_HEAD = "SELECT seq, digest FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1"
_BRANCH = "SELECT name, parent, at, digest FROM branches"
_NEW_BRANCH = "INSERT INTO branches (name, parent, at, digest) VALUES (?, ?, ?, ?)"
_CHECKPOINT = (
    "SELECT stream, projection, version, seq, digest, state FROM checkpoints"
    " WHERE stream = ? AND projection = ? AND version = ? AND seq > ? AND seq <= ? ORDER BY seq DESC LIMIT 1"
)
_SAVE = (
    "INSERT OR REPLACE INTO checkpoints (stream, projection, version, seq, digest, state)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)
_PAGE = 500  # events fetched at once: memory stays small, and no statement stays open between events


class SqliteStore:
    """A Store on one file. Other processes may read, append and fork at the same time.

    With `synchronous="FULL"` what append returned survives a power cut; with "NORMAL" the newest
    appends may be lost then (never the order, never half of one), at several times the speed. A
    `readonly` store changes nothing in the file. A writer that finds the file locked waits for
    `busy_seconds`. Whoever has the file can read its secrets: hand out exports until they are revealed.

    Opening raises LogUnavailable, NotALog, NewerLog, and BrokenLog if the triggers that forbid UPDATE,
    DELETE and REPLACE are not all there.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        synchronous: Synchronous = "FULL",
        readonly: bool = False,
        busy_seconds: float = 5.0,
    ) -> None:
        self.path = Path(path)
        self._readonly = readonly
        self._connection = connect(
            self.path, synchronous=synchronous, readonly=readonly, busy_seconds=busy_seconds
        )
        self._known: dict[str, Branch] = {}  # branches never change, so what was read once holds

    def append(self, stream: str, entries: Sequence[Entry], expected: int, request: str = "") -> list[Event]:
        """Append all entries or none and return them as recorded; see Store. One commit, one fsync."""
        with self._writing() as execute:
            head = self.head(stream)
            recorded = self.recorded(request) if request else []
            if recorded:
                check_repeat(request, recorded, stream, entries)
                return recorded
            if not entries:
                return []
            if head.seq != expected:
                raise Conflict(stream, expected, head.seq)
            events = link(stream, head, entries)
            self._insert(events)
            if request:
                row = (request, stream, events[0].seq, events[-1].seq)
                execute("INSERT INTO requests (request, stream, first, last) VALUES (?, ?, ?, ?)", row)
        return events

    def recorded(self, request: str) -> list[Event]:
        """Return the events that were appended under this request id; see Store."""
        found = self._all("SELECT stream, first - 1, last FROM requests WHERE request = ?", (request,))
        return list(self._events(found))

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        """Yield the events of the line with `after` < seq <= `upto`; see Store."""
        end = self.head(stream).seq
        last = end if upto is None else min(upto, end)
        return self._events(line_parts(self._lineage(stream), max(after, 0), last))

    def _events(self, parts: Sequence[tuple[str, int, int]]) -> Iterator[Event]:
        for name, low, high in parts:
            while low < high:
                events = decoded(repeat(name), self._all(READ, (name, low, high, _PAGE)))
                if not events:
                    raise BrokenLog(name, low + 1, "the event is missing")
                yield from events
                low = events[-1].seq

    def read_all(self) -> Iterator[Event]:
        """Yield the events of all streams in order of commit."""
        ((end,),) = self._all("SELECT coalesce(max(position), 0) FROM events")
        return self._commits(end)

    def _commits(self, end: int) -> Iterator[Event]:
        position = 0
        while rows := self._all(READ_ALL, (position, end, _PAGE)):
            yield from decoded([row[-2] for row in rows], [row[:-2] for row in rows])
            position = rows[-1][-1]

    def head(self, stream: str) -> Head:
        """Return the line's last position and its digest; see Store."""
        for seq, digest in self._all(_HEAD, (stream,)):
            return Head(seq, digest_of(stream, seq, digest))
        branch = self._branch(stream)
        return Head(branch.at, branch.digest)

    def fork(self, name: str, parent: str, at: int) -> Branch:
        """Make a branch that leaves `parent`'s line after event `at`; see Store."""
        with self._writing() as execute:
            taken = bool(self._all(f"{_BRANCH} WHERE name = ?", (name,)))
            check_fork(name, taken, parent, at, self.head(parent).seq)
            digest = GENESIS
            if at:
                digest = self._digest_at(owner(self._lineage(parent), at), at) or b""
            execute(_NEW_BRANCH, (name, parent, at, digest.hex()))
        return Branch(name, parent, at, digest)

    def branches(self) -> list[Branch]:
        """Return all branches in order of creation, the root first."""
        return [Branch(n, p, at, digest_of(n, at, d)) for n, p, at, d in self._all(f"{_BRANCH} ORDER BY id")]

    def follow(
        self, stream: str, after: int = 0, *, poll_seconds: float, stop: Callable[[], bool]
    ) -> Iterator[Event]:
        """Yield the line's events after `after` as they come, until `stop()`; see Store."""
        self._branch(stream)
        return following(lambda seen: self.read(stream, seen), after, poll_seconds, stop)

    def main_line(self) -> str:
        """Return the stream of the newest `branch.promoted` event, else `main`."""
        # The type stands in the text: with a parameter SQLite cannot know that the partial index serves.
        newest = self._all(
            f"SELECT stream FROM events WHERE type = '{PROMOTED}' ORDER BY position DESC LIMIT 1"
        )
        return str(newest[0][0]) if newest else MAIN

    def keep_secret(self, name: str, value: bytes) -> None:
        """Keep a value beside the log, once; see Store."""
        with self._writing() as execute:
            kept = self.secret(name)
            if kept is None:
                execute("INSERT INTO secrets (name, value) VALUES (?, ?)", (name, value))
            elif kept != value:
                raise SecretKept(f"secret {name!r} is kept already, with another value")

    def secret(self, name: str) -> bytes | None:
        """Return the kept value, None if there is none."""
        found = self._all("SELECT value FROM secrets WHERE name = ?", (name,))
        return bytes(found[0][0]) if found else None

    def save_checkpoint(
        self, stream: str, projection: str, version: int, seq: int, digest: bytes, state: bytes
    ) -> None:
        """Keep a projection's state after event `seq` of the line; see Store."""
        holder = owner(self._lineage(stream), seq)
        with self._writing() as execute:
            execute(_SAVE, (holder, projection, version, seq, digest.hex(), state))

    def checkpoint(self, stream: str, projection: str, version: int, upto: int) -> Checkpoint | None:
        """Return the newest usable state at or before `upto` along the line; see Store."""
        parts = reversed(line_parts(self._lineage(stream), 0, upto))
        return first_usable(self._saved(parts, projection, version), self._digest_at, self._drop)

    def _saved(
        self, parts: Iterable[tuple[str, int, int]], projection: str, version: int
    ) -> Iterator[Checkpoint]:
        for name, low, high in parts:
            while rows := self._all(_CHECKPOINT, (name, projection, version, low, high)):
                stream, projection, version, seq, digest, state = rows[0]
                yield Checkpoint(stream, projection, version, seq, digest_of(stream, seq, digest), state)
                high = seq - 1

    def _drop(self, found: Checkpoint) -> None:
        if self._readonly:
            return
        key = (found.stream, found.projection, found.version, found.seq)
        with self._writing() as execute:
            execute(
                "DELETE FROM checkpoints WHERE stream = ? AND projection = ? AND version = ? AND seq = ?", key
            )

    def restore(self, branches: Iterable[Branch], events: Iterable[Event]) -> int:
        """Write a whole log as it was, all or nothing, into this empty one; see Store."""
        count = 0
        with self._writing() as execute:
            if self._all("SELECT 1 FROM events LIMIT 1") or len(self.branches()) > 1:
                raise InvalidBranch("only an empty log can be restored into")
            for branch in branches:
                if branch.name != MAIN:  # the root is there from the start
                    execute(_NEW_BRANCH, (branch.name, branch.parent, branch.at, branch.digest.hex()))
            page: list[Event] = []
            for event in events:
                page.append(event)
                if len(page) == _PAGE:
                    count += self._insert_checked(page)
                    page = []
            count += self._insert_checked(page)
        return count

    def _insert_checked(self, events: Sequence[Event]) -> int:
        check_entries(events)
        self._insert(events)
        return len(events)

    def close(self) -> None:
        """Close the file; closing twice is no error."""
        with faults(self.path):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _all(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        with faults(self.path):
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[Callable[..., Any]]:
        """Hold the write lock for the block: committed at its end, rolled back if anything is raised."""
        if self._readonly:
            raise LogUnavailable(f"{self.path}: it was opened for reading only")
        connection = self._connection
        with faults(self.path):
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection.execute
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def _insert(self, events: Iterable[Event]) -> None:
        self._connection.executemany(INSERT, encoded(events))

    def _branch(self, name: str) -> Branch:
        known = self._known.get(name)
        if known is None:
            rows = self._all(f"{_BRANCH} WHERE name = ?", (name,))
            if not rows:
                names = [str(one[0]) for one in self._all(_BRANCH)]
                raise UnknownStream(f"no branch named {name!r}{did_you_mean(name, names)}")
            ((_, parent, at, digest),) = rows
            known = self._known[name] = Branch(name, parent, at, digest_of(name, at, digest))
        return known

    def _lineage(self, name: str) -> Iterator[Branch]:
        """Yield the branch, its parent and so on up to the root."""
        while name:
            branch = self._branch(name)
            yield branch
            name = branch.parent

    def _digest_at(self, stream: str, seq: int) -> bytes | None:
        found = self._all("SELECT digest FROM events WHERE stream = ? AND seq = ?", (stream, seq))
        return digest_of(stream, seq, found[0][0]) if found else None
