"""The rule dialects by name."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from affray.engine.book import Book, UnknownDialect, dialects
from affray.engine.dialects.dialect import Dialect, Points


def load(name: str, changes: Mapping[str, Any] | None = None) -> Dialect:
    """Return a dialect ready for play, imported on first use.

    `changes` alters figures of its catalogue (see `Book.load`) and gives a separate dialect.
    Raises UnknownDialect.
    """
    if name not in dialects():
        raise UnknownDialect(name, dialects())
    return _build(name, Book.load(name, changes)) if changes else _installed(name)


@cache
def _installed(name: str) -> Dialect:
    return _build(name, Book.load(name))


def _build(name: str, book: Book) -> Dialect:
    made: Dialect = import_module(f"affray.engine.dialects.{name}").build(book)
    return made


__all__ = ["Dialect", "Points", "dialects", "load"]
