"""The page of contested rules: each option with its readings, the rules that hang on it, and who plays it."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from affray.engine.book import Book, Contested, Rule, contested, dialects
from affray.engine.book.card import explain_unread_option
from affray.engine.chapters import tables_in
from affray.engine.table.scenario_parts import read_toml, reading_of, whole_scenarios
from making.words import plain

CHECKOUT = Path(__file__).parents[2]
MOST_SHOWN = 4
"""So many scenarios are named of a reading."""


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
    yield ""
    if entry.awaits:
        yield f"It is {explain_unread_option(dialect, entry)}."
        yield ""
    if entry.since:
        yield f"Logs recorded before it was an option are decided by `{entry.before}`."
        yield ""
    for reading in entry.readings:
        played = plays(dialect).get((entry.option, reading.name), [])
        if played:
            named = "; ".join(f"{plain(name)} (`{file}`)" for name, file in played[:MOST_SHOWN])
            more = f"; and {len(played) - MOST_SHOWN} more" if len(played) > MOST_SHOWN else ""
            yield f"Scenarios with `{reading.name}`: {named}{more}."
            yield ""


@cache
def plays(dialect: str) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Return the scenarios that choose each reading of each option: what each tells, and its table."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for file in tables_in(CHECKOUT / "tests" / "scenarios" / dialect):
        named = file.relative_to(CHECKOUT).as_posix()
        for _, one in whole_scenarios(read_toml(file.read_text(encoding="utf-8"), named), named):
            for option, value in one.get("options", {}).items():
                found.setdefault((option, reading_of(value)), []).append((one["name"], named))
    return found
