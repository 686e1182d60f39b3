"""The rule catalogues: every rule by id, its figures, and the readings of contested rules."""

from affray.engine.book.catalogue import Book
from affray.engine.book.errors import (
    UnknownDialect,
    UnknownFigure,
    UnknownOption,
    UnknownReading,
    UnknownRule,
)
from affray.engine.book.figures import Figure, nudged
from affray.engine.book.rule import Contested, Reading, Rule
from affray.engine.book.source import dialects

__all__ = [
    "Book",
    "Contested",
    "Figure",
    "Reading",
    "Rule",
    "UnknownDialect",
    "UnknownFigure",
    "UnknownOption",
    "UnknownReading",
    "UnknownRule",
    "dialects",
    "nudged",
]
