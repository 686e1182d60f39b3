"""Opening the file of a SQLite log, and naming what SQLite says is wrong with it."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from types import ModuleType
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from affray.events.chain import GENESIS
from affray.events.envelope import Event
from affray.events.errors import (
    AffrayError,
    BrokenLog,
    InvalidEntry,
    LogUnavailable,
    NewerLog,
    NotALog,
    SecretExists,
    SecretsMissing,
    shell_command,
)
from affray.events.secrets import (
    SEED,
    Secrets,
    foreign_secrets_message,
    keep_secret,
    put_secrets,
    read_secrets,
    secrets_path,
)
from affray.events.stores.sql_rows import INSERT_COMMIT, row_of_whole
from affray.events.stores.store import MAIN, MOST_BRANCHES, Store

if TYPE_CHECKING:
    import sqlite3

    from sqlite_utils import Database


# --- The SQLite log's schema: tables, the triggers that make it append-only, and its migrations

APPLICATION_ID = 0x41465259  # "AFRY": `file` and every SQLite tool can tell what this is
SCHEMA = 3
SALTED = 3
"""The first schema with salts."""

# Digests are hexadecimal text: 32 bytes more for each event, but they can be read, compared and pasted
# in Datasette, DuckDB and exports, where a BLOB shows as "<Binary: 32 bytes>".
_TABLES = {
    "branches": """CREATE TABLE branches (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    parent TEXT NOT NULL,
    at INTEGER NOT NULL CHECK (at >= 0),
    digest TEXT NOT NULL CHECK (length(digest) = 64)
) STRICT""",
    "events": """CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq > 0),
    type TEXT NOT NULL,
    version INTEGER NOT NULL,
    round INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    actor TEXT NOT NULL,
    cause INTEGER NOT NULL,
    data TEXT NOT NULL CHECK (json_valid(data)),
    digest TEXT NOT NULL CHECK (length(digest) = 64),
    UNIQUE (stream, seq)
) STRICT""",
    "requests": """CREATE TABLE requests (
    request TEXT PRIMARY KEY,
    stream TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL
) STRICT, WITHOUT ROWID""",
    "secrets": """CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID""",
    # A cache: the one table whose rows may be replaced and deleted.
    "checkpoints": """CREATE TABLE checkpoints (
    id INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    projection TEXT NOT NULL,
    version INTEGER NOT NULL,
    seq INTEGER NOT NULL CHECK (seq > 0),
    digest TEXT NOT NULL CHECK (length(digest) = 64),
    state BLOB NOT NULL,
    UNIQUE (stream, projection, version, seq)
) STRICT""",
}

_TABLES_2 = {
    "record": """CREATE TABLE record (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    digest TEXT NOT NULL CHECK (length(digest) = 64)
) STRICT""",
}
"""Added by the second schema: the record (`sql_rows`)."""

OWN_TABLES = (*_TABLES, *_TABLES_2)
"""The names of a log's tables."""

_SALT = "salt TEXT NOT NULL DEFAULT '' CHECK (length(salt) IN (0, 32))"
_TABLES_3 = {"events": _TABLES["events"].replace("(length(digest) = 64)", f"(length(digest) = 64), {_SALT}")}
"""Changed by the third schema: the salts of events, empty in an older log (`salts`)."""

# This index costs ordinary events nothing. Others would slow every append by a page each, and are not needed:
# the events of a declaration directly follow it, and a scan by type takes milliseconds. Users may add some.
_INDEXES = ("CREATE INDEX promotions ON events (position) WHERE type = 'branch.promoted'",)

_INDEXES_OF_TABLES = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
_EVALUATED = (
    "SELECT 1 FROM pragma_index_xinfo(?) WHERE cid = -2 UNION ALL SELECT 1 FROM sqlite_master m"
    " JOIN pragma_index_list(m.tbl_name) one ON one.name = m.name WHERE m.name = ? AND one.partial"
)
"""Finds a row for an index on an expression, or for a partial index."""


