"""A log with a little of everything, and every way to spoil one of its cells and rows by hand."""

import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from operator import methodcaller
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from affray.engine.table import policies
from affray.engine.table.tactics import next_act
from affray.events import SqliteStore
from affray.events.facts import acts
from affray.replay.cli import affray
from affray.replay.log import playhead
from tests.campaigns.indexes import indexed
from tests.campaigns.workbench import Edit, Spoiled, tables
from tests.house.fights import opened


def called(*words: object) -> Result:
    """Run `affray` with these words in this process."""
    return CliRunner().invoke(affray, [str(word) for word in words], prog_name="affray")


def built(dialect: str, path: Path, declarations: int = 12) -> Path:
    """Play a log with branches of branches, rulings, promotions, an undo, kept states, requests, settings."""
    spacing, playhead.SPACING = playhead.SPACING, 5
    try:
        with SqliteStore(path, synchronous="NORMAL") as store:
            table = opened(dialect, store, 3)
            table.use(answers=policies.auto)
            table.declare(acts.Begin(), request="begin")
            for number in range(declarations):
                act = next_act(table)
                assert act is not None
                table.declare(act, request=f"r{number}")
            hit = [one.seq for one in store.read("main") if one.type in ("attack.resolved", "check.resolved")]
        at = hit[0] if hit else 12
        for words in (
            ("dispute", path, at, "--by", "Anna", "--claim", "cover"),
            ("ruling", path, "overturn", "--at", at, "--text", "so be it", "--by", "GM", "--promote"),
            ("fork", path, "--at", "r1", "--as", "second", "--branch", "main"),
            ("fork", path, "--at", "r1", "--as", "third", "--branch", "second"),
            ("fork", path, "--at", "12", "--as", "empty", "--branch", "third"),
            ("fork", path, "--at", "12", "--as", "void", "--branch", "empty"),
            ("promote", path, "second", "--by", "Ben"),
            ("promote", path, "third"),
            ("manual", path, "everybody"),
            ("manual", path, "--off"),
            ("promote", path, "main"),
            ("undo", path, "1"),
            ("redo", path),
        ):
            result = called(*words)
            assert result.exit_code == 0, (words, result.output)
        with SqliteStore(path) as store:
            for one in store.branches():
                playhead.state_at(store, one.name, store.head(one.name).seq)
    finally:
        playhead.SPACING = spacing
    return path


def spoilings(path: Path, dice: random.Random) -> Iterator[Spoiled]:
    """Yield every change, deletion, doubling and swap of every cell and row of every table.

    And every number of the header changed, every row of every index taken out, put in twice or exchanged.
    """
    yield from HEADER
    with closing(sqlite3.connect(path)) as connection:
        for table in tables(connection):
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            keys = _keys(connection, table)
            rows = connection.execute(f"SELECT {', '.join(keys)} FROM {table}").fetchall()
            for row in rows:
                what = f"{table} {'/'.join(map(str, row))}"
                yield Spoiled(f"{what} deleted", _delete(table, keys, row))
                yield Spoiled(f"{what} doubled", _double(table, columns, keys, row))
                for column in columns:
                    for kind, value in CHANGES.items():
                        new = value.format(column) if value else _of_another(table, keys, column, rows, dice)
                        edit = _change(table, keys, row, column, new)
                        yield Spoiled(f"{what} {column} {kind}", edit, bare=kind in BARE)
            others = list(rows)
            dice.shuffle(others)
            pairs = [*pairwise(rows), *zip(rows, others, strict=True), *_of_promotions(connection, table)]
            for a, b in pairs:
                for column in columns if a != b else ():
                    name = f"{table} {'/'.join(map(str, a))} swapped {column} with {'/'.join(map(str, b))}"
                    yield Spoiled(name, _swap(table, keys, column, a, b))
        yield from indexed(connection)


HEADER = [
    Spoiled(f"header {name} is {value}", methodcaller("execute", f"PRAGMA {name} = {value}"))
    for name, values in {"user_version": (-1, 0, 1, 2, 4, 99), "application_id": (0, 1)}.items()
    for value in values
]
"""What is done to the numbers by which a file is known for a log of some release."""


