"""Judge a log from elsewhere: read its claims, and find impossible ones."""

from collections import Counter

from msgspec import Struct

from affray.replay.referee.checks import (
    AMOUNT_CHECKS,
    DICE_CHECKS,
    ROLL_CHECKS,
    check_points_in_brackets,
    cited_of,
    confirmations,
    yield_attack_exchanges,
)
from affray.replay.referee.claims import Claims, Finding, Unread
from affray.replay.referee.formats import read_claims

CHECKS = {
    "sum": "a sum equals its stated total",
    "reach": "a total without die results is possible for its dice",
    "modifier": "the modifiers are those of the notation",
    "dice": "the dice shown are those requested",
    "face": "each die shows a result that it can have",
    "count": "the number of dice shown is the number requested",
    "exploded": "each die that explodes adds another one",
    "kept": "the dice kept are the highest or lowest",
    "rerolled": "no die was kept that had to be rerolled",
    "natural": "a natural result in words is the one shown",
    "hit": "a hit reaches the stated Armor Class",
    "miss": "a miss is below the stated Armor Class",
    "natural 20": "a natural 20 hits, or saves",
    "natural 1": "a natural 1 misses, or fails to save",
    "confirmation": "a critical hit has a confirmation roll",
    "critical": "the confirmation roll of a critical hit hits",
    "save": "a saving throw that succeeds reaches its DC",
    "check": "a check that succeeds reaches its DC",
    "hit points": "damage is subtracted from hit points",
    "half": "half of damage is half",
    "minimum": "no hit deals negative damage",
    "told": "points equal the sum after them",
}
"""Check -> what holds if it finds nothing."""


class Judged(Struct, frozen=True):
    """The format of a log, and the errors in it. `judged` counts rolls with a reported outcome.

    >>> from affray.replay import judge_text
    >>> told = '''The ogre swings its greatclub.
    ... Attack: 1d20+8 = (12)+8 = 21 vs AC 17: hit
    ... '''
    >>> found = judge_text(told)
    >>> found.format, found.rolls, found.judged, [one.line for one in found.findings]
    ('plain', 1, 1, [2])
    """

    format: str
    dialect: str
    lines: int
    blank: int
    prose: int
    endings: int
    rolls: int
    sums: int
    judged: int
    excused: int
    points: int
    findings: tuple[Finding, ...]
    unread: tuple[Unread, ...]


def judge_text(
    text: str, dialect: str = "srd35", format: str = "auto", without: frozenset[str] = frozenset()
) -> Judged:
    """Return the errors in a log from elsewhere, by the rules of a dialect; `without` leaves checks out.

    Raises UnknownDialect, and BadExport for JSON that is broken. O(length).

    >>> from affray.replay import judge_text
    >>> told = '''The ogre swings its greatclub.
    ... Attack: 1d20+8 = (12)+8 = 21 vs AC 17: hit
    ... '''
    >>> for one in judge_text(told).findings:
    ...     print(one.line, one.column, one.message)
    2 27 (12)+8 equals 20, not 21
    >>> judge_text(told, without=frozenset({"sum"})).findings
    ()
    """
    return judge(read_claims(text, format), dialect, without)


def judge(read: Claims, dialect: str, without: frozenset[str] = frozenset()) -> Judged:
    """Return the errors in the claims of a log. Raises UnknownDialect. O(rolls)."""
    cited = cited_of(dialect)
    found: list[Finding] = []
    for claim in read.claims:
        for dice_check in DICE_CHECKS:
            found += dice_check(claim)
        for roll_check in ROLL_CHECKS:
            found += roll_check(claim, cited)
        found += check_points_in_brackets(claim)
    for exchange in yield_attack_exchanges(read.claims):
        found += confirmations(exchange, cited)
    for amount in read.amounts:
        for amount_check in AMOUNT_CHECKS:
            found += amount_check(amount, cited)
    kinds = Counter(claim.kind for claim in read.claims)
    told = [claim for claim in read.claims if claim.outcome]
    kept = sorted(
        {one for one in found if one.check not in without}, key=lambda one: (one.line, one.column, one.check)
    )
    return Judged(
        read.format,
        dialect,
        read.lines,
        read.blank,
        read.prose,
        read.endings,
        len(read.claims) - kinds["sum"],
        kinds["sum"],
        sum(not claim.excuse for claim in told),
        sum(bool(claim.excuse) for claim in told),
        len(read.amounts),
        tuple(kept),
        tuple(read.unread),
    )
