"""A line of the short language as the words of an affray command, for the prompt and `affray do`."""

import re
from collections.abc import Iterator
from typing import Final

from affray.engine.language.sentences import Answer, Declaration
from affray.events.codec import encode
from affray.events.facts import acts
from affray.replay.language import Meaning, Ruling

DB: Final = "\0"
"""The placeholder for the file of the fight in the words of a command."""


def command_of(meaning: Meaning, dialect: str, author: str) -> tuple[str, ...]:
    """Return the words of the command that does what a line means; `author` makes the rulings."""
    match meaning:
        case Declaration():
            by = ("--by", author) if author and isinstance(meaning.act, acts.Fiat) else ()
            return ("do", DB, " ".join((encode(meaning.act).decode(), *map(str, meaning.faces))), *by)
        case Answer():
            return ("choose", DB, meaning.text)
        case Ruling():
            changes = (part for change in meaning.changes for part in ("--change", change))
            said = ("--by", author, "--text", meaning.text, "--promote")
            return ("ruling", DB, "amend", "--at", meaning.at, *changes, *said)
    if meaning.word == "rules":
        return ("rules", dialect, "--search", *meaning.words)
    return (meaning.word, DB, *meaning.words)


def split_typed_lines(text: str) -> Iterator[str]:
    """Yield the lines separated by semicolons outside quotes and braces.

    An unclosed brace extends to the end.
    """
    for part in re.findall(r"""(?:"[^"]*"|'[^']*'|\{(?:.*\}|.*)|[^;])+""", text):
        if part.strip():
            yield part.strip()
