"""Writes docs/words.md from what each dialect reads.

python tests/house/word_docs.py
"""

import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.dialects import dialects
from affray.engine.vocabulary import Vocabulary, vocabulary

PAGE = Path(__file__).parents[2] / "docs" / "words.md"
WIDTH = 110
HEAD = """# The words of the dialects

What each dialect reads: the fields of a declaration with the words that they may hold (`a condition` is one
of its conditions), conditions, kinds of bonus, and the names under which it rolls and asks. A field that is
not listed is refused, and so is an unknown word, with the nearest known one. Feats, traits and fields of
sheets that no rule reads are accepted, and told as their bearer enters. `affray rules DIALECT --vocabulary`
prints the same with the names of feats and traits. Written by `tests/house/word_docs.py`.
"""


def page() -> str:
    """Return the page: a section for each dialect."""
    return "\n".join([HEAD, *("\n".join(section(vocabulary(name))) for name in dialects())])


def section(found: Vocabulary) -> list[str]:
    """Return the part of the page about one dialect."""
    lines = [f"## {found.dialect}", "", "| declaration | reads | only refuses |", "| --- | --- | --- |"]
    for act in found.acts:
        told = (
            f"`{name}` ({', '.join(words)})" if words else f"`{name}`" for name, words in act.fields.items()
        )
        lines.append(f"| `{act.name}` | {', '.join(told)} | {', '.join(act.refused)} |")
    rolls = (f"{name} ({dice})" if dice else name for name, dice in found.rolls.items())
    for title, words in (
        ("Conditions", counted(found.conditions)),
        ("Kinds of bonus", found.bonus_kinds),
        ("Rolls", tuple(rolls)),
    ):
        lines += ["", f"{title}: {', '.join(words)}."]
    lines += ["", "| question | answers |", "| --- | --- |"]
    for name, options in found.questions.items():
        lines.append(f"| `{name}` | {', '.join(one.replace('<', '').replace('>', '') for one in options)} |")
    return [*lines, ""]


def counted(words: Iterable[str]) -> list[str]:
    """Return words of which those that go on with a number stand once: "cover 2" to "cover 6" as one."""
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


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
