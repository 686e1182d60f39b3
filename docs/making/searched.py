"""What the site's search finds besides its pages: each rule of the rulebooks, each piece of the gallery.

Rules are objects of a domain, as names of the library are: that is what Sphinx offers for one entry a place.
All words of a query have to stand in a rule's title or id; a page whose title has them comes first.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.utils import new_document
from sphinx.domains import Domain, ObjType

from affray.engine.book import Book, dialects
from affray.engine.dialects import load
from making import gallery, rulebooks

PLAIN = 1
"""How Sphinx ranks an object that is no more than others: as a page with the words in its text."""


class Rules(Domain):
    """The rules of all dialects, each with its place in a rulebook."""

    name = "rulebook"
    label = "Rulebooks"
    object_types: ClassVar = {dialect: ObjType(dialect) for dialect in dialects()}

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield each rule: what is matched and shown, its dialect, its rulebook and its place there."""
        for dialect in dialects():
            for id, title in titles(dialect):
                told = f"{title} · {id}"
                yield told, told, dialect, f"{rulebooks.FOLDER}/{dialect}", id, PLAIN

    def get_type_name(self, type: ObjType, primary: bool = False) -> str:
        """Return what stands beside a rule that was found."""
        return "rule"

    def merge_domaindata(self, docnames: Any, otherdata: Any) -> None:
        """There is nothing to merge: the catalogues have it all."""


@cache
def titles(dialect: str) -> tuple[tuple[str, str], ...]:
    """Return the rules of a dialect: id and title."""
    return tuple((rule.id, rule.title) for rule in Book.load(dialect))


def write(builder: Any) -> None:
    """Write the search's index anew with the pages that are no documents: Sphinx's own leaves them out."""
    for dialect in dialects():
        title = f"{load(dialect).title}: the rulebook"
        builder.indexer.feed(*_named(f"{rulebooks.FOLDER}/{dialect}", title), _document(title))
    for piece in gallery.PIECES:
        named = _named(f"{gallery.FOLDER}/{piece.name}", f"{piece.title}: a replay")
        builder.indexer.feed(*named, _document(named[2], piece.caption))
    with (Path(builder.outdir) / builder.searchindex_filename).open("w", encoding="utf-8") as file:
        builder.indexer.dump(file, builder.indexer_format)


def _named(page: str, title: str) -> tuple[str, str, str]:
    return page, f"{page}.html", title


def _document(title: str, *texts: str) -> nodes.document:
    made = new_document(title)
    made += nodes.section("", nodes.title(title, title), *(nodes.paragraph(text, text) for text in texts))
    return made
