"""A dialect's rules by chapter, each woven together with its readings, its code and its scenarios."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from msgspec import Struct

from affray.engine.book import Book, Contested, Rule
from affray.engine.book.rules import Exceptional
from affray.engine.chapters import CHAPTERS
from affray.replay.rulebook.places import Place, code_places, root, scenario_places

OTHER = "beside the chapters"
"""Where rules stand that no code and no scenario of a chapter names."""

MOST = 8
"""Scenarios that are shown for one rule; of more the number is told."""


class Woven(Struct, frozen=True):
    """A rule with all that belongs to it.

    `code` is where it is applied; `scenarios` are those that expect it, None where there is no checkout;
    `over` are the rules that it takes precedence over, `under` those that do over it.
    """

    rule: Rule
    chapter: str
    contested: tuple[Contested, ...]
    code: tuple[Place, ...]
    scenarios: tuple[Place, ...] | None
    over: tuple[Exceptional, ...]
    under: tuple[Exceptional, ...]


def woven(dialect: str, told: Callable[[], object] = lambda: None) -> list[Woven]:
    """Return the rules of a dialect in the order of its chapters, within each in that of the catalogue.

    Some 5 ms for each rule; `told` is called after each. Raises UnknownDialect.
    """
    book = Book.load(dialect)
    contested = tuple(book.contested.values())
    exceptions = book.precedence.said.exceptions
    found = []
    for rule in book:
        code, scenarios = code_places(book, rule.id), scenario_places(dialect, rule.id)
        found.append(
            Woven(
                rule,
                chapter_of(code, scenarios or ()),
                tuple(entry for entry in contested if rule.id in entry.rules),
                code,
                scenarios,
                tuple(one for one in exceptions if one.rule == rule.id),
                tuple(one for one in exceptions if one.over == rule.id),
            )
        )
        told()
    places = {chapter: number for number, chapter in enumerate((*CHAPTERS, OTHER))}
    return sorted(found, key=lambda one: places[one.chapter])


def chapter_of(code: tuple[Place, ...], scenarios: tuple[Place, ...]) -> str:
    """Return the chapter of a rule: where most of its code stands, or else most of its scenarios."""
    for places in (code, scenarios):
        named = Counter(part for place in places for part in place.file.split("/") if part in CHAPTERS)
        if named:
            most = max(named.values())
            return next(chapter for chapter in CHAPTERS if named[chapter] == most)
    return OTHER


def source_of(place: Place) -> str:
    """Return the function, class or table that stands at a place, whole; else its one line."""
    lines = _rows_of(place.file)
    spans = [span for span in _spans(place.file) if span[0] <= place.line <= span[1]]
    start, end = spans[-1] if spans else (place.line, place.line)
    return "\n".join(lines[start - 1 : end])


def scenario_of(place: Place) -> str:
    """Return the scenario at a place of a table, with the comment above it."""
    lines = _rows_of(place.file)
    heads = [number for number, line in enumerate(lines, 1) if line == "[[scenario]]"]
    start = max((head for head in heads if head <= place.line), default=1)
    end = next((head for head in heads if head > start), len(lines) + 1)
    told = lines[start - 1 : end - 1]
    while told and (told[-1].startswith("#") or not told[-1].strip()):
        told.pop()
    while start > 1 and lines[start - 2].startswith("#"):
        start -= 1
        told.insert(0, lines[start - 1])
    return "\n".join(told)


@cache
def _rows_of(file: str) -> list[str]:
    return (root() / file).read_text(encoding="utf-8").splitlines()


@cache
def _spans(file: str) -> list[tuple[int, int]]:
    """Return the first and last lines of what a source defines, outer before inner."""

    def of(node: ast.AST) -> Iterator[tuple[int, int]]:
        for one in ast.iter_child_nodes(node):
            plain = isinstance(node, ast.Module) and isinstance(one, ast.Assign | ast.AnnAssign)
            if isinstance(one, ast.FunctionDef | ast.ClassDef) or plain:
                assert isinstance(one, ast.stmt)
                first = min([one.lineno, *(each.lineno for each in getattr(one, "decorator_list", ()))])
                yield first, one.end_lineno or one.lineno
                yield from of(one)

    return list(of(ast.parse("\n".join(_rows_of(file)))))
