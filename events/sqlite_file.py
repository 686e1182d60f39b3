"""Opening the file of a SQLite log, and naming what SQLite says is wrong with it."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from affray.events.errors import AffrayError, BrokenLog, InvalidEntry, LogUnavailable, NewerLog, NotALog
from affray.events.sqlite_schema import APPLICATION_ID, SCHEMA, check_schema, migrate
from affray.events.store import MAIN

if TYPE_CHECKING:
    import sqlite3

Synchronous = Literal["FULL", "NORMAL"]

# SQLite's primary result codes; sqlite3 names them only from Python 3.11 on, pysqlite3 not at all.
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


def has_commits_beside(path: Path) -> bool:
    """Say whether a -wal file beside a database holds commits: it is open elsewhere, or was not closed."""
    try:
        return os.path.getsize(files_of_sqlite(path)[0]) > 0
    except OSError:
        return False


def clear_away(path: Path) -> None:
    """Have SQLite remove the -wal and -shm that a connection for reading leaves beside a database.

    Only a connection that may write removes them, when it is the last to be closed. It takes commits that
    are in the -wal into the database. Where others have the file open, or it is read-only, nothing is done.
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
    """Raise LogUnavailable if SQLite would open, beside the log, what is no regular file of its own there.

    A pipe would keep it waiting, and a link would lead it to another file.
    """
    for file in files_of_sqlite(path):
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(os.lstat(file).st_mode):
                raise LogUnavailable(f"{file}: no regular file; SQLite keeps one of its own there")


def files_of_sqlite(path: Path) -> list[str]:
    """Return the files that SQLite may open beside a database, whatever link leads to that."""
    place = os.path.realpath(path)
    return [f"{place}{suffix}" for suffix in ("-wal", "-shm", "-journal")]


def _unchanging(path: Path) -> str:
    """Return what the URI needs where the directory cannot be written. Raises LogUnavailable.

    SQLite reads a log in WAL mode by way of two more files, and makes them if they are not there. Where it
    cannot, a log that was closed is read without them; one that was not would lack its newest events.
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
    # the append and SQLITE_BUSY comes at once, whatever the busy timeout.
    connection: sqlite3.Connection = _driver().connect(
        uri, uri=True, timeout=busy_seconds, isolation_level=None
    )
    if hasattr(connection, "setlimit"):  # not in every driver
        connection.setlimit(_LIMIT_LENGTH, LONGEST_VALUE)
    return connection


def _driver() -> Any:
    """Return the sqlite3 module sqlite-utils took: pysqlite3, with its own exceptions, if installed."""
    from sqlite_utils import utils  # 0.2 s, so not before a log is opened

    return utils.sqlite3  # type: ignore[attr-defined]


def schema_of(connection: "sqlite3.Connection", path: Path) -> int:
    """Return the schema version, 0 for an empty file. Writes nothing. Raises NotALog, NewerLog."""
    if connection.in_transaction:
        return _schema_seen(connection, path)
    # All of one moment: between two reads of their own another process may have created the log.
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
    """Hold the write lock for the block: committed at its end, rolled back if anything is raised.

    An interrupt (Ctrl-C, an alarm) may come between any two instructions: right after the lock was taken, or
    before the rollback. So the rollback is tried twice on the way out, and once more before the connection
    is used again (`settle`).
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
    # Without a code it is the driver that cannot make text of what the file holds.
    if code is None or primary in (_CORRUPT, _CONSTRAINT):
        return BrokenLog(MAIN, 0, f"the file {path} is damaged: {error}")
    return LogUnavailable(f"{path}: {_UNAVAILABLE.get(primary, 'SQLite failed')} ({error})")
