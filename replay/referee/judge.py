"""Judge a log from elsewhere: read what it says, and find what cannot be as it says."""

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
    "sum": "what is added up comes to what is written",
    "reach": "a total without faces is one that its dice can come to",
    "modifier": "what is added to the dice is what their notation adds",
    "dice": "the dice shown are the dice asked for",
    "face": "no die shows a face that it does not have",
    "count": "as many dice are shown as were asked for",
    "exploded": "each die that explodes brings another one",
    "kept": "the dice kept are the highest or lowest",
    "rerolled": "no die stands that had to be rolled again",
    "natural": "a natural face told in words is the one shown",
    "hit": "a hit reaches the Armor Class that stands with it",
    "miss": "a miss falls short of the Armor Class that stands with it",
    "natural 20": "a natural 20 hits, or saves",
    "natural 1": "a natural 1 misses, or fails to save",
    "confirmation": "a critical hit has a roll that confirms it",
    "critical": "the roll that confirms a critical hit hits",
    "save": "a saving throw that succeeds reaches its DC",
    "check": "a check that succeeds reaches its DC",
    "hit points": "damage comes off the hit points",
    "half": "half of damage is half",
    "minimum": "no hit deals less than nothing",
    "told": "points told are those of the sum behind them",
}
"""Every check, and what holds where it finds nothing."""


class Judged(Struct, frozen=True):
    """What a log was read as, and what is wrong in it. `judged` are rolls beside what is said of them.

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
    """Return what is wrong in a log from elsewhere, by the rules of a dialect; `without` leaves checks out.

    Raises UnknownDialect, and BadExport for JSON that is broken. O(length).

    >>> from affray.replay import judge_text
    >>> told = '''The ogre swings its greatclub.
    ... Attack: 1d20+8 = (12)+8 = 21 vs AC 17: hit
    ... '''
    >>> for one in judge_text(told).findings:
    ...     print(one.line, one.column, one.message)
    2 27 (12)+8 comes to 20, not 21
    >>> judge_text(told, without=frozenset({"sum"})).findings
    ()
    """
    return judge(read_claims(text, format), dialect, without)


def judge(read: Claims, dialect: str, without: frozenset[str] = frozenset()) -> Judged:
    """Return what is wrong in what was read of a log. Raises UnknownDialect. O(rolls)."""
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
