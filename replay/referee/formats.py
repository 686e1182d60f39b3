"""The formats of logs from elsewhere, and which of them a text is in."""

import re
from collections.abc import Callable

from affray.replay.referee.avrae import read_avrae
from affray.replay.referee.claims import Claims
from affray.replay.referee.foundry import HEADER, read_foundry, read_foundry_messages
from affray.replay.referee.json_messages import BadExport, messages_of
from affray.replay.referee.pbp import read_pbp
from affray.replay.referee.plain import read_plain
from affray.replay.referee.roll20 import read_roll20, read_roll20_messages

READERS: dict[str, Callable[[str], Claims]] = {
    "pbp": read_pbp,
    "foundry": read_foundry,
    "roll20": read_roll20,
    "avrae": read_avrae,
    "plain": read_plain,
}
"""Format -> what reads a text in it."""

LOOKED_AT = 200_000
"""So many characters tell the format of a text."""

_SIGNS = (
    ("roll20", re.compile(r"\brolling\s+\d*d\d+|inlinerollresult|class=\"message", re.IGNORECASE)),
    (
        "avrae",
        re.compile(
            r"= `-?\d+`|^[^\w\n]*+to hit[^\w\n]*:"
            r"|^(?>[^\n:]*? attacks with an? )(?>(?:[^\n:]*\w)?)[^\w\n!:]*![^\w\n]*$",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    (
        "plain",
        re.compile(
            r"\bd20 \d+ [+\-] |^(?>.*?\battacks\b).*: (?:hit|miss) \(|^(?>.*?\b(?:hits|misses) ).*\(\d+ \+",
            re.MULTILINE,
        ),
    ),
    ("pbp", re.compile(r"⇒|=>|\brolled -?\d+ using |d\d+\S{0,60}\s{0,9}:\s{0,9}\[\d|\)\[[*\d, ]+\]\(")),
)


def read_claims(text: str, format: str = "auto") -> Claims:
    """Return what a log from elsewhere says; `auto` finds its format. Raises BadExport for broken JSON."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").removesuffix("\n")
    if text.lstrip()[:1] in ("{", "[") and format in ("auto", "foundry", "roll20"):
        lines = text.count("\n") + 1
        try:
            messages = messages_of(text)
        except BadExport:
            if not _may_be_text(text, format):
                raise
        else:
            of_roll20 = format == "roll20" or (format == "auto" and any("who" in one for _, one in messages))
            return (read_roll20_messages if of_roll20 else read_foundry_messages)(messages, lines)
    return READERS[format_of(text) if format == "auto" else format](text)


def format_of(text: str) -> str:
    """Return the format that a text is in, by the signs of which it has most; "plain" without any."""
    looked_at = text[:LOOKED_AT]
    if any(HEADER.match(line) for line in looked_at.split("\n")[:50]):
        return "foundry"
    found = [(len(sign.findall(looked_at)), name) for name, sign in _SIGNS]
    most, name = max(found, key=lambda one: one[0])
    return name if most else "plain"


def _may_be_text(text: str, format: str) -> bool:
    """Whether a text that begins with a bracket is no JSON that broke, but text."""
    first = text.lstrip().split("\n", 1)[0]
    return bool(HEADER.match(first)) or not re.match(r"\[?\s*\{\s*\"|\[\s*$|\{\s*$", first)
