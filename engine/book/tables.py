"""Tables that a rule text names and does not print: data files that a campaign can replace.

A file has a title, the id of the rule that names the table, and rows:

    title = "Concealment"
    rule = "woa.concealment.table"
    key = "degree"

    [[row]]
    degree = "one-half"
    attack = -4
    ac = "= woa.concealment.cap/ac"

A cell that begins with `= ` stands for a printed figure, by its address. In the tables that ship with a
dialect every other figure is assumed: filled from the nearest published table. The rows become the figures
of the rule, so a table is read, searched and changed like any other figure.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from affray.engine.book.errors import BadTable
from affray.engine.book.rule import Rule
from affray.engine.book.toml import parsed
from affray.events.files import read_found
from affray.events.misfit import fitted

PRINTED = "= "
"""How a cell begins that stands for a printed figure."""

LARGEST_TABLE = 200_000
"""The longest text of a table file, in characters."""


class TableFile(Struct, frozen=True, forbid_unknown_fields=True):
    """One table: the rows of a rule's figures, each a mapping from column to cell.

    `key` is the column by whose texts rows are looked up, "" where they are not.
    """

    title: str
    rule: str
    row: tuple[dict[str, Any], ...]
    key: str = ""


def parse_table(text: str, where: str) -> TableFile:
    """Return the table that a TOML text holds. Raises BadTable."""
    if len(text) > LARGEST_TABLE:
        raise BadTable(f"{where}: a table has {LARGEST_TABLE} characters at most")
    try:
        table: TableFile = fitted(parsed(text), TableFile)
    except ValueError as fault:
        raise BadTable(f"{where}: {fault}") from fault
    for number, row in enumerate(table.row, 1):
        for column, value in row.items():
            if not _is_plain(value):
                raise BadTable(f"{where}: row {number}: {column} is no text, whole number or list of such")
    return table


def read_folder(folder: Path, known: Mapping[str, TableFile], within: Path | None = None) -> dict[str, str]:
    """Return the tables of a campaign's folder, rule id -> rows as JSON text.

    `known` are those of the dialect: a file must replace one of them and keep its columns and, where rows
    are looked up by a key, all of its keys. Each is a regular file under `within`, or else the folder itself.
    Raises BadTable for a file that does not, and for none at all.
    """
    if not known:
        raise BadTable("this dialect has no tables that a campaign could replace")
    files = sorted(folder.glob("*.toml")) if folder.is_dir() else []
    if not files:
        raise BadTable(f"{folder}: there is no table (*.toml) in this folder")
    found: dict[str, str] = {}
    for file in files:
        try:
            table = parse_table(read_found(file, 4 * LARGEST_TABLE, within or folder).decode(), str(file))
        except (OSError, UnicodeDecodeError) as fault:
            raise BadTable(f"{file}: {getattr(fault, 'strerror', '') or fault}") from fault
        if table.rule not in known:
            raise BadTable(
                f"{file}: no table belongs to {table.rule!r}; there are {', '.join(sorted(known))}"
            )
        if table.rule in found:
            raise BadTable(f"{file}: a second table for {table.rule}")
        _fits(table, known[table.rule], str(file))
        found[table.rule] = msgspec.json.encode(table.row, order="sorted").decode()
    return found


def with_rows(
    rules: Iterable[Rule], rows: Mapping[str, tuple[dict[str, Any], ...]], origin: str
) -> list[Rule]:
    """Return the rules, those with rows with these as their figures and `origin` as their provenance."""
    return [
        msgspec.structs.replace(rule, figures=list(rows[rule.id]), provenance=origin)
        if rule.id in rows
        else rule
        for rule in rules
    ]


def _is_plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(_is_plain(each) for each in value)
    if isinstance(value, dict):
        return all(_is_plain(each) for each in value.values())
    return isinstance(value, str | bool) or (isinstance(value, int) and abs(value) <= 1_000_000)


def _fits(table: TableFile, model: TableFile, where: str) -> None:
    columns = {column for row in model.row for column in row}
    for number, row in enumerate(table.row, 1):
        if unknown := sorted(row.keys() - columns):
            raise BadTable(f"{where}: row {number}: no column {unknown[0]!r}; there are {', '.join(columns)}")
    there = {row.get(model.key) for row in table.row}
    if missing := [row[model.key] for row in model.row if model.key and row[model.key] not in there]:
        raise BadTable(f"{where}: the row {missing[0]!r} is missing")
