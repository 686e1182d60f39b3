"""Ten questions to the rows of any number of fights, in SQL for both SQLite and DuckDB.

Each answer begins with the label of a bar of its chart, then its length, then, if a value is expected, the
place of the mark; further columns are only in the table.
"""

import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from affray.events.errors import AffrayError, did_you_mean, nearest
from affray.events.facts.base import JsonObject
from affray.projections.rows import FIGHTS, LINES, TABLES, Kinds, foreign_part
from affray.replay.rows.rows_file import is_rows_file, write_rows
from affray.replay.rows.source import sources


class Question(Struct, frozen=True):
    """A question by name: in words, its SQL, and the meaning of the bars and marks of its chart."""

    name: str
    asked: str
    sql: str
    bars: str
    marks: str = ""


class Answer(Struct):
    """The answer to a question: its SQL, the names of the columns, and the rows."""

    question: str
    sql: str
    columns: list[str]
    rows: list[list[Any]]


QUESTIONS: dict[str, Question] = {
    one.name: one
    for one in (
        Question(
            "luck",
            "Who is lucky?",
            """
SELECT attacker,
       sum(CASE WHEN hit THEN 1 ELSE 0 END) AS hits,
       round(sum(chance), 2) AS expected,
       count(*) AS attacks
FROM attacks
WHERE thrown AND chance IS NOT NULL
GROUP BY attacker
ORDER BY sum(CASE WHEN hit THEN 1 ELSE 0 END) - sum(chance) DESC, attacker""",
            "hits",
            "expected by the exact chances",
        ),
        Question(
            "flanking",
            "What was flanking worth?",
            """
SELECT a.attacker,
       coalesce(sum(CASE WHEN a.face < 20 AND a.total - a.flanking < a.needed THEN d.dealt END), 0) AS damage,
       sum(CASE WHEN a.hit AND a.face < 20 AND a.total - a.flanking < a.needed THEN 1 ELSE 0 END)
           AS hits_by_flanking,
       count(*) AS attacks_flanking
FROM attacks a LEFT JOIN (
    SELECT fight, attack, sum(dealt) AS dealt FROM damage GROUP BY fight, attack
) d ON d.fight = a.fight AND d.attack = a.seq
WHERE a.flanking > 0
GROUP BY a.attacker
ORDER BY damage DESC, hits_by_flanking DESC, a.attacker""",
            "damage by hits that only flanking made possible",
        ),
        Question(
            "cover",
            "How much damage was lost to cover?",
            """
SELECT a.target,
       round(sum(usual.damage), 1) AS damage,
       count(*) AS misses
FROM attacks a
LEFT JOIN (
    SELECT attacker, weapon, avg(expected) AS damage FROM damage GROUP BY attacker, weapon
) usual ON usual.attacker = a.attacker AND usual.weapon = a.weapon
WHERE a.cover > 0 AND NOT a.hit AND a.face > 1 AND a.total >= a.needed - a.cover
GROUP BY a.target
ORDER BY damage DESC, a.target""",
            "the average damage of those attackers' hits",
        ),
        Question(
            "opportunity",
            "How much damage did attacks out of turn deal?",
            """
SELECT a.attacker,
       coalesce(sum(d.dealt), 0) AS damage,
       round(sum(a.chance), 2) AS expected_hits,
       sum(CASE WHEN a.hit THEN 1 ELSE 0 END) AS hits,
       count(*) AS attacks
FROM attacks a LEFT JOIN (
    SELECT fight, attack, sum(dealt) AS dealt FROM damage GROUP BY fight, attack
) d ON d.fight = a.fight AND d.attack = a.seq
WHERE a.reaction
GROUP BY a.attacker
ORDER BY damage DESC, a.attacker""",
            "damage by attacks of opportunity and other reactions",
        ),
        Question(
            "weapons",
            "Who dealt the damage, and with what?",
            """
SELECT attacker || ': ' || weapon AS weapon_of,
       sum(total) AS damage,
       round(sum(coalesce(expected, total)), 1) AS expected,
       sum(dealt) AS dealt,
       count(*) AS hits
FROM damage
GROUP BY attacker, weapon
ORDER BY damage DESC, weapon_of""",
            "damage of all hits, before reductions of the targets",
            "expected of their dice",
        ),
        Question(
            "overkill",
            "How much damage went beyond the last hit point?",
            """
SELECT attacker,
       sum(dealt - target_temporary - CASE WHEN target_hp > 0 THEN target_hp ELSE 0 END) AS wasted,
       count(*) AS hits
FROM damage
WHERE NOT nonlethal AND dealt > target_temporary + CASE WHEN target_hp > 0 THEN target_hp ELSE 0 END
GROUP BY attacker
ORDER BY wasted DESC, attacker""",
            "damage beyond the last hit point",
        ),
        Question(
            "rounds",
            "Which rounds were the bloodiest?",
            """
SELECT round,
       sum(CASE WHEN change < 0 THEN -change ELSE 0 END) AS lost,
       sum(CASE WHEN change > 0 THEN change ELSE 0 END) AS healed
FROM hit_points
GROUP BY round
ORDER BY round""",
            "hit points lost",
        ),
        Question(
            "conditions",
            "Which conditions occurred, and how often?",
            """
SELECT condition,
       count(*) AS times,
       count(DISTINCT who) AS combatants
FROM conditions
WHERE form = 'condition' AND change = 'began'
GROUP BY condition
ORDER BY times DESC, condition""",
            "times that it began",
        ),
        Question(
            "defense",
            "Whose defense held?",
            """
SELECT target,
       sum(CASE WHEN hit THEN 0 ELSE 1 END) AS averted,
       round(sum(1 - chance), 2) AS expected,
       count(*) AS attacks,
       round(avg(needed), 1) AS needed
FROM attacks
WHERE chance IS NOT NULL AND target_side IS NOT NULL
GROUP BY target
ORDER BY averted DESC, target""",
            "attacks that missed",
            "expected by the exact chances",
        ),
        Question(
            "dice",
            "Are the d20s fair?",
            """
SELECT face,
       count(*) AS times,
       (SELECT count(*) FROM rolls WHERE notation = '1d20' AND thrown) / 20.0 AS expected
FROM rolls
WHERE notation = '1d20' AND thrown
GROUP BY face
ORDER BY face""",
            "times that it was rolled",
            "expected of fair dice",
        ),
    )
}
"""The questions by name, in the order of lists."""


