"""What the catalogue of a dialect lacks: topics and figures that its code can ask for."""

import ast
import inspect
from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any, Final

from msgspec import Struct

from affray.engine.book import UnknownFigure, UnknownRule
from affray.engine.dialects import Chapters, Dialect
from affray.engine.fight.fight import KERNEL
from affray.engine.record.chapters import ConditionRule
from affray.engine.record.compose import composition_of
from affray.engine.record.kernel import Untaken
from affray.replay.rulebook.places import spoken_of, tree_of
from affray.replay.rulebook.points import function_name

GRADED: Final = frozenset({"disadvantage.auto-fail"})
"""Topics that shared code names only for dialects in which penalties alone can make a roll fail."""

RULES: Final = (
    "affray.engine.fight",
    "affray.engine.kernel",
    "affray.engine.rules",
    "affray.engine.dialects",
)
"""The packages with the rules of Affray itself."""


class Lack(Struct, frozen=True):
    """A topic without a rule, or a `figure` that its rule does not have, and the function that names it."""

    function: str
    topic: str
    figure: str = ""


def find_lacks(dialect: Dialect) -> tuple[Lack, ...]:
    """Return the topics and figures that a dialect can ask for and does not have, by function.

    Each raises UnknownRule when a fight gets there. The code is read, not run, so a topic is listed too if no
    fight of this dialect gets there.
    """
    book, found = dialect.book, list[Lack]()
    for function in reachable_functions(dialect):
        spoken, name = spoken_of(function), function_name(function)
        missing = {topic for topic in spoken.topics if not (book.has(topic) or topic in book)}
        found += (Lack(name, topic) for topic in missing - GRADED)
        for topic, figure in spoken.figures:
            if topic not in missing | GRADED and not _has_figure(dialect, topic, figure):
                found.append(Lack(name, topic, figure))
    return tuple(sorted(set(found), key=lambda one: (one.function, one.topic, one.figure)))


class UnreadField(Struct, frozen=True):
    """A field of a condition that no rule of its dialect reads."""

    condition: str
    field: str


def find_unread_fields(dialect: Dialect) -> tuple[UnreadField, ...]:
    """Return the fields of conditions that are set and that no rule reads, in a dialect without chapters.

    The kernel reads some of a `ConditionRule`; the others are for rules of the dialect.
    """
    if dialect.contents != (KERNEL,):
        return ()
    trees = [tree_of(function) for function in reachable_functions(dialect)]
    read = {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    read |= {"each_turn", "turn_over"}  # by a name that is passed on
    found = []
    for name, rule in dialect.kernel.conditions.items():
        usual = ConditionRule(rule.topic)
        for one in ConditionRule.__struct_fields__:
            if one not in read and getattr(rule, one) != getattr(usual, one):
                found.append(UnreadField(name, one))
    return tuple(found)


def _has_figure(dialect: Dialect, topic: str, figure: str) -> bool:
    try:
        return dialect.book.topic_figure(topic, figure) is not None
    except (UnknownFigure, UnknownRule):
        return False


def reachable_functions(dialect: Dialect) -> tuple[FunctionType, ...]:
    """Return every function of the rules that the acts of a dialect lead to, also through its points."""
    waiting: list[Any] = list(dialect.acts.values())
    packages = (*RULES, *_own_packages(dialect))
    found: dict[int, FunctionType] = {}
    while waiting:
        function = waiting.pop()
        if isinstance(function, FunctionType):
            function = inspect.unwrap(function)  # a cached function stands for the one that it caches
        if hasattr(function, "composition"):
            for stage in composition_of(function).stages:
                waiting += [stage.function, stage.holds]
        if not isinstance(function, FunctionType) or id(function) in found:
            continue
        if not function.__module__.startswith(packages):
            continue
        found[id(function)] = function
        waiting += yield_mentioned(function, dialect)
    return tuple(found.values())


def _own_packages(dialect: Dialect) -> set[str]:
    """Return the installed packages whose functions are at points of the record, Affray itself aside."""
    return {one.__module__.partition(".")[0] for one in _stages(dialect)} - {"affray"}


def _stages(dialect: Dialect) -> Iterator[FunctionType]:
    """Yield the functions at the points of a record, those of compositions one by one."""
    waiting: list[Any] = [dialect.acts.values()]
    waiting += [getattr(getattr(dialect, name), point) for name, point in _points(dialect)]
    while waiting:
        value = waiting.pop()
        if hasattr(value, "composition"):
            waiting += [stage.function for stage in composition_of(value).stages]
        elif isinstance(value, FunctionType):
            yield value
        elif isinstance(value, Iterable) and not isinstance(value, str | dict):
            waiting += value


def _points(dialect: Dialect) -> Iterator[tuple[str, str]]:
    for chapter in dialect.contents:
        yield from ((chapter, point) for point in getattr(dialect, chapter).__struct_fields__)


def yield_mentioned(function: FunctionType, dialect: Dialect) -> Iterator[Any]:
    """Yield what the source of a function names: globals, members of modules, points of the record."""
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
                if chapter == KERNEL or chapter in Chapters.__struct_fields__:
                    record = getattr(dialect, chapter)
                    yield None if isinstance(record, Untaken) else getattr(record, node.attr, None)
