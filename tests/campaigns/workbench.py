"""Logs that are taken apart as an attacker does it: without their guards, in a file or in memory."""

import marshal
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from affray.events.secrets import secrets_path
from tests.cli.conftest import copied

Edit = Callable[[sqlite3.Connection], object]


class Spoiled(Struct):
    """One thing that is done to a log: where, how, and what does it.

    `bare`: without the types and bounds of the tables; `unseen`: not to rows, but to how they are found.
    """

    name: str
    edit: Edit
    bare: bool = False
    unseen: bool = False


@contextmanager
def unguarded(path: Path, bare: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the file as an attacker does: without triggers, and with `bare` without types and bounds.

    Afterwards all of them are back, word for word.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        guards = _taken_off(connection, bare)
        yield connection
        _put_back(connection, guards)


Guards = tuple[list[tuple[str, str]], list[tuple[str, str]]]
"""Names and definitions: of the tables that were made bare, and of the triggers that were dropped."""


def _taken_off(connection: sqlite3.Connection, bare: bool) -> Guards:
    run = connection.execute
    triggers = run("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        run(f"DROP TRIGGER {name}")
    tables = run("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall() if bare else []
    with defined(connection, [(name, _bare(connection, name, sql)) for name, sql in tables]):
        pass
    return tables, triggers


def _put_back(connection: sqlite3.Connection, guards: Guards) -> None:
    tables, triggers = guards
    with defined(connection, tables):
        pass
    for _, sql in triggers:
        connection.execute(sql)


@contextmanager
def defined(connection: sqlite3.Connection, tables: Sequence[tuple[str, str]]) -> Iterator[None]:
    """Let these tables have these definitions after the block, whatever their rows are.

    In the block the schema can be written.
    """
    connection.execute("PRAGMA writable_schema = ON")
    for name, sql in tables:
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = ?", (sql, name))
    yield
    connection.execute("PRAGMA writable_schema = RESET")


def _bare(connection: sqlite3.Connection, table: str, sql: str) -> str:
    """Return a table's definition without its types and bounds; its keys, and what an index serves, stay."""
    fields = []
    for _, name, kind, _, _, key in connection.execute(f"PRAGMA table_info({table})"):
        fields.append(f"{name} {kind} PRIMARY KEY" if key else name)
    for _, index, _, origin, _ in connection.execute(f"PRAGMA index_list({table})").fetchall():
        if origin == "u":
            served = [name for (*_, name) in connection.execute(f"PRAGMA index_info({index})")]
            fields.append(f"UNIQUE ({', '.join(served)})")
    kept = " WITHOUT ROWID" if "WITHOUT ROWID" in sql else ""
    return f"CREATE TABLE {table} ({', '.join(fields)}){kept}"


class Workbench:
    """A log that is spoiled in one way after another, each by itself: in memory, then written to `path`.

    The bytes of the log without its guards are made once; each way is done to a copy of them.
    """

    def __init__(self, base: Path, path: Path) -> None:
        self.path = copied(base, path)
        self.whole = base.read_bytes()
        self.secrets = secrets_path(base).read_bytes()
        self.open = {bare: self._opened(bare) for bare in (False, True)}
        with _in_memory(self.whole) as connection:
            self.contents = contents(connection)
        self.known = {self.contents}

    def _opened(self, bare: bool) -> tuple[bytes, Guards]:
        with _in_memory(self.whole) as connection:
            guards = _taken_off(connection, bare)
            return connection.serialize(), guards

    def spoil(self, one: Spoiled) -> str:
        """Write the log, spoiled in this way; return why not, if the file does not let that happen.

        Nor is it written where every row is as it was, or as another way has left them.
        """
        without, guards = self.open[one.bare]
        with _in_memory(without) as connection:
            try:
                one.edit(connection)
                _put_back(connection, guards)
            except sqlite3.Error:
                return "refused by the file"
            found = contents(connection) + (one.name.encode() if one.unseen else b"")
            if found in self.known:
                return "the same as before" if found == self.contents else "the same as in another way"
            self.known.add(found)
            spoiled = connection.serialize()
        for suffix in ("-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        _overwrite(self.path, self.whole[:18] + WAL + spoiled[20:])
        _overwrite(secrets_path(self.path), self.secrets)
        return ""


WAL, NO_WAL = b"\2\2", b"\1\1"
"""Bytes 18 and 19 of a file in WAL mode, and of one that can be opened in memory."""


def _overwrite(path: Path, content: bytes) -> None:
    """Give a file this content in its place, which takes a tenth of the time of making it anew."""
    with path.open("r+b") as file:
        file.write(content)
        file.truncate()


@contextmanager
def _in_memory(content: bytes) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.deserialize(content[:18] + NO_WAL + content[20:])
        yield connection


def tables(connection: sqlite3.Connection) -> list[str]:
    """Return the names of all tables of a log."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return [name for (name,) in found.fetchall()]


def contents(connection: sqlite3.Connection) -> bytes:
    """Return a digest of all that stands in the rows and the header of a log."""
    tables_ = tables(connection)
    connection.text_factory = lambda text: (text,)  # told from bytes, and read whatever it holds
    read = connection.execute
    found = [read(f"PRAGMA {name}").fetchall() for name in ("user_version", "application_id")]
    found += [read(f"SELECT * FROM {table}").fetchall() for table in tables_]
    return sha256(marshal.dumps(found, 2)).digest()
