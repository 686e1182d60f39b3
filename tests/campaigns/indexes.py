"""Every way to let an index of a log say something else than the table that it serves."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import Any

from msgspec import Struct

from tests.campaigns.workbench import Spoiled, defined

Row = Sequence[Any]
FAR = 100_000
"""How far from its place a number is put: farther than any is."""


def indexed(connection: sqlite3.Connection) -> Iterator[Spoiled]:
    """Yield for every row of every index: taken out, put where none belongs, exchanged with the next.

    The tables stay as they are, row for row.
    """
    found = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name"
    for name, table, sql in connection.execute(found).fetchall():
        _, where, condition = (sql or "").partition(" WHERE ")
        index = Index(name, table, where + condition)
        rows = index.rows(connection)
        for row in rows:
            yield _way(f"{name} without row {row[0]}", partial(index.take_out, row=row))
            yield _way(f"{name} with row {row[0]} elsewhere", partial(index.misplace, row=row))
        for a, b in pairwise(rows):
            yield _way(f"{name} row {a[0]} for {b[0]}", partial(index.exchange, a=a, b=b))


def _way(name: str, edit: Any) -> Spoiled:
    return Spoiled(name, edit, bare=True, unseen=True)


class Index(Struct, frozen=True):
    """An index, its table, whose first column is the number of the row, and which rows it has."""

    name: str
    table: str
    where: str

    def rows(self, connection: sqlite3.Connection) -> list[Row]:
        """Return the rows that the index has, in the order of their numbers."""
        return connection.execute(f"SELECT * FROM {self.table}{self.where} ORDER BY 1").fetchall()

    def take_out(self, connection: sqlite3.Connection, *, row: Row) -> None:
        """Let the index not find a row that is there."""
        self._delete(connection, row[0])
        with self._hidden(connection):
            self._insert(connection, row)

    def misplace(self, connection: sqlite3.Connection, *, row: Row) -> None:
        """Let the index find a row where none belongs."""
        *_, column = [name for (*_, name) in connection.execute(f"PRAGMA index_info({self.name})")]
        elsewhere = f"CASE typeof({column}) WHEN 'integer' THEN {column} + {FAR} ELSE 'elsewhere' END"
        connection.execute(f"UPDATE {self.table} SET {column} = {elsewhere} WHERE rowid = ?", (row[0],))
        with self._hidden(connection):
            for number in (row[0], row[0] + FAR):
                self._delete(connection, number)
            self._insert(connection, row)

    def exchange(self, connection: sqlite3.Connection, *, a: Row, b: Row) -> None:
        """Let the index find each of two rows where the other one belongs."""
        for row in (a, b):
            self._delete(connection, row[0])
        for number, row in ((b[0], a), (a[0], b)):
            self._insert(connection, (number, *row[1:]))
        with self._hidden(connection):
            for row in (a, b):
                self._delete(connection, row[0])
            for row in (a, b):
                self._insert(connection, row)

    def _delete(self, connection: sqlite3.Connection, number: int) -> None:
        connection.execute(f"DELETE FROM {self.table} WHERE rowid = ?", (number,))

    def _insert(self, connection: sqlite3.Connection, row: Row) -> None:
        connection.execute(f"INSERT INTO {self.table} VALUES ({', '.join('?' * len(row))})", row)

    @contextmanager
    def _hidden(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Let the file not know of the index meanwhile, so that it does not follow its table."""
        entry = connection.execute("SELECT * FROM sqlite_master WHERE name = ?", (self.name,)).fetchone()
        ((sql,),) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (self.table,))
        without = sql if entry[4] else re.sub(r", UNIQUE \([^)]*\)", "", sql)
        with defined(connection, [(self.table, without)]):
            connection.execute("DELETE FROM sqlite_master WHERE name = ?", (self.name,))
        yield
        with defined(connection, [(self.table, sql)]):
            connection.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", entry)
