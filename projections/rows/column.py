"""What a column of the rows is: a name, a type, a unit and a meaning, said once for every medium."""

from typing import Literal

from msgspec import Struct

Kind = Literal["integer", "real", "text", "truth"]
"""What a cell holds where it holds anything: any may be empty (NULL)."""


class Column(Struct, frozen=True):
    """One column: what it is called, what it holds, in which unit ("" for none), and what that means."""

    name: str
    kind: Kind
    unit: str
    meaning: str


class Kinds(Struct, frozen=True):
    """One table: its name, what one of its rows is, the types of events it is made of, its columns."""

    name: str
    row: str
    events: tuple[str, ...]
    columns: tuple[Column, ...]


def number(name: str, meaning: str, unit: str = "") -> Column:
    """Return a column of whole numbers."""
    return Column(name, "integer", unit, meaning)


def text(name: str, meaning: str, unit: str = "") -> Column:
    """Return a column of texts."""
    return Column(name, "text", unit, meaning)


def share(name: str, meaning: str, unit: str = "0 to 1") -> Column:
    """Return a column of fractions: a chance, or a mean."""
    return Column(name, "real", unit, meaning)


def truth(name: str, meaning: str) -> Column:
    """Return a column of truth values; 0 and 1 in SQLite."""
    return Column(name, "truth", "", meaning)
