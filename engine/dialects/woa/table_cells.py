"""Figures of the tables that the text names and does not print, or that a campaign brought instead.

The rows stand in `tables/*.toml` (see `affray.engine.book.rules`). A cell is cited by the table's rule,
whose provenance says that it is assumed or the campaign's; a cell that stands for a printed figure by the
rule that prints it. With the reading `printed-only` of `unprinted_tables`, assumed cells are empty.
"""

from typing import Any

from msgspec import Struct

from affray.engine.book import PRINTED
from affray.engine.book.rules import split
from affray.engine.fight.fight import Fight
from affray.events.facts.sheet import Modifier


class Cell(Struct, frozen=True):
    """One figure of a table with the rule that it comes from; `assumed` if the text does not print it."""

    value: Any
    rule: str
    assumed: bool


def cell(fight: Fight, topic: str, *path: str | int) -> Cell | None:
    """Return a figure of the table on a topic, such as `("concealment.table", "degree=total", "attack")`.

    None for an assumed one if only what is printed counts. Raises UnknownFigure for a cell there is not.
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
    """Return the modifier that a cell gives, with the cell's citation; none for 0 or an empty cell."""
    found = cell(fight, topic, *path)
    return [Modifier(found.value, kind, source, found.rule)] if found is not None and found.value else []
