"""The rules that a function's source speaks of: topics in its calls and texts, ids in its docstring."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType
from typing import Any, Final

from msgspec import Struct

from affray.engine.book import Book

CALLS: Final = frozenset({"rule", "rules", "figure", "formula", "modifier"})
"""The calls whose first text is a topic; all texts of `rules` are."""

FIGURES: Final = frozenset({"figure", "formula", "modifier"})
"""Those that ask for a figure of the topic, by the path that follows."""

DOTTED: Final = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")

STATS: Final = frozenset(
    {
        "no.defense",
        *(f"{roll}.{way}" for roll in ("attack", "defense") for way in ("melee", "ranged")),
        *("attack.dexterity", "attack.strength", "damage.strength", "save.ref", "save.fort", "save.will"),
    }
)
"""Names of numbers, which look like topics."""


class Spoken(Struct, frozen=True):
    """What a source speaks of, in its order: topics, figures as (topic, key), names in its docstring."""

    topics: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]
    named: tuple[str, ...]


class Cited(Struct, frozen=True):
    """A rule that a source speaks of, and the topic by which it does; "" where it gives the id itself."""

    rule: str
    topic: str = ""


def literals(node: ast.AST) -> list[str]:
    """Return the texts that an expression may be: itself, or either branch of a choice."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    return []


def topics_of_call(node: ast.AST) -> Iterator[str]:
    """Yield the topics that a call to one of CALLS names; nothing for anything else."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CALLS:
        for argument in node.args if node.func.attr == "rules" else node.args[:1]:
            yield from literals(argument)


def figures_of_call(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the figures (topic, key) that a call asks for with one key; nothing for anything else."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    if node.func.attr in FIGURES and len(node.args) == 2:
        yield from ((topic, key) for topic in literals(node.args[0]) for key in literals(node.args[1]))


@cache
def _functions_of(file: str) -> dict[int, list[ast.AST]]:
    """Return the functions of a file by their first line, that of the first decorator."""
    found: dict[int, list[ast.AST]] = {}
    with open(file, encoding="utf-8") as source:
        tree = ast.parse(source.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            line = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            node.decorator_list = []  # what a function is remembered by is no rule
            found.setdefault(line, []).append(node)
        elif isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    return found


@cache
def tree_of(function: FunctionType) -> ast.AST:
    """Return the syntax tree of a function."""
    there = _functions_of(function.__code__.co_filename).get(function.__code__.co_firstlineno, ())
    if len(there) == 1:
        return there[0]
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


@cache
def spoken_of(function: FunctionType) -> Spoken:
    """Return what a function's source speaks of."""
    topics: dict[str, None] = {}
    figures: dict[tuple[str, str], None] = {}
    nodes = [node for node in ast.walk(tree_of(function)) if isinstance(node, ast.expr)]
    for node in sorted(nodes, key=lambda one: (one.lineno, one.col_offset)):
        texts = (text for text in literals(node) if DOTTED.fullmatch(text) and text not in STATS)
        topics.update(dict.fromkeys(texts))
        topics.update(dict.fromkeys(topics_of_call(node)))
        figures.update(dict.fromkeys(figures_of_call(node)))
    named = (match.group() for match in DOTTED.finditer(function.__doc__ or ""))
    return Spoken(tuple(topics), tuple(figures), tuple(dict.fromkeys(named)))


def cited_by(book: Book, function: Callable[..., Any]) -> tuple[Cited, ...]:
    """Return the rules of a book that a function's source speaks of, each once, in the source's order.

    A topic that the book does not have says nothing here: shared functions speak for several dialects.
    """
    if not isinstance(function, FunctionType):
        return ()
    spoken = spoken_of(function)
    found = {id: Cited(id) for id in spoken.named if id in book}
    for topic, key in spoken.figures:
        if f"{topic}/{key}" in book.figure_topics:
            found.setdefault(book.place(topic, key)[0], Cited(book.place(topic, key)[0], f"{topic}/{key}"))
    for topic in spoken.topics:
        if topic in book:
            found.setdefault(topic, Cited(topic))
        elif book.has(topic):
            found.setdefault(book.topic_id(topic), Cited(book.topic_id(topic), topic))
    return tuple(found.values())
