"""What the Discord bot Avrae prints: `**To Hit**: 1d20 (**20**) + 8 = `28``, with struck-out dropped dice."""

import re

from affray.replay.referee.claims import Claims
from affray.replay.referee.written import read_lines

_SPEAKER = re.compile(
    r"^\W*(?P<who>[^\W\d_][\w'’ .\-]{0,40}?) (?:attacks with|makes an? |casts |uses )[^=]*$", re.IGNORECASE
)
_HEADED = re.compile(
    r"^\s*(?P<who>[^\W\d_][\w'’ .\-]{0,40}?)\s++(?:(?:APP|BOT)\s*+)?(?:[—–-]\s*+)?"
    r"(?:Today at |Yesterday at |\d{1,2}/\d{1,2}/).*$"
)


def read_avrae(text: str) -> Claims:
    """Return what a channel's text says."""
    return read_lines("avrae", text.split("\n"), speaks_in_channel)


def speaks_in_channel(line: str) -> tuple[str, str] | None:
    """Return who begins to act or to speak with a line."""
    found = _SPEAKER.match(line) or _HEADED.match(line)
    return None if found is None else (found["who"].strip(), "")
