"""The log as plain tables: one row per event, one column per field, for spreadsheets and data frames.

The table `events` lists every event with one sentence; every type of event has a table with its name
("attack.resolved") and the fields of `docs/events.md` as columns. Numbers, truth values and texts are
unchanged; lists become text: modifiers as `armor +4 (chain shirt); [dodge +1]`, with brackets around
those that did not count, other values as JSON.
"""

import csv
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO

import msgspec

from affray.events.codec import TAG_OF, decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError, did_you_mean, printable
from affray.events.facts.sheet import Modifier
from affray.events.facts.words import NO_WORDS, DialectWords
from affray.projections.sentence import sentence
from affray.projections.timeline import filed

EVENTS = "events"
"""The table of all events."""

PLACE = ("seq", "round", "turn", "actor", "cause")
"""The columns with which every table begins."""

Cell = str | int | bool | None

_TYPES = {tag: fact for fact, tag in TAG_OF.items()}


class UnknownTable(AffrayError):
    """There is no table of that name."""


def tables() -> list[str]:
    """Return the names of all tables: `events` first, then the types of events."""
    return [EVENTS, *sorted(_TYPES)]


def columns(table: str) -> tuple[str, ...]:
    """Return the names of a table's columns. Raises UnknownTable."""
    if table == EVENTS:
        return (*PLACE, "type", "sentence", "cites")
    fact = _TYPES.get(table)
    if fact is None:
        kinds = "it is events, or a type of events"
        raise UnknownTable(f"there is no table {table!r}: {kinds}{did_you_mean(table, tables())}")
    return (*PLACE, *(field.encode_name for field in msgspec.structs.fields(fact)))


def no_words(dialect: str) -> DialectWords:
    """Return no words for any dialect."""
    return NO_WORDS


def rows(
    events: Iterable[Event], table: str, words: Callable[[str], DialectWords] = no_words
) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows of a table in the order of the log, cells in the order of `columns`. O(events).

    Sentences are in the `words` of the dialect, given by its name, unless the log records them. Raises
    UnknownTable, and NewerLog or BrokenLog as decoding does.
    """
    columns(table)
    fields = () if table == EVENTS else msgspec.structs.fields(_TYPES[table])
    spoken = NO_WORDS
    for event in events:
        if table != EVENTS and event.type != table:
            continue
        fact = decode(event)
        place = (event.seq, *filed(event, fact), event.actor, event.cause)
        if event.type == "encounter.opened":
            spoken = fact.words or words(fact.dialect)
        if table == EVENTS:
            yield (*place, event.type, sentence(fact, spoken), "; ".join(getattr(fact, "cites", ())))
        else:
            yield (*place, *(cell(getattr(fact, field.name)) for field in fields))


def cell(value: object) -> Cell:
    """Return a value as the text of a cell."""
    if value is None or isinstance(value, str | int):
        return value
    if value is msgspec.UNSET:
        return ""
    if isinstance(value, Modifier):
        return _modifier_text(value)
    if isinstance(value, tuple) and value:
        if all(isinstance(each, Modifier) for each in value):
            return "; ".join(map(_modifier_text, value))
        if all(isinstance(each, str | int) for each in value):
            return "; ".join(map(str, value))
    return "" if value == () else msgspec.json.encode(value, order="deterministic").decode()


def _modifier_text(part: Modifier) -> str:
    source = "" if part.source in ("", part.kind) else f" ({part.source})"
    told = f"{part.kind} {part.value:+d}{source}"
    return f"[{told}]" if part.denied else told


# --- Tables as CSV, from which a spreadsheet runs no formula written by a player

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Characters at the start of a text that make it a formula for spreadsheets, or that they strip first."""


def write(
    events: Iterable[Event], table: str, out: TextIO, words: Callable[[str], DialectWords] = no_words
) -> int:
    """Write a table with a header as defined by RFC 4180; return the number of rows.

    A text that a spreadsheet would run as a formula gets an apostrophe before it, so that it is shown
    instead; numbers stay numbers. `words` are those of a dialect by its name. Nothing in a text steers a
    terminal or begins a new row. `out` must not translate line ends. Raises UnknownTable.
    """
    writer = csv.writer(out)
    writer.writerow(columns(table))
    count = 0
    for row in rows(events, table, words):
        writer.writerow([defuse_formula(_clean(one)) for one in row])
        count += 1
    return count


def _clean(value: Cell) -> Cell:
    return printable(value) if isinstance(value, str) else value


def defuse_formula(value: Cell) -> Cell:
    """Return a cell that no spreadsheet reads as a formula."""
    if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA):
        return f"'{value}"
    return value
