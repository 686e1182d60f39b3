"""The page of contested rules: each option with its readings, and the rules that hang on it."""

from collections.abc import Iterator

from affray.engine.book import Book, Contested, Rule, contested, dialects
from affray.engine.book.card import not_read_yet
from making.words import plain


def told() -> str:
    """Return the options of every dialect."""
    lines: list[str] = []
    for dialect in dialects():
        rules = {rule.id: rule for rule in Book.load(dialect)}
        lines += [f"## {dialect}", ""]
        for entry in contested(dialect):
            lines += _entry(dialect, entry, rules)
    return "\n".join(lines)


def _entry(dialect: str, entry: Contested, rules: dict[str, Rule]) -> Iterator[str]:
    yield f"### {dialect}: `{entry.option}`"
    yield ""
    yield f"**{plain(entry.title)}.** {plain(entry.question)}"
    yield ""
    for reading in entry.readings:
        default = " (the default)" * (reading.name == entry.default)
        yield f"- `{reading.name}`{default}: {plain(reading.meaning)}"
    yield ""
    hang = (
        f'<a href="../rulebooks/{dialect}.html#{id}">{id}</a> ({plain(rules[id].title)})'
        for id in entry.rules
    )
    yield f"On it hang {', '.join(hang)}."
    if entry.awaits:
        yield f"It is {not_read_yet(dialect, entry)}."
    yield ""
