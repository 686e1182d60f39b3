"""Play by post: what forums make of dice that are written into a post.

`1d20+8+2 => (16)+8+2 = 26`, `1d20 + 8 ⇒ (16) + 8 = 24`, `1d20+8: [16]+8 = 24`, `(1d20+8)[16](24)`,
`rolled 24 using 1d20+8 with rolls of 16`.
"""

import re

from affray.replay.referee.claims import Claims
from affray.replay.referee.written import read_lines

_SPEAKER = re.compile(r"^\s*+(?:\|\s*+)?(?P<who>[^\W\d_][^|:=⇒\d]{0,60}?)\s*+\|\s*$")
_WROTE = re.compile(
    r"^\s*+(?:(?:posted by|post by)\s*+)?(?P<who>[^\W\d_][\w'’ .\-]{0,40}?)"
    r"(?:\s+wrote:|\s*,\s*(?:[A-Z][a-z]{2}|\d).*\d:\d\d.*)$",
    re.IGNORECASE,
)
_ROLLED = re.compile(
    r"\brolled (?P<total>-?\d{1,6}) using "
    r"(?P<dice>\d*d\d+(?:\s*[+\-]\s*\d+)*)"
    r"(?: with rolls? of (?P<faces>\d+(?:,\s*\d+)*))?",
    re.IGNORECASE,
)


def read_pbp(text: str) -> Claims:
    """Return what posts with dice say."""
    return read_lines("pbp", [_turned(line) for line in text.split("\n")], speaks_in_post)


def speaks_in_post(line: str) -> tuple[str, str] | None:
    """Return whose post begins with a line."""
    found = _SPEAKER.match(line) or _WROTE.match(line)
    return None if found is None else (found["who"].strip(), "")


def _turned(line: str) -> str:
    """Return a line such as `rolled 24 using 1d20+8 with rolls of 16` with its roll in the usual order."""
    found = _ROLLED.search(line)
    if found is None:
        return line
    dice, constants = re.match(r"(\d*d\d+)(.*)", found["dice"].replace(" ", ""), re.IGNORECASE).groups()  # type: ignore[union-attr]
    faces = f" ({found['faces']})" if found["faces"] else ""
    start = found.start("total") - len("rolled ")
    return f"{line[:start]}{dice}{faces}{constants} = {found['total']}{line[found.end() :]}"
