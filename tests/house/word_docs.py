"""Writes the page of each dialect, docs/scenarios/*.md, from what the dialect reads.

python tests/house/word_docs.py
"""

import ast
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import Any, get_type_hints

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec import Struct, structs

from affray.engine import chapters
from affray.engine.dialects import dialects
from affray.engine.record.acts import parts_of, purpose, purposes
from affray.engine.vocabulary import (
    Act,
    Chapter,
    Field,
    Vocabulary,
    Words,
    default_of,
    holds,
    vocabulary,
    words_of,
)
from affray.events.facts.sheet import Sheet

PAGES = Path(__file__).parents[2] / "docs" / "scenarios"
DIALECTS = Path(__file__).parents[2] / "engine" / "dialects"
WIDTH = 110
SHORT = 60
"""Lists of words longer than this are printed below the table."""

HEAD = """# {title}

The acts and words that a [scenario file](../scenarios.md) can use in `{name}`, chapter by chapter: the fields
of each act with their types and defaults, and the words of the chapter. An unlisted field or an unknown word
is refused, and the message suggests the nearest known one. A square is `[x, y]`; squares and names are lists.

Below each act are its rolls, for `dice`, and its questions, for `choose`, as far as the repository's
scenarios cover them. Attacks of opportunity and readied acts, which can interrupt any act, are
[listed separately](#{apart}). `affray rules {name} --vocabulary` prints the contents of this page.

| chapter | acts |
| --- | --- |
{contents}
"""
FOOT = "Written by `tests/house/word_docs.py` from what the code reads.\n"


SHEETS = """# Sheets

The sheet of a combatant in a [scenario file](../scenarios.md), and its parts. A field that a dialect does not
read is accepted there, and reported when the combatant enters.

"""


def pages() -> dict[Path, str]:
    """Return the page of each dialect and the page of sheets, by file."""
    found = {PAGES / f"{name}.md": page(vocabulary(name)) for name in dialects()}
    return {**found, PAGES / "sheets.md": sheets()}


def sheets() -> str:
    """Return the page of sheets: a table for each part, in order of first use."""
    unread = {name: vocabulary(name).unread for name in dialects()}
    met: list[type[Struct]] = [Sheet]
    for kind in met:
        inner = (part for one in structs.fields(kind) for part in parts_of(one.type))
        met += [part for part in dict.fromkeys(inner) if part not in met]
    parts = [SHEETS.strip()]
    for kind in met:
        hints = get_type_hints(kind, include_extras=True)
        rows = ["| field | value | default | meaning | not read in |", "| --- | --- | --- | --- | --- |"]
        for one in structs.fields(kind):
            held = [f"[{part.__name__.lower()}](#{part.__name__.lower()})" for part in parts_of(one.type)]
            words = (
                ", ".join(words_of(None, hints[one.name], None)) or "".join(held) or holds(hints[one.name])
            )
            idle = ", ".join(name for name in unread if one.name in unread[name].get(kind.__name__, ()))
            meaning = sentence(purposes(kind)[one.name])
            default = "" if held else shown(default_of(one))
            rows.append(f"| `{one.encode_name}` | {words} | {default} | {meaning} | {idle} |")
        parts += [f"## {kind.__name__}", purpose(kind), "\n".join(rows)]
    return "\n\n".join([*parts, FOOT])


def page(found: Vocabulary) -> str:
    """Return the page of a dialect."""
    contents = "\n".join(
        f"| [{sentence(one.name)}](#{one.name}) | {', '.join(map(link, one.acts))} |"
        for one in found.chapters
    )
    apart = next(one.name for one in found.chapters if one.name in ("opportunity", "kernel"))
    parts = [HEAD.format(title=found.title, name=found.dialect, contents=contents, apart=apart).strip()]
    for chapter in found.chapters:
        parts += section(found, chapter)
    return "\n\n".join([*parts, FOOT])


def link(act: Act) -> str:
    """Return a link to an act; if a chapter has the same name, its heading comes first."""
    anchor = act.name.replace(".", "")
    return f"[{act.name}](#{anchor}{'-1' * (act.name in chapters.CHAPTERS)})"


def section(found: Vocabulary, chapter: Chapter) -> Iterator[str]:
    """Yield the paragraphs about a chapter: its subject, its acts, its words."""
    yield f"## {sentence(chapter.name)}"
    yield sentence(about(chapter.name))
    yield from told(found.dialect, chapter.name)
    for act in chapter.acts:
        yield f"### `{act.name}`"
        yield act.meaning
        yield from fields(act)
        yield from heard(found, act.rolls, act.asks)
    if chapter.name == "opportunity":
        for name, seen in found.meanwhile.items():
            yield f"### {sentence(name)}"
            yield from heard(found, seen.rolls, seen.asks)
    for words in chapter.words:
        yield from listed(words)
    acts = [*chapter.acts, *found.meanwhile.values()]
    rolls = tuple(name for name in chapter.rolls if all(name not in act.rolls for act in acts))
    asks = tuple(name for name in chapter.questions if all(name not in act.asks for act in acts))
    if rolls or asks:
        yield "**In acts of other chapters**"
        yield from heard(found, rolls, asks)


