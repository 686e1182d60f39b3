"""Counts, lists and squares in sentences, commands to run next, and texts that are safe to show."""

import shlex
from collections.abc import Iterable


def counted(count: int, word: str, several: str = "") -> str:
    """Return a count with its word: "1 round", "3 rounds", "0 dice" with `several` for what has no -s."""
    return f"{count} {word if count == 1 else several or word + 's'}"


def listed(names: Iterable[str]) -> str:
    """Return names as a list in a sentence: "Aldric, Vex and the ogre"."""
    *most, last = list(names) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def square(at: tuple[int, int]) -> str:
    """Return a square as it is typed: "4,2"."""
    return f"{at[0]},{at[1]}"


def shell_command(*words: object) -> str:
    """Return a command of `affray` as it is typed into a shell: quoted where that needs it."""
    return shlex.join(["affray", *map(str, words)])


def escaped(json: str) -> str:
    """Return JSON on one line in which such characters are escapes, to the same meaning."""
    if json.isprintable():
        return json
    return "".join(one if one.isprintable() else _escape(one) for one in json)


def _escape(one: str) -> str:
    if one in "\t\r\n":  # between values: inside a text JSON has them escaped already
        return " "
    code = ord(one)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
