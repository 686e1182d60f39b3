"""What `affray rules DIALECT --tree` prints: which rules take precedence over others, and why."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.json import encode

from affray.engine.book import Book
from affray.engine.book.card import wrapped
from affray.engine.book.rules import Exceptional
from affray.events.wording import counted
from affray.replay.cli.base import width
from affray.replay.cli.printing import print_json, put, put_all

MOST_FIGURES = 60
"""Characters of figures that are shown beside a rule; longer ones are tables."""


class Contest(Struct, frozen=True):
    """The rules that rest on one base, and who wins without anything chosen and by the other edition.

    Where that turns on the situation, it is who wins while nothing is known of it. `exceptions` are those to
    the base and to each other, each with its depth.
    """

    base: str
    exceptions: tuple[tuple[int, Exceptional], ...]
    in_force: str
    otherwise: str


def print_tree(dialect: str, id: str, json: bool) -> None:
    """Print the trees of a dialect, or the one that a rule belongs to. Raises UnknownRule."""
    book = Book.load(dialect)
    tree = book.precedence
    bases = tree.bases
    if id:
        rule = book[id].id
        bases = tuple(
            base for base in bases if rule == base or any(one.rule == rule for _, one in tree.walk(base))
        )
    edition, another = tree.said.edition, ""
    if edition:
        entry = book.contested[edition]
        another = next(one.name for one in entry.readings if one.name != entry.default)
    chosen = {edition: another} if edition else {}
    found = [
        Contest(base, tuple(tree.walk(base)), tree.in_force(base, {}), tree.in_force(base, chosen))
        for base in bases
    ]
    if json:
        print_json({"dialect": dialect, "edition": edition, "otherwise": another, "trees": found})
        return
    other = f"{edition} = {another}"
    for one in found:
        put_all(_rows(book, one, other))
        put()
    if not found:
        alone = f"{id} stands alone" if id else f"{dialect} is one text"
        put(f"{alone}: no rule takes precedence over another")
    elif not id:
        put(f"{dialect}: {counted(len(found), 'rule')} with exceptions")
        put("* is in force unless a fight chooses otherwise (affray new --option OPTION=READING)")


def _rows(book: Book, contest: Contest, other: str) -> Iterator[str]:
    yield from _contestant(book, contest.base, contest, other, 0)
    for depth, one in contest.exceptions:
        yield from _contestant(book, one.rule, contest, other, depth)
        said = " and ".join(f"{name} = {' or '.join(values)}" for name, values in one.when.items())
        held = f"while {said}" if said else f"unless {other}"
        part = f", of {one.part}" if one.part else ""
        yield from wrapped(f"{held}{part}: {one.why}", width(), "    " * depth + "  ")


def _contestant(book: Book, id: str, contest: Contest, other: str, depth: int) -> Iterator[str]:
    mark = "*" if id == contest.in_force else "-"
    figures = encode(book[id].figures).decode()
    shown = f" {figures}" if book[id].figures is not None and len(figures) <= MOST_FIGURES else ""
    marked = f" (in force under {other})" if id == contest.otherwise != contest.in_force else ""
    indent = "    " * depth
    yield from wrapped(f"{mark} {id}{shown}{marked}", width(), indent, indent + "  ")
