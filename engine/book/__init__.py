"""The rule catalogues: every rule by id, its figures, and the readings of contested rules."""

from affray.engine.book.card import Card, card, card_rows, card_text, contested, search
from affray.engine.book.catalogue import Book
from affray.engine.book.compare import (
    BookDifference,
    Coverage,
    TopicDifference,
    coverage,
    diff,
    topics,
    unknown_citations,
)
from affray.engine.book.errors import (
    BadPackage,
    BadTable,
    MissingPackage,
    UnknownDialect,
    UnknownFigure,
    UnknownOption,
    UnknownReading,
    UnknownRule,
    UnreadFigure,
    UnreadOption,
)
from affray.engine.book.figures import Figure, nudged
from affray.engine.book.rule import Contested, Reading, Rule
from affray.engine.book.source import dialects, read_tables, shipped, table_texts
from affray.engine.book.tables import PRINTED, read_folder

__all__ = [
    "PRINTED",
    "BadPackage",
    "BadTable",
    "Book",
    "BookDifference",
    "Card",
    "Contested",
    "Coverage",
    "Figure",
    "MissingPackage",
    "Reading",
    "Rule",
    "TopicDifference",
    "UnknownDialect",
    "UnknownFigure",
    "UnknownOption",
    "UnknownReading",
    "UnknownRule",
    "UnreadFigure",
    "UnreadOption",
    "card",
    "card_rows",
    "card_text",
    "contested",
    "coverage",
    "dialects",
    "diff",
    "nudged",
    "read_folder",
    "read_tables",
    "search",
    "shipped",
    "table_texts",
    "topics",
    "unknown_citations",
]
