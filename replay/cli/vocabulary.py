"""`affray rules DIALECT --vocabulary`: what a dialect reads, chapter by chapter."""

import json
from collections.abc import Iterator, Sequence

from affray.engine.book.card import wrapped
from affray.engine.vocabulary import Act, Field, Vocabulary, vocabulary
from affray.replay.cli.base import width
from affray.replay.cli.printing import print_json, put


def show_vocabulary(dialect: str, json: bool) -> None:
    """Print what a dialect reads of declarations and sheets, and what it rolls and asks."""
    found = vocabulary(dialect)
    if json:
        print_json(found)
        return
    for row in rows(found, width()):
        put(row)


def rows(found: Vocabulary, wide: int) -> Iterator[str]:
    """Yield the lines of a vocabulary: declarations and lists of names by chapter, rolls, questions."""
    yield "declarations with their fields: the words that these may hold, and what they hold if left out"
    for chapter in found.chapters:
        if chapter.acts or chapter.words:
            yield from ("", chapter.name)
        for act in chapter.acts:
            yield from _row(act.name, _fields(act), wide)
            yield from _heard(act.rolls, act.asks, wide)
        for one in chapter.words:
            yield f"  {one.name}: {one.meaning}"
            yield from _row("", ", ".join(one.words), wide)
    if found.unread:
        yield ""
        yield "fields of sheets that no rule reads"
        for kind, names in found.unread.items():
            yield from _row(kind.lower(), ", ".join(names), wide)
    for name, seen in found.meanwhile.items():
        yield from ("", name)
        yield from _heard(seen.rolls, seen.asks, wide)
    yield ""
    yield "rolls, with their dice where these are always the same"
    for chapter in found.chapters:
        rolls = (f"{name} ({dice})" if dice else name for name, dice in chapter.rolls.items())
        if chapter.rolls:
            yield from _row(chapter.name, ", ".join(rolls), wide)
    yield ""
    yield "questions, with what can be answered"
    for chapter in found.chapters:
        for name, options in chapter.questions.items():
            yield from _row(name, ", ".join(options), wide)


def _heard(rolls: Sequence[str], asks: Sequence[str], wide: int) -> Iterator[str]:
    for does, names in (("rolls", rolls), ("asks", asks)):
        if names:
            yield from _row("", f"{does} {', '.join(names)}", wide)


def _fields(act: Act) -> str:
    refused = f"; refuses {', '.join(act.refused)}" if act.refused else ""
    return f"{', '.join(map(_field, act.fields)) or '-'}{refused}"


def _field(field: Field) -> str:
    words = f" ({', '.join(field.words)})" if field.words else ""
    plain = field.default in (None, "", (), False, 0, "required")
    return f"{field.name}{words}" if plain else f"{field.name}{words} = {json.dumps(field.default)}"


def _row(name: str, text: str, wide: int) -> list[str]:
    head = f"  {name:<16} " if name else " " * 19
    return wrapped(text, wide, head, " " * len(head))
