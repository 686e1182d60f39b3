"""Every rule that a dialect's code speaks of stands in its catalogue, and every record is complete."""

import re
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import get_args

import pytest
from msgspec.structs import replace

from affray.engine.book import Book
from affray.engine.dialects import Chapters, Dialect, dialects, load
from affray.events.facts.flow import AnyAct
from affray.replay.rulebook.lacks import find_lacks, reachable_functions
from affray.replay.rulebook.places import spoken_of
from tests.relatives import RELATIVES

each_dialect = pytest.mark.parametrize("dialect", RELATIVES)


@cache
def functions(name: str) -> tuple[FunctionType, ...]:
    """Return every function of the engine that a dialect's declarations lead to, also by its points."""
    return reachable_functions(load(name))


@each_dialect
def test_no_topic_or_figure_is_missing(dialect: str) -> None:
    """No step names a rule or a figure that the catalogue of the dialect does not have."""
    rules = load(dialect)
    assert find_lacks(rules) == ()
    assert len(functions(dialect)) > 500
    assert any(spoken_of(function).figures for function in functions(dialect))


def test_what_a_catalogue_lacks_is_listed() -> None:
    """A topic or a figure that is taken from the catalogue is listed with the functions that name it."""
    rules = load("srd35")
    book = Book(
        "srd35", [rule for rule in rules.book if rule.id not in ("srd35.charge.attack", "srd35.flank.bonus")]
    )
    lacks = find_lacks(replace(rules, book=book))
    assert {one.topic for one in lacks} & {"charge.attack", "srd35.charge.attack"}
    assert all(one.function.startswith("affray.engine.") for one in lacks)


@each_dialect
def test_every_condition_rests_on_rules_and_figures(dialect: str) -> None:
    """What a condition changes, denies and forbids is read from the catalogue."""
    rules = load(dialect)
    assert rules.conditions.table
    for name, condition in rules.conditions.table.items():
        assert rules.book.has(condition.topic), name
        assert not condition.dexterity_topic or rules.book.has(condition.dexterity_topic), name
        for change in condition.changes:
            assert isinstance(rules.book.topic_figure(change.topic, *change.path), int | float), (
                name,
                change.stat,
            )
            if change.only is not None:
                option, reading = change.only
                assert rules.book.reading(option, {option: reading}).name == reading
        if condition.casting is not None:
            assert rules.book.topic_figure(*condition.casting), name


@each_dialect
def test_aliases_lead_to_rules_and_figures(dialect: str) -> None:
    """No line of a dialect's topics leads nowhere."""
    rules = load(dialect)
    book = rules.book
    assert [topic for topic in book.topics if not book.has(topic)] == []
    for address in book.figure_topics:
        topic, _, path = address.partition("/")
        assert rules.book.topic_figure(topic, *(path.split("/") if path else ())) is not None, address


@each_dialect
def test_records_are_complete(dialect: str) -> None:
    """Every point of a record is a function, a word or words, a yes or no, and its acts are declarations."""
    rules: Dialect = load(dialect)
    named = ("rolls", "questions", "sheet_names")
    lists = ("acts", "substitutes", "table", "degrees", "around", "dangers", "immune_natures", *named)
    for chapter in Chapters.__struct_fields__:
        record = getattr(rules, chapter)
        for field in record.__struct_fields__:
            value = getattr(record, field)
            plain = isinstance(value, bool | str | frozenset)
            assert field in lists or callable(value) or plain, f"{chapter}.{field}"
    assert set(rules.acts) <= set(get_args(AnyAct))
    assert rules.book.has("actions")
    assert set(rules.options) == set(rules.book.contested)
    assert rules.name == dialect
    assert rules.title


ID = re.compile(r"\b(srd35|pf1|futurepath|woa)((?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+)(\.?\*)?")


def test_ids_that_docstrings_name_are_rules() -> None:
    """A full id in the engine's sources is that of a rule, or of several where it ends with a star."""
    known = {rule.id for dialect in dialects() for rule in load(dialect).book}
    engine = Path(__file__).parents[2] / "engine"
    unknown = set()
    for file in [
        *engine.glob("rules/**/*.py"),
        *engine.glob("dialects/**/*.py"),
        *engine.glob("record/*.py"),
    ]:
        for line in file.read_text(encoding="utf-8").splitlines():
            if "affray.engine" in line:
                continue
            for found in ID.finditer(line):
                id = found.group(1) + found.group(2)
                if id not in known and not any(one.startswith(id) for one in known):
                    unknown.add(f"{file.relative_to(engine)}: {found.group(0)}")
    assert sorted(unknown) == []
