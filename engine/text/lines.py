"""One line of a story, in plain text or as Markdown."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from affray.engine.book.card import wrapped
from affray.events.errors import printable

WIDTH = 80
_INDENT = {"title": 0, "round": 0, "turn": 0, "setup": 2, "act": 2, "declared": 2, "map": 2, "summary": 2}
_RESULT = 4
_SIGN = re.compile(r" ([-+=]|->|vs) ")
_RULES = {"title": "=", "round": "-"}


class Line(Struct):
    """One line of a story. `kind` is its subject, `depth` the depth of the interruption that it
    belongs to; a `map` keeps its line breaks.
    """

    kind: str
    text: str
    depth: int = 0


def in_rows(rows: Iterable[str]) -> str:
    """Return the text of a `map`: rows in which users' text cannot begin a new row."""
    return "\n".join(map(printable, rows))


def plain(line: Line, width: int = WIDTH) -> Iterator[str]:
    """Yield the line indented and wrapped to `width` columns; headings have an empty row above and a rule."""
    if line.kind in ("title", "round", "turn", "map"):
        yield ""
    indent = " " * (_INDENT.get(line.kind, _RESULT) + 4 * line.depth)
    if line.kind == "map":
        yield from (indent + printable(row) for row in line.text.splitlines())
        return
    # A sign stays with the number after it.
    text = _SIGN.sub(lambda found: f" {found[1]}\xa0", printable(" ".join(line.text.split())))
    rows = wrapped(text, width, indent, indent + "  ")
    yield from (row.replace("\xa0", " ") for row in rows)
    if line.kind in _RULES:
        yield _RULES[line.kind] * min(width, len(line.text))


def markdown(lines: Iterable[Line]) -> Iterator[str]:
    """Yield the rows of a report: headings, nested lists of events, maps as code blocks."""
    headings = {"title": "#", "round": "##", "turn": "###"}
    listing = False
    for line in lines:
        if line.kind in headings or line.kind == "map":
            if listing:
                yield ""
            listing = False
        if line.kind in headings:
            yield f"{headings[line.kind]} {_escaped(line.text)}"
            yield ""
        elif line.kind == "map":
            yield "```text"
            yield from map(printable, line.text.splitlines())
            yield "```"
            yield ""
        else:
            listing = True
            level = line.depth + (_INDENT.get(line.kind, _RESULT) - 2) // 2
            text = _escaped(line.text)
            yield f"{'  ' * level}- {f'**{text}**' if line.kind == 'act' else text}"


def _escaped(text: str) -> str:
    """Return a text on one line without markup of Markdown or HTML."""
    text = printable(" ".join(text.split()))
    for character in "\\`*_<>[]|#&~":
        text = text.replace(character, "\\" + character)
    return text
