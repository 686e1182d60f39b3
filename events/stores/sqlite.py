"""The log in a SQLite file: durable, shared between processes, open to every tool that reads SQLite."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from affray.events.chain import GENESIS, key_of, link
from affray.events.envelope import Branch, Entry, Event, check_entries
from affray.events.errors import (
    Conflict,
    InvalidBranch,
    LogMoved,
    LogUnavailable,
    SecretExists,
)
from affray.events.files import FileIdentity
from affray.events.stores.sql_reading import BRANCH, SqlReading
from affray.events.stores.sql_rows import (
    INSERT,
    LAST,
    START,
    Row,
    append_content,
    encoded,
    fork_content,
    row_after,
    row_of_whole,
    secret_content,
)
from affray.events.stores.sql_rows import INSERT_COMMIT as RECORD
from affray.events.stores.sqlite_file import (
    SALTED,
    SqliteSecrets,
    Synchronous,
    connect,
    faults,
    has_uncheckpointed_wal,
    remove_wal_files,
    schema_of,
    settle,
    transaction,
)
from affray.events.stores.store import (
    MAIN,
    Checkpoint,
    bound,
    check_count,
    check_fork,
    check_repeat,
    following,
    line_parts,
    newest_usable_checkpoint,
    owner,
)

if TYPE_CHECKING:
    import sqlite3

_NEW_BRANCH = "INSERT INTO branches (name, parent, at, digest) VALUES (?, ?, ?, ?)"
_SAVE = (
    "INSERT OR REPLACE INTO checkpoints (stream, projection, version, seq, digest, state)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)
_PAGE = 500  # events written at once: memory stays small


class SqliteStore(SqlReading):
    """A Store on one file. Other processes may read, append and fork at the same time.

    With `synchronous="FULL"` completed appends survive a power cut; with "NORMAL" the newest appends may be
    lost (never their order, never part of one), at several times the speed. A `readonly` store changes
    nothing in the file. A writer that finds the file locked waits for `busy_seconds`. Secrets are stored in a
    file next to it (see `secrets`). Once the file is renamed, replaced or deleted while open, appends raise
    LogMoved.

    Opening raises LogUnavailable, NotALog, NewerLog, and BrokenLog if the triggers that forbid UPDATE,
    DELETE and REPLACE are not all there.

    >>> from tempfile import TemporaryDirectory
    >>> from affray.engine import packaged, play
    >>> from affray.events import SqliteStore
    >>> with TemporaryDirectory() as folder, SqliteStore(f"{folder}/fight.db") as store:
    ...     table = play(packaged("demo_srd35"), store)
    ...     store.head("main").seq
    245
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        synchronous: Synchronous = "FULL",
        readonly: bool = False,
        busy_seconds: float = 5.0,
    ) -> None:
        super().__init__()
        self.path = Path(path)
        self.secrets = SqliteSecrets(self, self.path)
        self._readonly = readonly
        # A reader must not checkpoint a -wal that a crash or another writer has left.
        self._clears_away = readonly and not has_uncheckpointed_wal(self.path)
        self._connection = connect(
            self.path, synchronous=synchronous, readonly=readonly, busy_seconds=busy_seconds
        )
        self._key: bytes | None = None  # what salts are made from; not known yet
        try:
            if readonly and schema_of(self._connection, self.path) < SALTED:
                self._read_unsalted()
            self._place = FileIdentity(self.path)
        except BaseException:
            self._connection.close()
            raise

    def append(self, stream: str, entries: Sequence[Entry], expected: int, request: str = "") -> list[Event]:
        """Append all entries or none and return them as recorded; see Store. One commit, one fsync."""
        if self._key is None:
            self._key = key_of(self)
        with self.writing() as held:
            head = held.head(stream)
            recorded = held.recorded(request) if request else []
            if recorded:
                check_repeat(request, recorded, stream, entries)
                return recorded
            if not entries:
                return []
            if head.seq != expected:
                raise Conflict(stream, expected, head.seq)
            events = link(stream, head, entries, self._key or b"")
            held.insert(events)
            if request:
                row = (request, stream, events[0].seq, events[-1].seq)
                held.execute("INSERT INTO requests (request, stream, first, last) VALUES (?, ?, ?, ?)", row)
            held.committed("append", stream, append_content(events[-1].digest, request), len(events))
        return events

    def fork(self, name: str, parent: str, at: int) -> Branch:
        """Make a branch that leaves `parent`'s line after event `at`; see Store."""
        with self.writing() as held:
            check_count(held.count_branches() + 1)
            check_fork(name, held.has_branch(name), parent, at, held.head(parent).seq)
            digest = held.digest_after(parent, at) if at else GENESIS
            number = held.execute(_NEW_BRANCH, (name, parent, at, digest.hex())).lastrowid or 0
            branch = Branch(name, parent, at, digest)
            held.committed("fork", name, fork_content(number, branch))
        return branch

    def follow(
        self, stream: str, after: int = 0, *, poll_seconds: float, stop: Callable[[], bool]
    ) -> Iterator[Event]:
        """Yield the line's events after `after` as they come, until `stop()`; see Store."""
        self._branch(stream)
        return following(lambda seen: self.read(stream, seen), after, poll_seconds, stop)

    def keep_secret(self, name: str, value: bytes) -> None:
        """Store a secret of the log, once, readable by its owner only; see Store."""
        self.secrets.keep(name, value)

    def secret(self, name: str) -> bytes | None:
        """Return a kept secret, None if there is none; see Store."""
        return self.secrets.get(name)

    def move_out_secrets(self) -> bool:
        """Move the seed of an old log into the file of secrets; return whether the log held one.

        Afterwards no byte of it remains in the log. Raises LogUnavailable while others use the log.
        """
        with faults(self.path):
            return self.secrets.move_out(self._connection.execute)

    def keep_note(self, name: str, value: bytes) -> None:
        """Keep a value with the log, once; see Store."""
        with self.writing() as held:
            kept = held.note(name)
            if kept is None:
                held.keep(name, value)
            elif kept != value:
                raise SecretExists(f"note {name!r} is kept already, with another value")

    def save_checkpoint(
        self, stream: str, projection: str, version: int, seq: int, digest: bytes, state: bytes
    ) -> None:
        """Keep a projection's state after event `seq` of the line; see Store."""
        holder = owner(self.lineage(stream), seq)
        with self.writing() as held:
            made = Checkpoint(holder, projection, version, seq, digest, state)
            held.execute(_SAVE, (holder, projection, version, seq, bound(made, digest).hex(), state))

    def checkpoint(self, stream: str, projection: str, version: int, upto: int) -> Checkpoint | None:
        """Return the newest usable state at or before `upto` along the line; see Store."""
        parts = reversed(line_parts(self.lineage(stream), 0, upto))
        return newest_usable_checkpoint(self._saved(parts, projection, version), self._digest_at, self._drop)

    def _drop(self, found: Checkpoint) -> None:
        if self._readonly:
            return
        key = (found.stream, found.projection, found.version, found.seq)
        with suppress(LogUnavailable), self.writing() as held:
            held.execute(
                "DELETE FROM checkpoints WHERE stream = ? AND projection = ? AND version = ? AND seq = ?", key
            )

    def restore(self, branches: Iterable[Branch], events: Iterable[Event]) -> int:
        """Write a whole log as it was, all or nothing, into this empty one; see Store."""
        count = 0
        with self.writing() as held:
            if held.head(MAIN).seq or len(held.branches()) > 1:
                raise InvalidBranch("only an empty log can be restored into")
            for branch in branches:
                if branch.name != MAIN:  # the root is there from the start
                    held.execute(_NEW_BRANCH, (branch.name, branch.parent, branch.at, branch.digest.hex()))
            page: list[Event] = []
            for event in events:
                page.append(event)
                if len(page) == _PAGE:
                    count += held.insert_checked(page)
                    page = []
            count += held.insert_checked(page)
            held.execute(RECORD, row_of_whole(held.rows, "restored"))
        return count

    def close(self) -> None:
        """Close the file; closing twice is no error. The last to close it leaves no -wal and -shm."""
        with faults(self.path):
            self._connection.close()
        if self._clears_away:
            self._clears_away = False
            with suppress(LogMoved):
                self._place.check()
                remove_wal_files(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _all(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        with faults(self.path):
            settle(self._connection)  # what an interrupt left open was never committed and is not to be read
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator["_Transaction"]:
        """Hold the write lock for the block: committed at its end, rolled back if anything is raised.

        Raises LogUnavailable, as LogMoved where the file is no longer the one that was opened.
        """
        if self._readonly:
            raise LogUnavailable(f"{self.path}: it was opened for reading only")
        with faults(self.path), transaction(self._connection):
            yield _Transaction(self._connection)
            self._place.check()  # rolled back, where it would go astray
        self._place.check_commit()


class _Transaction(SqlReading):
    """A log while it is written: what was written so far is read back, and may still be rolled back."""

    def __init__(self, connection: "sqlite3.Connection") -> None:
        super().__init__()
        self.execute = connection.execute
        self._executemany = connection.executemany

    def _all(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        found: list[Row] = self.execute(sql, values).fetchall()
        return found

    rows = _all

    def keep(self, name: str, value: bytes) -> None:
        self.execute("INSERT INTO secrets (name, value) VALUES (?, ?)", (name, value))
        self.committed("secret", name, secret_content(value))

    def committed(self, kind: str, name: str, content: bytes, events: int = 0) -> None:
        """Write down what was committed: without it the record says that it was not."""
        last = next(iter(self._all(LAST)), START)
        self.execute(RECORD, row_after(last, kind, name, events, content))

    def insert(self, events: Iterable[Event]) -> None:
        self._executemany(INSERT, encoded(events))

    def insert_checked(self, events: Sequence[Event]) -> int:
        check_entries(events)
        self.insert(events)
        return len(events)

    def count_branches(self) -> int:
        ((count,),) = self._all("SELECT count(*) FROM branches")
        return int(count)

    def has_branch(self, name: str) -> bool:
        return bool(self._all(f"{BRANCH} WHERE name = ?", (name,)))

    def digest_after(self, stream: str, at: int) -> bytes:
        return self._digest_at(owner(self.lineage(stream), at), at) or b""
