"""The rows file: a SQLite file beside the log with its rows, and a view for each table by line of play.

The log itself is not touched. It is append-only and under a seal, an old one may hold its seed, and what
makes a row (who stood where, which chance there was) is no part of its bytes; a file of rows can be thrown
away and made again. It holds nothing of the table of secrets, no seed and no sheet.

`own_attacks` has each attack of the log once, on the branch on which it stands. The view `attacks` has those
of the main line, so that a query that knows nothing of branches counts no event twice and none that was taken
back. `attacks_by_line` has those of every line of play, each with the name of its `line`: there what lines
have in common stands once for each of them.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from affray.projections.rows.arrow import batches
from affray.projections.rows.column import Column, Kinds
from affray.projections.rows.declared_tables import TABLES
from affray.projections.rows.log_tables import FIGHTS, LINES

ROWS_ID = 0x41465252
"""The application id of a rows file, "AFRR": no log is ever taken for one, and none for a log."""

_TYPES = {"integer": "INTEGER", "real": "REAL", "text": "TEXT", "truth": "INTEGER"}

_PLAIN_TABLE = re.compile(
    r"CREATE TABLE \w+ \((?:\w+ (?:INTEGER|REAL|TEXT), )+PRIMARY KEY \([\w, ]+\)\) STRICT, WITHOUT ROWID"
)


def statements() -> Iterator[str]:
    """Yield what makes the tables and views of a rows file."""
    yield f"PRAGMA application_id = {ROWS_ID}"
    yield _table("fights", FIGHTS, "PRIMARY KEY (fight)")
    yield _table("lines", LINES, "PRIMARY KEY (fight, line, branch)")
    for name, table in TABLES.items():
        yield _table(f"own_{name}", table, "PRIMARY KEY (fight, branch, seq)")
        pieces = f"lines JOIN own_{name} o ON o.fight = lines.fight AND o.branch = lines.branch"
        pieces += " AND o.seq > lines.after AND o.seq <= lines.upto"
        yield f"CREATE VIEW {name} AS SELECT o.* FROM {pieces} WHERE lines.main"
        yield f"CREATE VIEW {name}_by_line AS SELECT lines.line, o.* FROM {pieces}"


def foreign_part(connection: sqlite3.Connection) -> str:
    """Return the name of a part of a rows file that no release has made, "" where there is none.

    Columns may be those of another release. What evaluates expressions may not: a view of somebody else's
    need not have an end.
    """
    own = {*statements()}
    found = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    return next((name for name, sql in found if sql not in own and not _PLAIN_TABLE.fullmatch(sql or "")), "")


def begin(connection: sqlite3.Connection) -> None:
    """Make the tables and views in a file that is empty."""
    # Nobody reads it before it is whole: it is written under another name.
    for statement in ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", *statements()):
        connection.execute(statement)


def fill(connection: sqlite3.Connection, rows: Iterable[tuple[str, tuple[Any, ...]]]) -> dict[str, int]:
    """Write rows into a file that was begun, and return how many there are of each table. O(cells)."""
    counts: dict[str, int] = {}
    for name, several in batches(rows):
        connection.executemany(_insert(f"own_{name}", TABLES[name].columns), several)
        counts[name] = counts.get(name, 0) + len(several)
    return counts


def enter(connection: sqlite3.Connection, fight: tuple[Any, ...], pieces: Iterable[tuple[Any, ...]]) -> None:
    """Write what is known of a log, and the pieces of its lines of play, in the order of their columns."""
    connection.execute(_insert("fights", FIGHTS.columns), fight)
    connection.executemany(_insert("lines", LINES.columns), pieces)


def _table(name: str, table: Kinds, key: str) -> str:
    columns = ", ".join(f"{one.name} {_TYPES[one.kind]}" for one in table.columns)
    return f"CREATE TABLE {name} ({columns}, {key}) STRICT, WITHOUT ROWID"


def _insert(name: str, columns: tuple[Column, ...]) -> str:
    return f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})"
