"""Tables as CSV, which a spreadsheet opens without running anything that a player wrote."""

import csv
from collections.abc import Iterable
from typing import TextIO

from affray.events.envelope import Event
from affray.events.errors import printable
from affray.projections.tables import Cell, columns, rows

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Beginnings of a text that spreadsheets take for a formula, or strip until they find one."""


def write(events: Iterable[Event], table: str, out: TextIO) -> int:
    """Write a table with its header as RFC 4180 says; return the number of rows under the header.

    A text that a spreadsheet would run as a formula gets an apostrophe before it, so that it is shown
    instead; numbers stay numbers. Nothing in a text steers a terminal or begins a new row. `out` must not
    translate line ends. Raises UnknownTable.
    """
    writer = csv.writer(out)
    writer.writerow(columns(table))
    count = 0
    for row in rows(events, table):
        writer.writerow([defused(_clean(one)) for one in row])
        count += 1
    return count


def _clean(value: Cell) -> Cell:
    return printable(value) if isinstance(value, str) else value


def defused(value: Cell) -> Cell:
    """Return a cell that no spreadsheet takes for a formula."""
    if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA):
        return f"'{value}"
    return value
