"""The SQLite log's schema: tables, the triggers that make it append-only, and its migrations."""

from typing import TYPE_CHECKING

from affray.events.chain import GENESIS
from affray.events.errors import BrokenLog
from affray.events.secrets import SEED
from affray.events.sql_record import INSERT, row_of_whole
from affray.events.store import MAIN, MOST_BRANCHES

if TYPE_CHECKING:
    import sqlite3

    from sqlite_utils import Database

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
"""What came with the second schema: the record (`sql_record`)."""

OWN_TABLES = (*_TABLES, *_TABLES_2)
"""The names of a log's tables."""

_SALT = "salt TEXT NOT NULL DEFAULT '' CHECK (length(salt) IN (0, 32))"
_TABLES_3 = {"events": _TABLES["events"].replace("(length(digest) = 64)", f"(length(digest) = 64), {_SALT}")}
"""What the third schema changed: the salts of events, empty in an older log (`salts`)."""

# One that costs ordinary events nothing. Others slow every append by a page each, while what follows from
# a declaration stands right behind it, and a scan by type takes milliseconds: whoever needs more adds it.
_INDEXES = ("CREATE INDEX promotions ON events (position) WHERE type = 'branch.promoted'",)

_INDEXES_OF_TABLES = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
_EVALUATED = (
    "SELECT 1 FROM pragma_index_xinfo(?) WHERE cid = -2 UNION ALL SELECT 1 FROM sqlite_master m"
    " JOIN pragma_index_list(m.tbl_name) one ON one.name = m.name WHERE m.name = ? AND one.partial"
)
"""Finds a row for an index of an expression, or of a part of a table."""


def _triggers(*, second: bool = False) -> dict[str, str]:
    """Return the triggers of the first schema, or those that came with the second, by name.

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
            db.execute(INSERT, row_of_whole(lambda *words: db.execute(*words).fetchall(), "adopted"))

    @migrations()
    def salts_3(db: "Database") -> None:
        db.execute(f"ALTER TABLE events ADD COLUMN {_SALT}")

    migrations.apply(db)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def check_schema(connection: "sqlite3.Connection", version: int = SCHEMA) -> None:
    """Raise BrokenLog unless the tables and triggers of a log of this schema stand as they were made.

    Tools that rebuild a table drop its triggers without a word, and then nothing guards the log. Tables,
    views and indexes of columns of others are welcome. Their triggers are not: one on a table of the log
    could swallow what is recorded, and nobody would be told. Nor are their indexes of expressions or of a
    part of a table, which every append would evaluate, however long that takes.
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
            raise BrokenLog(MAIN, 0, f"the trigger {name} on the table {table} is none of a log's: drop it")
    for name, table, sql in connection.execute(_INDEXES_OF_TABLES).fetchall():
        if (
            sql not in _INDEXES
            and table.lower() in tables
            and connection.execute(_EVALUATED, (name,) * 2).fetchone()
        ):
            raise BrokenLog(
                MAIN, 0, f"the index {name} on the table {table} is none of a log's and no plain one: drop it"
            )
    ((branches,),) = connection.execute("SELECT count(*) FROM branches").fetchall()
    if branches > MOST_BRANCHES:
        raise BrokenLog(MAIN, 0, f"{branches} branches: a log has {MOST_BRANCHES} at most")