def _triggers(*, second: bool = False) -> dict[str, str]:
    """Return the triggers of the first schema, or those added by the second, by name.

    INSERT OR REPLACE deletes without a DELETE trigger: hence the guards.
    """
    triggers = {}
    tables = ("record",) if second else ("branches", "events", "requests", "secrets")
    for table in tables:
        for verb in ("UPDATE", "DELETE"):
            name = f"{table}_no_{verb.lower()}"
            triggers[name] = (
                f"CREATE TRIGGER {name} BEFORE {verb} ON {table} BEGIN "
                f"SELECT RAISE(ABORT, '{table} are append-only'); END"
            )
    guards = {
        # Only the next event of a known stream can come, which rules out replacing along with gaps.
        "events": """EXISTS (SELECT 1 FROM events WHERE position = NEW.position)
    OR NEW.seq IS NOT 1 + coalesce(
    (SELECT max(seq) FROM events WHERE stream = NEW.stream),
    (SELECT at FROM branches WHERE name = NEW.stream))""",
        "branches": "EXISTS (SELECT 1 FROM branches WHERE id = NEW.id OR name = NEW.name)",
        "requests": "EXISTS (SELECT 1 FROM requests WHERE request = NEW.request)",
        "secrets": "EXISTS (SELECT 1 FROM secrets WHERE name = NEW.name)",
        "record": "NEW.number IS NOT 1 + coalesce((SELECT max(number) FROM record), 0)",
    }
    for table in tables:
        taken, name = guards[table], f"{table}_only_append"
        triggers[name] = (
            f"CREATE TRIGGER {name} BEFORE INSERT ON {table} WHEN {taken} BEGIN "
            f"SELECT RAISE(ABORT, '{table} are append-only'); END"
        )
    return triggers


_WRITTEN = (
    "SELECT 1 FROM events",
    f"SELECT 1 FROM branches WHERE name <> '{MAIN}'",
    f"SELECT 1 FROM secrets WHERE name <> '{SEED}'",
)


def migrate(db: "Database") -> None:
    """Bring the schema up to SCHEMA; the caller has begun a transaction, so that all or nothing stays."""
    from sqlite_utils import Migrations

    migrations = Migrations("affray")

    @migrations()
    def log_1(db: "Database") -> None:
        for sql in (*_TABLES.values(), *_INDEXES, *_triggers().values()):
            db.execute(sql)
        db.table("branches").insert({"name": MAIN, "parent": "", "at": 0, "digest": GENESIS.hex()})

    @migrations()
    def record_2(db: "Database") -> None:
        for sql in (*_TABLES_2.values(), *_triggers(second=True).values()):
            db.execute(sql)
        if any(db.execute(f"SELECT EXISTS ({sql})").fetchone()[0] for sql in _WRITTEN):
            db.execute(INSERT_COMMIT, row_of_whole(lambda *words: db.execute(*words).fetchall(), "adopted"))

    @migrations()
    def salts_3(db: "Database") -> None:
        db.execute(f"ALTER TABLE events ADD COLUMN {_SALT}")

    migrations.apply(db)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def check_schema(connection: "sqlite3.Connection", version: int = SCHEMA) -> None:
    """Raise BrokenLog unless the tables and triggers of a log of this schema are unchanged.

    Tools that rebuild a table silently drop its triggers, which leaves the log unguarded. Additional tables,
    views and indexes of columns are allowed. Additional triggers are not: one on a table of the log could
    silently discard rows. Nor are indexes of expressions and partial indexes, which every append would
    evaluate, however long that takes.
    """
    found = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'trigger')"))
    tables, triggers = _TABLES, _triggers()
    if version > 1:
        tables, triggers = tables | _TABLES_2, triggers | _triggers(second=True)
    elif "record" in found:
        raise BrokenLog(MAIN, 0, "the file says that it is older than the record in it")
    if version > 2:
        tables = tables | _TABLES_3
    for kind, wanted in (("table", tables), ("trigger", triggers)):
        for name, sql in wanted.items():
            if name not in found:
                raise BrokenLog(MAIN, 0, f"the {kind} {name} is missing from the file")
            if found[name] != sql:
                raise BrokenLog(MAIN, 0, f"the {kind} {name} is not as it was made")
    for name, table in connection.execute("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'"):
        if name not in triggers and table.lower() in tables:
            raise BrokenLog(
                MAIN, 0, f"the trigger {name} on the table {table} does not belong to a log: drop it"
            )
    for name, table, sql in connection.execute(_INDEXES_OF_TABLES).fetchall():
        if (
            sql not in _INDEXES
            and table.lower() in tables
            and connection.execute(_EVALUATED, (name,) * 2).fetchone()
        ):
            raise BrokenLog(
                MAIN,
                0,
                f"the index {name} on the table {table} is not a plain one of a log: drop it",
            )
    ((branches,),) = connection.execute("SELECT count(*) FROM branches").fetchall()
    if branches > MOST_BRANCHES:
        raise BrokenLog(MAIN, 0, f"{branches} branches: a log has {MOST_BRANCHES} at most")


Synchronous = Literal["FULL", "NORMAL"]

