"""Finding rules and showing them: what a person sees of the catalogue."""

import textwrap
from collections.abc import Iterable, Mapping

from msgspec import Struct

from affray.engine.book.catalogue import Book
from affray.engine.book.rules import Contested, Rule

# --- Comparing two rule catalogues, and a catalogue with what a log has cited


class TopicDifference(Struct, frozen=True):
    """One topic that two dialects treat with other figures or know from another provenance."""

    topic: str
    a: Rule
    b: Rule
    figures: bool
    provenance: bool


class BookDifference(Struct, frozen=True):
    """The common and differing rules of two dialects; topics in alphabetical order."""

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
    """Return which core and edge rules of the book were cited; ids of other books are ignored."""
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


# --- Text in rows of a width, with ids and names left whole


def wrapped(text: str, width: int, indent: str = "", hanging: str | None = None) -> list[str]:
    """Return a text in rows of at most `width` columns that break at blanks only; a longer word is a row.

    `indent` begins the first row, `hanging` each other one: the same where it is None. No text is no row.
    """
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_on_hyphens=False,
        break_long_words=False,
    )


_PROVENANCE = {
    "text": "printed in the text",
    "standard": "not printed in the text, published elsewhere",
    "assumed": "assumed: neither printed in the text nor published",
    "campaign": "from the tables of the campaign",
    "house": "added by a package of house rules",
}


class Card(Struct, frozen=True):
    """A rule with its metadata: the topics it answers, its contested readings."""

    rule: Rule
    topics: tuple[str, ...]
    contested: tuple[Contested, ...]


def search(book: Book, words: str = "", *, kind: str = "", tier: str = "") -> tuple[Rule, ...]:
    """The rules whose id, title or wording holds all of `words`, those with them in id or title first.

    Case does not matter; an empty criterion admits every rule. Cost: O(text of the catalogue).
    """
    wanted = words.casefold().split()
    named, told = [], []
    for rule in book:
        if (kind and rule.kind != kind) or (tier and rule.tier != tier):
            continue
        name = f"{rule.id} {rule.title}".casefold()
        if all(word in name for word in wanted):
            named.append(rule)
        elif all(word in name or word in rule.text.casefold() for word in wanted):
            told.append(rule)
    return (*named, *told)


def contested(dialect: str) -> tuple[Contested, ...]:
    """The contested rules of a dialect, in the order of its file."""
    return tuple(Book.load(dialect).contested.values())


def card(book: Book, rule: str) -> Card:
    """The card of the rule with that id; raises UnknownRule."""
    found = book[rule]
    return Card(
        rule=found,
        topics=tuple(sorted(topic for topic, named in book.topics.items() if named == rule)),
        contested=tuple(entry for entry in book.contested.values() if rule in entry.rules),
    )


def explain_unread_option(dialect: str, entry: Contested) -> str:
    """The sentence on an option that no rule of the dialect reads so far."""
    return f"not to be chosen yet: {dialect} does not play {entry.awaits}"


def card_text(shown: Card, width: int = 88) -> str:
    """The card as plain text, at most `width` columns wide where words allow."""
    return "\n".join(card_rows(shown, width))


def card_rows(shown: Card, width: int = 88) -> list[str]:
    """The rows of the card."""
    rule = shown.rule
    lines = [rule.id, rule.title, f"{rule.section} · {rule.kind} · {rule.tier}", provenance(rule)]
    if shown.topics:
        lines.append(f"topics: {', '.join(shown.topics)}")
    lines += ["", *wrapped(rule.text, width)]
    if rule.figures is not None:
        lines += ["", "figures", *figure_rows(rule.figures, "  ")]
    for entry in shown.contested:
        lines += [
            "",
            f"contested: {entry.title} (option {entry.option})",
            *wrapped(entry.question, width, "  "),
        ]
        for reading in entry.readings:
            mark = "->" if reading.name == entry.default else "  "
            lines += wrapped(f"{mark} {reading.name}: {reading.meaning}", width, "  ", "       ")
        if entry.awaits:
            lines += wrapped(explain_unread_option(rule.id.partition(".")[0], entry), width, "  ")
    return lines


def provenance(rule: Rule) -> str:
    """The source of a rule, in words."""
    return _PROVENANCE[rule.provenance]


def figure_rows(value: object, indent: str = "") -> list[str]:
    """The figures as indented lines; a group of plain values shares one line."""
    if not isinstance(value, dict | list):
        return [f"{indent}{_cell(value)}"]
    pairs = value.items() if isinstance(value, dict) else [("", inner) for inner in value]
    if all(not isinstance(inner, dict | list) for _, inner in pairs):
        return [indent + ", ".join(f"{key}: {_cell(inner)}" if key else _cell(inner) for key, inner in pairs)]
    lines = []
    for key, inner in pairs:
        under = figure_rows(inner, indent + "  ")
        if len(under) == 1:
            lines.append(f"{indent}{key}: {under[0].strip()}" if key else f"{indent}{under[0].strip()}")
        else:
            lines += [f"{indent}{key or '-'}:", *under]
    return lines


def _cell(value: object) -> str:
    if value is None:
        return "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