# --- Querying the rows: one of the ten questions, or your own SQL, on logs or on a rows file

SECONDS = 60
"""Most processor seconds for all questions to one file."""

_BARRED = (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH)


def question_of(text: str) -> Question:
    """Return a question by its name, or a user's SQL as a question. Raises AffrayError."""
    if text in QUESTIONS:
        return QUESTIONS[text]
    if text.split(None, 1)[:1] and text.split(None, 1)[0].lower() in ("select", "with"):
        return Question("sql", "", text, "")
    names = ", ".join(QUESTIONS)
    raise AffrayError(
        f"no question {text!r}{did_you_mean(text, QUESTIONS)}: choose {names}, or SQL that begins with SELECT"
    )


@contextmanager
def open_rows_for_queries(
    places: Sequence[str | Path],
    progress: Callable[[int, int], None] | None = None,
    unread: Callable[[str, str], None] | None = None,
) -> Iterator[sqlite3.Connection]:
    """Open the rows of logs, or one rows file, for queries; they cannot be changed, and nothing else can be
    read.

    A rows file with parts that `affray rows` did not write is refused, and SQL ends after SECONDS. `unread`
    is called with each file that is not a log or cannot be read, and the reason. O(events) for logs, whose
    rows are made in memory. Raises AffrayError if there is no log, and what making rows raises.
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
            raise AffrayError(
                f"{places[0]}: {part} does not belong to a rows file: drop it, or make the file again"
            )
        connection.execute("PRAGMA query_only = ON")
        connection.set_authorizer(_allowed)
        until = time.process_time() + SECONDS
        connection.set_progress_handler(lambda: time.process_time() > until, 100_000)
        yield connection


def _foreign_part(connection: sqlite3.Connection) -> str:
    try:
        return foreign_part(connection)
    except sqlite3.Error as fault:
        raise AffrayError(f"cannot query it: {fault}") from fault


def answer(connection: sqlite3.Connection, question: Question) -> Answer:
    """Return the answer to a question. Raises AffrayError for invalid SQL."""
    try:
        cursor = connection.execute(question.sql)
        rows = [[_readable(one) for one in row] for row in cursor]
    except (sqlite3.Error, sqlite3.Warning) as fault:
        if getattr(fault, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
            raise AffrayError(f"query stopped: it takes more than {SECONDS} seconds") from fault
        raise AffrayError(f"invalid query: {fault}{_hint_for(str(fault), question.sql)}") from fault
    columns = [one[0] for one in cursor.description or ()]
    return Answer(question.name, question.sql.strip(), columns, rows)


def _hint_for(fault: str, sql: str) -> str:
    """Return a hint for an error about a missing name: the nearest one, or the table of that column."""
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
    return "; affray rows --columns all lists all columns"


def _readable(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


def _allowed(action: int, *_: object) -> int:
    return sqlite3.SQLITE_DENY if action in (*_BARRED, sqlite3.SQLITE_PRAGMA) else sqlite3.SQLITE_OK


# --- Metadata of a rows file for Datasette: titles, meanings and units of columns, and the ten questions


def metadata(database: str) -> JsonObject:
    """Return the metadata of a rows file that Datasette serves under the name `database`."""
    tables: JsonObject = {"fights": _described(FIGHTS), "lines": _described(LINES)}
    for name, table in TABLES.items():
        tables[name] = {**_described(table), "size": 50}
        tables[f"{name}_by_line"] = {**_described(table), "description": "The same for every line of play."}
        tables[f"own_{name}"] = {**_described(table), "hidden": True}
    queries = {
        one.name: {"title": one.asked, "sql": one.sql.strip(), "description": f"Bars: {one.bars}."}
        for one in QUESTIONS.values()
    }
    return {"databases": {database: {"tables": tables, "queries": queries}}}


def encode_rows_metadata(rows: Path) -> bytes:
    """Return the metadata of a rows file as JSON; `datasette ROWS --metadata PATH` reads it."""
    return msgspec.json.format(msgspec.json.encode(metadata(rows.stem))) + b"\n"


def _described(table: Kinds) -> dict[str, object]:
    columns = {one.name: one.meaning + (f" ({one.unit})" if one.unit else "") for one in table.columns}
    return {"description": f"One row is {table.row}.", "columns": columns}
