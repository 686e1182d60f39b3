"""Every field of text has words of a vocabulary, names something that must be there, or is told as it is."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields, replace

from affray.engine.dialects import load
from affray.engine.record.acts import FOLLOWED, NAMES, REMARKED, TEXTS, Fields, meaning_of_text, parts_of
from affray.engine.table.scenario import fixed_seed, play_line, set_up
from affray.engine.table.scenario_parts import Line, Scenario
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet
from tests.dialects.test_honoured import each_dialect, hints
from tests.house.wild import tables
from tests.relatives import RELATIVES

NOBODY = "xyzzy"
TRIES = 3
"""So many scenarios are tried for each field."""


def is_text(hint: Any) -> bool:
    """Say whether a field holds text, or names for its parts."""
    if hint is str:
        return True
    if isinstance(hint, type) or get_origin(hint) is Literal:
        return False
    return any(is_text(one) for one in get_args(hint) if one is not ...)


def closed(fields_told: Fields | None, name: str) -> bool:
    """Say whether a field has a vocabulary, told here or judged by its resolver."""
    told = fields_told.told.get(name) if fields_told is not None else None
    return told is not None and not isinstance(told, Fields)


def texts(kind: type[Struct], told: Fields | None) -> Iterator[tuple[str, str]]:
    """Yield ("Strike", "item") of each field of text of a struct and its parts that has no vocabulary."""
    refused = getattr(told, "refuses", ())
    for one in fields(kind):
        unread = told is not None and told.names is not None and one.name not in told.names
        if one.name == "actor" or unread or one.name in refused:
            continue
        if is_text(hints(kind)[one.name]) and not closed(told, one.name):
            yield kind.__name__, one.name
        inner = told.told.get(one.name) if told is not None else None
        for part in parts_of(hints(kind)[one.name]):
            if not issubclass(part, acts.Act):
                yield from texts(part, inner if isinstance(inner, Fields) else None)


@cache
def open_texts(dialect: str) -> frozenset[tuple[str, str]]:
    """Return every field of text of a dialect's declarations, and of sheets, without a vocabulary."""
    return frozenset(one for kind, honours in load(dialect).honours.items() for one in texts(kind, honours))


@each_dialect
def test_every_field_of_text_is_of_one_kind(dialect: str) -> None:
    """A vocabulary, a name, free text, or printed names that are remarked on."""
    assert not {one for one in open_texts(dialect) if not meaning_of_text(*one)}


def test_every_meaning_is_that_of_a_field() -> None:
    """What the table of meanings tells of is a field of text that some dialect leaves open."""
    found = {one for dialect in RELATIVES for one in open_texts(dialect)}
    told = {f"{kind}.{field}" for kind, field in found}
    assert not (set(TEXTS) | REMARKED) - told
    assert not {one for one in NAMES if one not in told and one not in {field for _, field in found}}


def said_otherwise(part: Any) -> Iterator[tuple[tuple[str, str], Any]]:
    """Yield each field of text in which a declaration says something, and the same with another word."""
    for one in fields(type(part)):
        value = getattr(part, one.name)
        if one.name == "actor" or isinstance(value, Sheet) or value == one.default:
            continue
        if is_text(hints(type(part))[one.name]) and value:
            other: Any = NOBODY
            if isinstance(value, tuple):
                first = (NOBODY, *value[0][1:]) if isinstance(value[0], tuple) else NOBODY
                other = (first, *value[1:])
            yield (type(part).__name__, one.name), replace(part, **{one.name: other})
        elif isinstance(value, Struct):
            for key, held in said_otherwise(value):
                yield key, replace(part, **{one.name: held})
        elif isinstance(value, tuple) and value and isinstance(value[0], Struct):
            for key, held in said_otherwise(value[0]):
                yield key, replace(part, **{one.name: (held, *value[1:])})


def lines(scenario: Scenario) -> tuple[Line, ...]:
    """Return the lines of a scenario, its beginning first."""
    start = scenario.begin
    begin = acts.Begin(unaware=start.unaware, round=start.round, turn=start.turn, ambushes=start.ambushes)
    return (Line(begin, scenario.dice, scenario.choose), *scenario.script)


@cache
def places(dialect: str) -> dict[tuple[str, str, str], list[tuple[int, int]]]:
    """Return the lines and scenarios that say something in each field of text, the earliest lines first."""
    found: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for number, scenario in enumerate(tables(dialect)):
        for at, line in enumerate(lines(scenario)):
            if line.do is not None and not any(one.get("type") == "refused" for one in line.expect):
                for key, _ in said_otherwise(line.do):
                    found.setdefault((type(line.do).__name__, *key), []).append((at, number))
    return {key: sorted(entries)[:TRIES] for key, entries in found.items()}


def just_before(scenario: Scenario, at: int) -> Table:
    """Return the table before a line of a scenario."""
    table = set_up(scenario, MemoryStore(), seed=fixed_seed(scenario))
    for line in lines(scenario)[:at]:
        play_line(table, line)
    return table


@each_dialect
def test_unknown_names_are_refused_and_texts_told(dialect: str) -> None:
    """What nobody and nothing is called is refused; free text stands in what comes of the declaration."""
    tried = 0
    for (kind, *key), entries in places(dialect).items():
        part, field = key
        if (part, field) not in open_texts(dialect) or f"{part}.{field}" in FOLLOWED:
            continue  # the latter are judged against the other log: tests/replay/test_followed.py
        told = False
        for at, number in entries:
            scenario = tables(dialect)[number]
            act = dict(said_otherwise(lines(scenario)[at].do))[part, field]
            outcome = just_before(scenario, at).declare(act)
            if f"{part}.{field}" not in TEXTS:
                assert outcome.refused is not None, (kind, part, field, scenario.name)
            told |= any(NOBODY.encode() in event.data for event in outcome.events if event.type != "declared")
            # Of what is brought along a digest is given: other words than those are refused with it.
            told |= outcome.refused is not None and bool(getattr(act, "carried", None))
            tried += 1
        if f"{part}.{field}" in TEXTS:
            assert told, (kind, part, field, scenario.name)
    assert tried > 20
