"""Asking the rows: a question of the ten, or SQL of one's own, put to logs or to a rows file."""

import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from affray.events.errors import AffrayError, did_you_mean, nearest
from affray.projections.rows.companion import foreign_part
from affray.projections.rows.declared_tables import TABLES
from affray.projections.rows.log_tables import FIGHTS, LINES
from affray.replay.rows.questions import QUESTIONS, Answer, Question
from affray.replay.rows.rows_file import is_rows_file, write_rows
from affray.replay.rows.source import sources

SECONDS = 60
"""So much processor time the questions to one file may take in all."""

_BARRED = (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH)


def question_of(text: str) -> Question:
    """Return a question by its name, or SQL of somebody's own as one. Raises AffrayError."""
    if text in QUESTIONS:
        return QUESTIONS[text]
    if text.split(None, 1)[:1] and text.split(None, 1)[0].lower() in ("select", "with"):
        return Question("sql", "", text, "")
    names = ", ".join(QUESTIONS)
    raise AffrayError(
        f"no question {text!r}{did_you_mean(text, QUESTIONS)}: it is {names}, or SQL that begins with SELECT"
    )


@contextmanager
def asked_of(
    places: Sequence[str | Path],
    progress: Callable[[int, int], None] | None = None,
    unread: Callable[[str, str], None] | None = None,
) -> Iterator[sqlite3.Connection]:
    """Open the rows of logs, or one rows file, to be asked; nothing can be written there, nor read elsewhere.

    A rows file with parts that are none of `affray rows` is refused, and SQL ends after SECONDS.
    `unread` is told of each file that is no log or cannot be read, and why. O(events) for logs, whose rows
    are made in memory. Raises AffrayError where there is no log, and what making rows raises.
    """
    stored = len(places) == 1 and is_rows_file(Path(places[0]))
    if stored:
        opened = sqlite3.connect(f"{Path(places[0]).resolve().as_uri()}?mode=ro", uri=True)
    else:
        opened = sqlite3.connect(":memory:", isolation_level=None)
    with closing(opened) as connection:
        if not stored:
            found = sources(places)
            if unread is not None:
                for path, fault in found.unread.items():
                    unread(path, fault)
            write_rows(connection, found.logs, progress=progress)
        elif part := _foreign_part(connection):
            raise AffrayError(f"{places[0]}: {part} is none of a rows file: drop it, or make the file again")
        connection.execute("PRAGMA query_only = ON")
        connection.set_authorizer(_allowed)
        until = time.process_time() + SECONDS
        connection.set_progress_handler(lambda: time.process_time() > until, 100_000)
        yield connection


def _foreign_part(connection: sqlite3.Connection) -> str:
    try:
        return foreign_part(connection)
    except sqlite3.Error as fault:
        raise AffrayError(f"that cannot be asked: {fault}") from fault


def answer(connection: sqlite3.Connection, question: Question) -> Answer:
    """Return what a question brings. Raises AffrayError for SQL that cannot be read."""
    try:
        cursor = connection.execute(question.sql)
        rows = [[_readable(one) for one in row] for row in cursor]
    except (sqlite3.Error, sqlite3.Warning) as fault:
        if getattr(fault, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
            raise AffrayError(f"that cannot be asked: it takes more than {SECONDS} seconds") from fault
        raise AffrayError(f"that cannot be asked: {fault}{_hint_for(str(fault), question.sql)}") from fault
    columns = [one[0] for one in cursor.description or ()]
    return Answer(question.name, question.sql.strip(), columns, rows)


def _hint_for(fault: str, sql: str) -> str:
    """Return what follows a fault of a name that is not there: the nearest one, or where that column is."""
    found = re.fullmatch(r"no such (table|column): (?:.*\.)?(.+)", fault)
    if found is None:
        return ""
    kind, name = found.groups()
    tables = {**TABLES, "fights": FIGHTS, "lines": LINES}
    columns = {table: [one.name for one in told.columns] for table, told in tables.items()}
    if kind == "table":
        return did_you_mean(name, columns)
    asked = [table for table in columns if re.search(rf"\b{table}(_by_line)?\b", sql)]
    if near := nearest(name, dict.fromkeys(one for table in asked for one in columns[table])):
        return f"; did you mean {near}?"
    if holders := [table for table in columns if name in columns[table]]:
        return f"; it is a column of {', '.join(holders)}"
    return "; affray rows --columns all lists what there is"


def _readable(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def _allowed(action: int, *_: Any) -> int:
    return sqlite3.SQLITE_DENY if action in (*_BARRED, sqlite3.SQLITE_PRAGMA) else sqlite3.SQLITE_OK
