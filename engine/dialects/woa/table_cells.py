"""Read figures of tables that the text names but does not print, or that a campaign supplied.

The rows are in `tables/*.toml` (see `affray.engine.book.rules`). A cell cites the table's rule, whose
provenance is "assumed" or the campaign; a cell that refers to a printed figure cites the rule that prints it.
With the reading `printed-only` of `unprinted_tables`, assumed cells are empty.
"""

from typing import Any

from msgspec import Struct

from affray.engine.book import PRINTED
from affray.engine.book.rules import split
from affray.engine.fight.fight import Fight
from affray.events.facts.sheet import Modifier


class Cell(Struct, frozen=True):
    """One figure of a table with its rule; `assumed` if the text does not print it."""

    value: Any
    rule: str
    assumed: bool


def cell(fight: Fight, topic: str, *path: str | int) -> Cell | None:
    """Return a figure of the table on a topic, such as `("concealment.table", "degree=total", "attack")`.

    None for an assumed figure if only printed ones count. Raises UnknownFigure for a missing cell.
    """
    value = fight.figure(topic, *path)
    if isinstance(value, str) and value.startswith(PRINTED):
        rule, _, rest = value.removeprefix(PRINTED).partition("/")
        return Cell(fight.book.figure(rule, *split(rest)), rule, False)
    rule = fight.rule(topic)
    assumed = fight.book[rule].provenance == "assumed"
    if assumed and fight.option("unprinted_tables") == "printed-only":
        return None
    return Cell(value, rule, assumed)


def table_modifier(
    fight: Fight, topic: str, *path: str | int, kind: str = "", source: str = ""
) -> list[Modifier]:
    """Return the modifier of a cell, with the cell's citation; none for 0 or an empty cell."""
    found = cell(fight, topic, *path)
    return [Modifier(found.value, kind, source, found.rule)] if found is not None and found.value else []
