"""Pasted text made plain: one kind of dash and quote, bounded lines, splitting outside parentheses."""

import html
import re
from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

from affray.events.errors import AffrayError

LONGEST_TEXT: Final = 60_000
LONGEST_FIELD: Final = 4_000
SHOWN: Final = 160
#: What a sheet bears: letters of a name, and names in a list.
LONGEST_NAME: Final = 200
MOST_NAMES: Final = 200

_SIGNS = {ord(dash): "-" for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\uff0d"}
_OTHERS = {
    0x00D7: "x",
    0x2018: "'",
    0x2019: "'",
    0x201C: '"',
    0x201D: '"',
    0x00A0: " ",
    0x2009: " ",
    0x202F: " ",
    0x00AD: None,
    0x200B: None,
    0xFEFF: None,
    0xFB01: "fi",
    0xFB02: "fl",
}
_PLAIN: Final = str.maketrans({**_SIGNS, **_OTHERS})
_BREAK = re.compile(r"<(?:p|br|div|li|tr|h[1-6])\b[^<>]{0,80}>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,80}>")
_DASH = re.compile(r"&[mn]dash;?")
_BLANKS = re.compile(r"\s+")
#: Cells of tables, in HTML, wikis and sheets: a bar stands between them.
_CELL = re.compile(r"<t[dh]\b[^<>]{0,80}>|\|\||!!|\t", re.IGNORECASE)
_LINK = re.compile(r"\[\[(?:[^\[\]|]{0,80}\|)?([^\[\]|]{0,80})\]\]|\[([^\[\]]{1,80})\]\([^() ]{1,200}\)")
_EMPHASIS = re.compile(r"\*\*|__|'{2,5}|`|(?<![\w*])[*_](?=[^\s*_][^*_]{0,80}[*_](?!\w))")
_BULLET = re.compile(r"^(?:#{1,6}|>|=+|[-*\u2022] (?=\W{0,3}[A-Za-z]))\s*")
_TABLE = ("{|", "|}", "|-", "|+")


class StatBlockError(AffrayError):
    """The text is no stat block: what makes a combatant of it is missing."""


Grade = Literal["unread", "unplayed", "harmless"]


class Note(Struct, frozen=True, gc=False):
    """Something printed that the sheet does not hold, or holds in another way: where, what and why.

    `grade` is "unread" for what the fight turns on and nobody knows (it is asked about before the creature
    enters), "unplayed" for what is read but no rule plays as it is printed, and "harmless" for the rest.
    """

    line: int
    text: str
    reason: str
    grade: Grade = "harmless"


def plain_lines(text: str) -> list[tuple[int, str]]:
    """Return the lines that hold something, numbered from 1, in plain characters. Linear.

    Raises StatBlockError when the text is too long to be one stat block.
    """
    if len(text) > LONGEST_TEXT:
        raise StatBlockError(f"a stat block of {len(text)} characters: more than {LONGEST_TEXT}")
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith(_TABLE):
            continue
        for part in _BREAK.split(_DASH.sub("-", line)):
            plain = _TAG.sub("", html.unescape(_CELL.sub("|", _LINK.sub(r"\1\2", part))).translate(_PLAIN))
            plain = _EMPHASIS.sub("", _BULLET.sub("", plain.strip()))
            plain = _BLANKS.sub(" ", "".join(c if c.isprintable() else " " for c in plain)).strip(" *_|!")
            if any(letter.isalnum() for letter in plain):
                found.append((number, plain))
    return found


def split_top(text: str, *separators: str) -> list[str]:
    """Return the pieces of a text between separators that stand outside all parentheses, trimmed. Linear.

    Empty pieces are left out. A closing parenthesis too many is a character like any other.
    """
    pieces, depth, start, at = [], 0, 0, 0
    while at < len(text):
        letter = text[at]
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth = max(0, depth - 1)
        elif not depth:
            found = next((one for one in separators if text.startswith(one, at)), "")
            if found:
                pieces.append(text[start:at])
                at += len(found)
                start = at
                continue
        at += 1
    pieces.append(text[start:])
    return [piece for piece in (piece.strip() for piece in pieces) if piece]


def without_parentheses(text: str) -> tuple[str, list[str]]:
    """Return the text outside parentheses and the contents of the outermost ones, in order. Linear."""
    outside, inside, depth, start = [], [], 0, 0
    for at, letter in enumerate(text):
        if letter == "(":
            if not depth:
                outside.append(text[start:at])
                start = at + 1
            depth += 1
        elif letter == ")" and depth:
            depth -= 1
            if not depth:
                inside.append(text[start:at].strip())
                start = at + 1
    (inside if depth else outside).append(text[start:])
    return _BLANKS.sub(" ", " ".join(outside)).strip(), inside


def is_open(text: str) -> bool:
    """Say whether a parenthesis of the text is still open at its end."""
    return text.count("(") > text.count(")")


def shown(text: str) -> str:
    """Return the text, cut to what a table can bear."""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def fitting_names(names: Iterable[str], kind: str, line: int, notes: list[Note]) -> tuple[str, ...]:
    """Return as many names as a sheet holds, none longer than it bears; the others are noted."""
    kept: list[str] = []
    for name in names:
        if len(name) <= LONGEST_NAME and len(kept) < MOST_NAMES:
            kept.append(name)
        else:
            reason = f"longer than the name of a {kind} may be, or more of them: not kept"
            notes.append(Note(line, shown(name), reason, "unplayed"))
    return tuple(kept)


def first_of(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words, each once, in order."""
    return tuple(dict.fromkeys(word for word in words if word))
