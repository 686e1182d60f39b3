"""The rule dialects by name."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from affray.engine.book import Book, UnknownDialect, dialects
from affray.engine.record.dialect import Chapters, Dialect


def load(
    name: str, changes: Mapping[str, Any] | None = None, tables: Mapping[str, str] | None = None
) -> Dialect:
    """Return a dialect ready for play, imported on first use.

    `changes` alters figures of its catalogue, `tables` replaces tables (see `Book.load`); both give a
    separate dialect. Raises UnknownDialect, BadTable.
    """
    if name not in dialects():
        raise UnknownDialect(name, dialects())
    if not changes and not tables:
        return _installed(name)
    wanted = (name, dict(changes or {}), dict(tables or {}))
    # Every declaration of a fight asks for the same one.
    if _last.get("wanted") != wanted:
        _last.update(wanted=wanted, dialect=_build(name, Book.load(name, changes, tables)))
    made: Dialect = _last["dialect"]
    return made


_last: dict[str, Any] = {}
"""The last dialect that was built with changes or tables."""


@cache
def _installed(name: str) -> Dialect:
    return _build(name, Book.load(name))


def _build(name: str, book: Book) -> Dialect:
    module = import_module(f"affray.engine.dialects.{name}")
    chapters = {name: getattr(module.CHAPTERS, name) for name in Chapters.__struct_fields__}
    return Dialect(
        name=name,
        title=module.TITLE,
        book=book,
        options={option: entry.default for option, entry in book.contested.items()},
        **chapters,
    )


__all__ = ["Chapters", "Dialect", "dialects", "load"]
