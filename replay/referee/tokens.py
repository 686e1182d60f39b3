"""A line cut into the signs that written rolls are made of."""

import re

from msgspec import Struct

from affray.replay.referee.dice_lines import Mod, Spec

MARKS = re.compile(r"\*\*|__|`|\*(?=[^\s\d*(])|(?<=[^\s\d*)])\*")
"""Markup for the eye alone."""

_MODS = (
    r"(?:(?:kh|kl|dh|dl|ph|pl|k|d(?!f)|p)\d{0,4}(?!\d*d\d)"
    r"|(?:rr|ro|ra|r|xo|x|e|!!|!p|!)(?:(?:[<>]=?|=)(?=\d))?\d{0,4}|(?:min|max|mi|ma)\d{1,4}"
    r"|(?:cs|cf|df|sf)?[<>]=?\d{1,4}|(?:cs|cf)=?\d{1,4}|s[ad]?(?![a-z]))*+"
)
"""What may stand behind dice. Each sign is read once: `rr` is never tried as two signs."""
_TOKEN = re.compile(
    rf"(?P<dice>(?<![A-Za-z\d.])\d{{0,9}}d(?:\d{{1,4}}|%){_MODS}(?![A-Za-z\d]))"
    r"|(?P<number>(?<![A-Za-z\d.])\d{1,9}(?![A-Za-z\d%]|\.\d|,\d{{3}}(?!\d)))"
    r"|(?P<equal>=>|={1,2}(?!>)|⇒|→|->|➜|➡|(?<=\d), total:?|\btotals?:?(?= ))"
    r"|(?P<add>[+\-−–])|(?P<times>[*×·/÷]|(?<=[\d)\] ])x(?= ?[\d(]))"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>,)|(?P<strike>~~)|(?P<bang>!)|(?P<colon>:)"
    r"|(?P<word>[^\W\d_]+(?:['’.\-][^\W\d_]+)*)|(?P<other>\S)",
    re.IGNORECASE,
)
_SPEC = re.compile(r"(\d*)d(\d+|%)", re.IGNORECASE)
_MOD = re.compile(
    r"(kh|kl|dh|dl|ph|pl|k|d|p)(\d*)|(rr|ro|ra|r|xo|x|e|!!|!p|!)([<>]=?|=)?(\d*)|(min|max|mi|ma)(\d+)"
    r"|((?:cs|cf|df|sf)?)([<>]=?|=)?(\d+)|(s[ad]?)",
    re.IGNORECASE,
)


class Token(Struct, frozen=True, gc=False):
    """A sign of a line: its kind, its text, and where it stands (from 0)."""

    kind: str
    text: str
    at: int
    end: int


def without_marks(line: str) -> str:
    """Return a line with spaces in place of the markup that says nothing, at its length."""
    if "*" not in line and "`" not in line and "__" not in line:
        return line
    return MARKS.sub(lambda found: " " * len(found[0]), line)


def cut(line: str) -> list[Token]:
    """Return the signs of a line."""
    return [
        Token(found.lastgroup or "other", found[0], found.start(), found.end())
        for found in _TOKEN.finditer(line)
    ]


def spec_of(text: str) -> Spec:
    """Return the dice that a sign of the kind `dice` asks for."""
    found = _SPEC.match(text)
    assert found is not None
    mods = []
    for one in _MOD.finditer(text, found.end()):
        op = (one[1] or one[3] or one[6] or one[8] or one[11] or "success").lower()
        digits = one[2] or one[5] or one[7] or one[10] or ""
        mods.append(Mod(op, one[4] or one[9] or "", int(digits) if digits else None))
    sides = 100 if found[2] == "%" else int(found[2])
    return Spec(text, int(found[1] or 1), sides, tuple(mods))