# SQLite's primary result codes; sqlite3 names them only from Python 3.11 on, pysqlite3 never.
_BUSY, _LOCKED, _READONLY, _IOERR, _CORRUPT, _FULL, _CANTOPEN, _NOTADB = 5, 6, 8, 10, 11, 13, 14, 26
_CONSTRAINT, _CONSTRAINT_CHECK = 19, 275
_TOOBIG, _LIMIT_LENGTH = 18, 0
LONGEST_VALUE = 32_000_000
"""The most bytes in one value of the file: more than any event has, less than fills the memory."""

_UNAVAILABLE = {
    _BUSY: "it is locked by another writer",
    _LOCKED: "it is locked by another writer",
    _READONLY: "it is read-only",
    _IOERR: "input/output error",
    _FULL: "the disk is full",
    _CANTOPEN: "it cannot be opened",
}


def connect(
    path: Path, *, synchronous: Synchronous, readonly: bool, busy_seconds: float
) -> "sqlite3.Connection":
    """Return a connection to the log at `path`, checked; a new or empty file becomes an empty log.

    With `readonly` nothing is created and the file is not changed.
    Raises LogUnavailable, NotALog, NewerLog, BrokenLog. Does not depend on the length of the log.
    """
    if not path.parent.is_dir():
        raise LogUnavailable(f"{path}: no directory {path.parent}")
    if readonly and not path.exists():
        raise LogUnavailable(f"{path}: no such file")
    if path.is_dir():
        raise LogUnavailable(f"{path}: it is a directory")
    if (
        path.exists() and 0 < path.stat().st_size < 512
    ):  # SQLite takes such a stub for empty and overwrites it
        raise NotALog(f"{path}: no SQLite database")
    _refuse_unfit_files(path)
    with faults(path):
        if readonly:
            return _open_readonly(path, busy_seconds)
        connection = _open(f"{path.absolute().as_uri()}?mode=rwc", busy_seconds)
        try:
            if schema_of(connection, path) < SCHEMA:
                _create(connection, path)
            check_schema(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA synchronous = {synchronous}")
            connection.execute("PRAGMA recursive_triggers = ON")
        except BaseException:
            connection.close()
            raise
        return connection


def has_uncheckpointed_wal(path: Path) -> bool:
    """Return whether the -wal file of a database holds commits: it is open elsewhere or was not closed."""
    try:
        return os.path.getsize(files_of_sqlite(path)[0]) > 0
    except OSError:
        return False


def remove_wal_files(path: Path) -> None:
    """Have SQLite remove the -wal and -shm files that a reading connection leaves behind.

    Only a writing connection removes them, when it is the last to close; it moves commits from the -wal into
    the database. Nothing happens while the file is open elsewhere or read-only.
    """
    if not os.path.exists(files_of_sqlite(path)[0]):
        return
    with suppress(_driver().Error):
        connection = _open(f"{path.absolute().as_uri()}?mode=rw", 0)
        try:
            connection.execute("PRAGMA schema_version").fetchone()
        finally:
            connection.close()


def _open_readonly(path: Path, busy_seconds: float) -> "sqlite3.Connection":
    connection = _open(f"{path.absolute().as_uri()}?mode=ro{_unchanging(path)}", busy_seconds)
    try:
        if not (version := schema_of(connection, path)):
            raise NotALog(f"{path}: no log: it is empty")
        connection.execute("PRAGMA query_only = ON")
        check_schema(connection, version)
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_unfit_files(path: Path) -> None:
    """Raise LogUnavailable if a file that SQLite opens next to the log is not a regular file.

    SQLite would wait for a pipe, and a link would lead it to another file.
    """
    for file in files_of_sqlite(path):
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(os.lstat(file).st_mode):
                raise LogUnavailable(f"{file}: no regular file; SQLite needs a file of its own there")


def files_of_sqlite(path: Path) -> list[str]:
    """Return the files that SQLite may open next to a database, links resolved."""
    place = os.path.realpath(path)
    return [f"{place}{suffix}" for suffix in ("-wal", "-shm", "-journal")]


def _unchanging(path: Path) -> str:
    """Return the URI option for a directory that cannot be written. Raises LogUnavailable.

    SQLite reads a log in WAL mode through two more files and creates them if missing. If it cannot, a log
    that was closed is read without them; one that was not closed would lack its newest events.
    """
    wal, shm = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
    if os.access(path.parent, os.W_OK) or shm.exists():
        return ""
    if wal.exists() and wal.stat().st_size:
        raise LogUnavailable(
            f"{path}: it was not closed and its directory is read-only; copy it with its -wal file elsewhere"
        )
    return "&immutable=1"


def _open(uri: str, busy_seconds: float) -> "sqlite3.Connection":
    # Transactions are begun and ended by hand: BEGIN IMMEDIATE, or a reader's snapshot goes stale under
    # the append and SQLITE_BUSY comes immediately, regardless of the busy timeout.
    connection: sqlite3.Connection = _driver().connect(
        uri, uri=True, timeout=busy_seconds, isolation_level=None
    )
    if hasattr(connection, "setlimit"):  # not in every driver
        connection.setlimit(_LIMIT_LENGTH, LONGEST_VALUE)
    return connection


def _driver() -> ModuleType:
    """Return the sqlite3 module sqlite-utils took: pysqlite3, with its own exceptions, if installed."""
    from sqlite_utils import utils  # 0.2 s, so not before a log is opened

    return utils.sqlite3  # type: ignore[attr-defined]


def schema_of(connection: "sqlite3.Connection", path: Path) -> int:
    """Return the schema version, 0 for an empty file. Writes nothing. Raises NotALog, NewerLog."""
    if connection.in_transaction:
        return _schema_seen(connection, path)
    # One snapshot: between two separate reads another process may have created the log.
    try:
        connection.execute("BEGIN")
        return _schema_seen(connection, path)
    finally:
        settle(connection)


def _schema_seen(connection: "sqlite3.Connection", path: Path) -> int:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application or version or objects:
            raise NotALog(f"{path}: a SQLite database, but no log of Affray")
        return 0
    if version > SCHEMA:
        raise NewerLog(f"{path}: a log of schema {version}, this Affray reads up to schema {SCHEMA}")
    return int(version)


def _create(connection: "sqlite3.Connection", path: Path) -> None:
    from sqlite_utils import Database

    with transaction(connection):
        if schema_of(connection, path) < SCHEMA:  # else another process was faster
            migrate(Database(connection, recursive_triggers=False, execute_plugins=False))


@contextmanager
def transaction(connection: "sqlite3.Connection") -> Iterator[None]:
    """Hold the write lock for the block: committed at its end, rolled back on any exception.

    An interrupt (Ctrl-C, an alarm) may come between any two instructions: right after the lock was taken, or
    before the rollback. The rollback is therefore tried twice on the way out, and again before the next use
    of the connection (`settle`).
    """
    try:
        try:
            settle(connection)
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.execute("COMMIT")
        except BaseException:
            settle(connection)
            raise
    finally:
        settle(connection)


def settle(connection: "sqlite3.Connection") -> None:
    """Roll back what is neither committed nor rolled back: only an interrupt leaves such a thing behind."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


@contextmanager
def faults(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite inside the block into those of the log, one line each."""
    driver = _driver()
    try:
        yield
    except driver.ProgrammingError:
        raise  # a mistake in the program, such as a store used after close, not a fault of the log
    except (driver.Error, UnicodeDecodeError) as error:
        raise _named(path, error) from error


def _named(path: Path, error: Exception) -> AffrayError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if code else 0
    if code == _CONSTRAINT_CHECK:
        return InvalidEntry(f"{path}: SQLite refuses the entry: {error}")
    if primary == _NOTADB:
        return NotALog(f"{path}: no SQLite database")
    if primary == _TOOBIG:
        return BrokenLog(MAIN, 0, f"the file {path} has a value of more than {LONGEST_VALUE} bytes")
    # Without a code, the driver could not decode the file's content as text.
    if code is None or primary in (_CORRUPT, _CONSTRAINT):
        return BrokenLog(MAIN, 0, f"the file {path} is damaged: {error}")
    return LogUnavailable(f"{path}: {_UNAVAILABLE.get(primary, 'SQLite failed')} ({error})")


# --- The secrets of a SQLite log: in the file next to it or, in older logs, in the log itself

MARK = "mark"
"""The note that links a log and the file of its secrets: 16 random bytes."""

_GUARD = "secrets_no_delete"


class _Opening(msgspec.Struct):
    commitment: str = ""


class Noted(Protocol):
    """A log as far as its secrets concern it."""

    def note(self, name: str) -> bytes | None:
        """Return a note, None if no note has that name."""
        ...

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        """Yield the events of the line with `after` < seq <= `upto`."""
        ...


class Held(Noted, Protocol):
    """A log in a transaction."""

    @property
    def execute(self) -> "Callable[..., sqlite3.Cursor]":
        """The method that runs a statement."""
        ...

    def keep(self, name: str, value: bytes) -> None:
        """Store a note, once."""
        ...


class Log(Store, Protocol):
    """The methods of a SQLite store used here."""

    def writing(self) -> AbstractContextManager["Held"]:
        """Hold the write lock for the block, in one transaction, which reads and writes."""
        ...


class SqliteSecrets:
    """The secrets of one log by name. Nothing is cached: the file may appear and disappear."""

    def __init__(self, store: Log, path: Path) -> None:
        self._store = store
        self.log = path
        self.path = secrets_path(path)

    def get(self, name: str) -> bytes | None:
        """Return a secret, None if no secret has that name.

        Raises SecretsMissing if the log's file is missing or belongs to another log.
        """
        found = self.found()
        if found is not None and (kept := found.get(name)) is not None:
            return kept
        if (old := self._store.note(name)) is not None:
            return old
        if found is None and _marked(self._store) and self._store.head(MAIN).seq:
            raise SecretsMissing(
                f"{self.path}: no such file, and without it the seed of the dice of this log is not known; "
                f"put it there, or say where it is: {shell_command('secrets', self.log, '--from', 'PATH')}"
            )
        return None

    def found(self) -> Secrets | None:
        """Return the contents of the log's file of secrets, None without a file. Raises SecretsMissing."""
        return self._found(self._store)

    def _found(self, log: Noted) -> Secrets | None:
        found = read_secrets(self.path)
        if found is not None and not _owns(log, found):
            raise SecretsMissing(foreign_secrets_message(self.path))
        return found

    def keep(self, name: str, value: bytes) -> None:
        """Store a secret, once; afterwards it is on disk. See Store.keep_secret.

        The mark is written before the file: a file next to a log without a mark belongs to another log.
        """
        old = self._store.note(name)
        if old is not None:
            if old != value:
                raise SecretExists(f"secret {name!r} is kept already, with another value")
            return
        self._mark()
        with self._store.writing() as held:
            found = self._found(held)
            keep_secret(self.path, found.log if found is not None else _marked(held), name, value)

    def bring(self, file: Path) -> Secrets:
        """Copy a file of this log's secrets next to the log and return its contents.

        Raises SecretsMissing if it is not such a file, belongs to another log, or if there is another file
        already.
        """
        brought = read_secrets(file)
        if brought is None:
            raise SecretsMissing(f"{file}: no such file")
        if not _owns(self._store, brought):
            raise SecretsMissing(f"{file}: these are the secrets of another log")
        with self._store.writing():
            if read_secrets(self.path) != brought:
                put_secrets(self.path, brought)
        return brought

    def move_out(self, execute: "Callable[[str], sqlite3.Cursor]") -> bool:
        """Move the seed of an old log into the file of secrets; return whether the log held one.

        Afterwards no byte of it remains in the log. Raises LogUnavailable while others use the log; the seed
        is then in one place or in both, and the same call continues from there.
        """
        seed = self._store.note(SEED)
        if seed is None:
            return False
        self._mark()
        with self._store.writing() as held:
            self._found(held)
            keep_secret(self.path, _marked(held), SEED, seed)
        execute("PRAGMA secure_delete = ON")
        with self._store.writing() as held:
            ((guard,),) = held.execute("SELECT sql FROM sqlite_master WHERE name = ?", (_GUARD,)).fetchall()
            held.execute(f"DROP TRIGGER {_GUARD}")
            held.execute("DELETE FROM secrets WHERE name = ?", (SEED,))
            held.execute(guard)
        # The old contents of the pages are still in the write-ahead log, perhaps in unused pages too.
        execute("VACUUM")
        ((busy, _, _),) = execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        if busy:
            raise LogUnavailable(
                f"{self.log}: others read it, so its -wal file still contains the seed: try again"
            )
        return True

    def _mark(self) -> None:
        """Mark the log, if it is not marked yet."""
        if not _marked(self._store):
            with self._store.writing() as held:
                if not _marked(held):  # else another process was faster
                    held.keep(MARK, token_bytes(16))


def _owns(log: Noted, found: Secrets) -> bool:
    """Return whether secrets belong to a log: by its mark, or because the seed opens its commitment."""
    if found.log and found.log == _marked(log):
        return True
    seed = found.get(SEED)
    return seed is not None and is_its_seed(log, seed)


def is_its_seed(log: Noted, seed: bytes) -> bool:
    """Return whether a seed opens the commitment in the first event of a log."""
    return sha256(seed).hexdigest() == _commitment(log)


def _marked(log: Noted) -> str:
    mark = log.note(MARK)
    return mark.hex() if mark is not None else ""


def _commitment(log: Noted) -> str:
    try:
        opening = list(log.read(MAIN, 0, 1))
        return msgspec.json.decode(opening[0].data, type=_Opening).commitment if opening else ""
    except (BrokenLog, msgspec.MsgspecError):
        return ""
