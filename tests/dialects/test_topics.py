"""Every rule that a dialect's code speaks of stands in its catalogue, and every record is complete."""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, get_args

import pytest

from affray.engine.dialects import Chapters, Dialect, dialects, load
from affray.engine.record.compose import composition_of
from affray.events.facts.flow import AnyAct
from affray.replay.rulebook.places import spoken_of, tree_of

#: Only where advantages are graded can penalties alone make a roll fail.
GRADED = {"disadvantage.auto-fail"}
each_dialect = pytest.mark.parametrize("dialect", dialects())


@cache
def functions(name: str) -> tuple[FunctionType, ...]:
    """Return every function of the engine that a dialect's declarations lead to, also by its points."""
    dialect = load(name)
    waiting: list[Any] = list(dialect.acts.values())
    found: dict[int, FunctionType] = {}
    while waiting:
        function = waiting.pop()
        if isinstance(function, FunctionType):
            function = inspect.unwrap(function)  # what remembers answers stands for what gives them
        if hasattr(function, "composition"):
            for stage in composition_of(function).stages:
                waiting += [stage.function, stage.holds]
        if not isinstance(function, FunctionType) or id(function) in found:
            continue
        if not function.__module__.startswith(("affray.engine.rules", "affray.engine.dialects")):
            continue
        found[id(function)] = function
        waiting += mentioned(function, dialect)
    return tuple(found.values())


def mentioned(function: FunctionType, dialect: Dialect) -> Iterator[Any]:
    """Yield what a function's source names: globals, members of modules, points of the record."""
    code = function.__code__
    local = {*code.co_varnames, *code.co_cellvars}
    known = {name: value for name, value in function.__globals__.items() if name not in local}
    for node in ast.walk(tree_of(function)):
        if isinstance(node, ast.Name):
            yield known.get(node.id)
        elif isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and isinstance(known.get(node.value.id), ModuleType):
                yield getattr(known[node.value.id], node.attr, None)
            else:
                chapter = ast.unparse(node.value).rpartition("dialect.")[2]
                if chapter in Chapters.__struct_fields__:
                    yield getattr(getattr(dialect, chapter), node.attr, None)


@each_dialect
def test_every_topic_is_a_rule(dialect: str) -> None:
    """A step never cites a rule that the dialect's catalogue does not have."""
    book = load(dialect).book
    missing = {
        (topic, f"{function.__module__}.{function.__name__}")
        for function in functions(dialect)
        for topic in spoken_of(function).topics
        if topic not in GRADED and not book.has(topic) and topic not in book
    }
    assert sorted(missing) == []


@each_dialect
def test_every_figure_stands_in_the_catalogue(dialect: str) -> None:
    """A step never asks for a figure that the dialect's catalogue does not have."""
    rules = load(dialect)
    asked = {found for function in functions(dialect) for found in spoken_of(function).figures}
    assert asked
    for topic, figure in sorted(asked):
        if topic not in GRADED:
            assert rules.book.topic_figure(topic, figure) is not None


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
