"""Comparing two rule catalogues, and a catalogue with what a log has cited."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from affray.engine.book.catalogue import Book
from affray.engine.book.rule import Rule


class TopicDifference(Struct, frozen=True):
    """One topic that two dialects treat with other figures or know from another provenance."""

    topic: str
    a: Rule
    b: Rule
    figures: bool
    provenance: bool


class BookDifference(Struct, frozen=True):
    """What two dialects share and where they part; topics in alphabetical order."""

    a: str
    b: str
    same: tuple[str, ...]
    differing: tuple[TopicDifference, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]


class Coverage(Struct, frozen=True):
    """How many rules of a dialect were cited; ids in the order of the catalogue, advice left out."""

    dialect: str
    rules: int
    covered: tuple[str, ...]
    missing: tuple[str, ...]


def topics(book: Book) -> dict[str, str]:
    """Topic -> rule id for every rule (its id without the dialect) and every alias."""
    start = f"{book.dialect}."
    return {**{rule.id.removeprefix(start): rule.id for rule in book}, **book.topics}


def diff(
    a: Book, b: Book, topics_a: Mapping[str, str] | None = None, topics_b: Mapping[str, str] | None = None
) -> BookDifference:
    """The topics of two books side by side; all topics of a book when its mapping is not given.

    Raises UnknownRule when a mapping names a rule that its book does not have.
    """
    mine = topics(a) if topics_a is None else topics_a
    theirs = topics(b) if topics_b is None else topics_b
    same, differing = [], []
    for topic in sorted(mine.keys() & theirs.keys()):
        left, right = a[mine[topic]], b[theirs[topic]]
        figures = left.figures != right.figures
        provenance = left.provenance != right.provenance
        if figures or provenance:
            differing.append(TopicDifference(topic, left, right, figures, provenance))
        else:
            same.append(topic)
    return BookDifference(
        a=a.dialect,
        b=b.dialect,
        same=tuple(same),
        differing=tuple(differing),
        only_a=tuple(sorted(mine.keys() - theirs.keys())),
        only_b=tuple(sorted(theirs.keys() - mine.keys())),
    )


def coverage(book: Book, cited: Iterable[str]) -> Coverage:
    """Which core and edge rules of the book were cited; ids of other books do not matter."""
    seen = frozenset(cited)
    counted = [rule.id for rule in book if rule.tier != "advice"]
    return Coverage(
        dialect=book.dialect,
        rules=len(counted),
        covered=tuple(rule for rule in counted if rule in seen),
        missing=tuple(rule for rule in counted if rule not in seen),
    )


def unknown_citations(book: Book, cited: Iterable[str]) -> tuple[str, ...]:
    """The cited ids that the book does not have, in alphabetical order."""
    return tuple(sorted({rule for rule in cited if rule not in book}))