def about(chapter: str) -> str:
    """Return the subject of a chapter from the list of chapters."""
    lines = (chapters.__doc__ or "").splitlines()
    return next(line.partition(": ")[2] for line in lines if line.startswith(f"- {chapter}: "))


def told(dialect: str, chapter: str) -> list[str]:
    """Return the paragraphs of a chapter's description, the text below its record."""
    folder = DIALECTS / dialect
    for file in (*folder.glob("contents.py"), *sorted(folder.glob("contents/*.py"))):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        for record, text in pairwise(body):
            named = getattr(getattr(record, "target", None), "id", "")
            if named == chapter.upper() and isinstance(text, ast.Expr):
                return cleandoc(ast.literal_eval(text.value)).split("\n\n")
    return []


def fields(act: Act) -> Iterator[str]:
    """Yield the table of an act's fields, long lists of words, and the fields that a rule refuses."""
    if act.fields:
        rows = ["| field | value | default | meaning |", "| --- | --- | --- | --- |"]
        yield "\n".join(rows + [row(one) for one in act.fields])
    for one in act.fields:
        if is_long(one.words):
            yield wrapped(f"`{one.name}`: {', '.join(one.words)}.")
    if act.refused:
        yield f"Refused by a rule: {', '.join(map(code, act.refused))}."


def row(field: Field) -> str:
    """Return a field's row of the table."""
    words = field.words
    held = field.holds
    if is_long(words):
        held = "a word, see below"
    elif words:
        held = ", ".join(words)
    meaning = sentence(field.meaning) + (f" Only {field.only}." if field.only else "")
    cells = (code(field.name), held, shown(field.default), meaning)
    return f"| {' | '.join(cells)} |"


def is_long(words: tuple[str, ...]) -> bool:
    """Return whether words are too many for a cell."""
    return len(", ".join(words)) > SHORT


def shown(default: Any) -> str:
    """Return a default in the form of a scenario file; nothing for an empty one."""
    if default == "required":
        return "required"
    empty = default is None or default in ("", (), {})
    return "" if empty else code(json.dumps(default))


def listed(words: Words) -> list[str]:
    """Return the paragraphs about words: their meaning and the list."""
    title = f"**{sentence(words.name)}**: {words.meaning}"
    return [wrapped(title), wrapped(f"{', '.join(graded(counted(words.words)))}.")]


def heard(found: Vocabulary, rolls: Iterable[str], asks: Iterable[str]) -> Iterator[str]:
    """Yield the rolls with their dice, and the questions with their answers."""
    dice = {name: notation for one in found.chapters for name, notation in one.rolls.items()}
    answers = {name: options for one in found.chapters for name, options in one.questions.items()}
    dice["extra-*"] = "extra damage of a weapon, by its kind"
    rolled = [f"{name} ({dice[name]})" if dice[name] else name for name in rolls]
    asked = [f"{code(name)} ({', '.join(one.strip('<>') for one in answers[name])})" for name in asks]
    if rolled:
        yield wrapped(f"Rolls {', '.join(rolled)}.")
    if asked:
        yield wrapped(f"Asks {', '.join(asked)}.")


def counted(words: Iterable[str]) -> list[str]:
    """Return words with numbered ones combined: "cover 2" to "cover 6" as one."""
    given = list(words)
    rows: dict[str, list[int]] = {}
    for word in given:
        name, _, number = word.rpartition(" ")
        if name in given and number.isdecimal():
            rows.setdefault(name, []).append(int(number))
    listed = {f"{name} {number}" for name, numbers in rows.items() for number in numbers}
    return [
        f"{word} (also {min(rows[word])} to {max(rows[word])})" if word in rows else word
        for word in given
        if word not in listed
    ]


def graded(words: list[str]) -> list[str]:
    """Return words with those that differ only in their first word combined: "minor/major cover"."""
    rests: dict[str, list[str]] = {}
    for word in words:
        first, _, rest = word.partition(" ")
        rests.setdefault(rest, []).append(first)
    shared = Counter(tuple(firsts) for rest, firsts in rests.items() if rest and len(firsts) > 2)
    found: list[str] = []
    for word in words:
        rest = word.partition(" ")[2]
        grades = rests[rest]
        if shared[tuple(grades)] < 2:
            found.append(word)
        elif word.startswith(f"{grades[0]} "):
            found.append(f"{'/'.join(grades)} {rest}")
    return found


def code(text: str) -> str:
    """Return a text as code."""
    return f"`{text}`"


def sentence(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def wrapped(text: str) -> str:
    """Return a paragraph wrapped to the width."""
    return fill(text, WIDTH, break_on_hyphens=False, break_long_words=False)


if __name__ == "__main__":
    PAGES.mkdir(exist_ok=True)
    for file, text in pages().items():
        file.write_text(text, encoding="utf-8")