def _keys(connection: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns by which a row is found."""
    found = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return [row[1] for row in found if row[5]]


def _of_promotions(connection: sqlite3.Connection, table: str) -> list[tuple[Any, Any]]:
    if table != "events":
        return []
    sql = "SELECT position FROM events WHERE type = 'branch.promoted'"
    return list(pairwise(connection.execute(sql).fetchall()))


CHANGES = {
    "changed": "CASE typeof({0}) WHEN 'integer' THEN {0} + 1 WHEN 'blob' THEN CAST('[\"ogre\"]' AS BLOB) ELSE"
    " CASE WHEN length({0}) = 64 AND {0} NOT GLOB '*[^0-9a-f]*'"
    " THEN substr({0}, 1, 63) || CASE substr({0}, 64) WHEN '0' THEN '1' ELSE '0' END"
    " WHEN json_valid({0}) AND {0} LIKE '{{%' THEN replace({0}, '1', '2') || ' ' ELSE {0} || 'x' END END",
    "lowered": "CASE typeof({0}) WHEN 'integer' THEN max({0} - 1, 0) WHEN 'blob' THEN x'00' ELSE '' END",
    "raised": "CASE typeof({0}) WHEN 'integer' THEN {0} + 100000 ELSE CAST({0} AS TEXT) || '0' END",
    "set to another's": None,
    "of another type": "CASE typeof({0}) WHEN 'integer' THEN 'x' ELSE 7 END",
    "emptied": "NULL",
}
"""What is done to one cell, in SQL, the cell being {0}; without SQL it gets the value of another row."""

BARE = {"of another type", "emptied", "lowered", "raised"}


def _where(keys: Sequence[str]) -> str:
    return " AND ".join(f"{key} = ?" for key in keys)


def _delete(table: str, keys: Sequence[str], row: Sequence[Any]) -> Edit:
    return lambda connection: connection.execute(f"DELETE FROM {table} WHERE {_where(keys)}", row)


def _double(table: str, columns: Sequence[str], keys: Sequence[str], row: Sequence[Any]) -> Edit:
    """Put the row in once more, under the next key or name that is free."""
    fresh = {
        "events": {
            "position": "NULL",
            "seq": "(SELECT max(seq) + 1 FROM events x WHERE x.stream = t.stream)",
        },
        "branches": {"id": "NULL", "name": "name || '-2'"},
        "record": {"number": "NULL"},
        "requests": {"request": "request || '-2'"},
        "secrets": {"name": "substr(name, 1, 8) || 9"},
        "checkpoints": {"id": "NULL", "seq": "seq + 1"},
        "_sqlite_migrations": {"id": "NULL", "name": "name || '-2'"},
    }[table]
    values = ", ".join(fresh.get(column, column) for column in columns)
    sql = f"INSERT INTO {table} SELECT {values} FROM {table} t WHERE {_where(keys)}"
    return lambda connection: connection.execute(sql, row)


def _of_another(
    table: str, keys: Sequence[str], column: str, rows: Sequence[object], dice: random.Random
) -> str:
    order = ", ".join(keys)
    return f"(SELECT {column} FROM {table} ORDER BY {order} LIMIT 1 OFFSET {dice.randrange(len(rows))})"


def _change(table: str, keys: Sequence[str], row: Sequence[Any], column: str, new: str) -> Edit:
    sql = f"UPDATE {table} SET {column} = {new} WHERE {_where(keys)}"
    return lambda connection: connection.execute(sql, row)


def _swap(table: str, keys: Sequence[str], column: str, a: Sequence[Any], b: Sequence[Any]) -> Edit:
    def edit(connection: sqlite3.Connection) -> None:
        read = f"SELECT {column} FROM {table} WHERE {_where(keys)}"
        ((one,), (other,)) = (connection.execute(read, row).fetchone() for row in (a, b))
        write = f"UPDATE {table} SET {column} = ? WHERE {column} = ?"
        if column in keys or (table == "events" and column == "seq"):
            # Both rows have a place of their own meanwhile, or the index would not let them pass.
            meanwhile = 2**40 if isinstance(one, int) else "meanwhile"
            if column != "seq":
                for new, old in ((meanwhile, one), (one, other), (other, meanwhile)):
                    connection.execute(write, (new, old))
                return
            set_ = f"UPDATE {table} SET {column} = ? WHERE {_where(keys)}"
            for new, row in ((meanwhile, a), (one, b), (other, a)):
                connection.execute(set_, (new, *row))
            return
        set_ = f"UPDATE {table} SET {column} = ? WHERE {_where(keys)}"
        if column == "name":
            connection.execute(set_, ("meanwhile", *a))
        connection.execute(set_, (one, *b))
        connection.execute(set_, (other, *a))

    return edit
