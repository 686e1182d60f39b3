"""What a referee holds against a log: where, what, and by which rule."""

from msgspec import Struct

from affray.replay.referee.claims import Claim

LONGEST_QUOTE = 300
"""In characters."""


class Finding(Struct, frozen=True):
    """One error: the line and column (from 1), the check, the rule, what is wrong, and the words that are."""

    line: int
    column: int
    check: str
    rule: str
    message: str
    quote: str = ""
    who: str = ""


def against_claim(claim: Claim, check: str, rule: str, message: str, column: int = 0) -> Finding:
    """Return a finding against one roll of a log."""
    quote = shorten(claim.chain.text)
    return Finding(claim.line, column or claim.column, check, rule, message, quote, claim.speaker)


def shorten(text: str) -> str:
    """Return as much of a text as a finding quotes: a long roll may have one for each of its dice."""
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]} ..."
