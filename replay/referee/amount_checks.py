"""Whether points are counted rightly: hit points, halves, damage of a hit."""

import re
from collections.abc import Iterator

from affray.replay.referee.cited import ARITHMETIC, Cited
from affray.replay.referee.claims import Amount, Claim
from affray.replay.referee.finding import Finding, against_claim

_FOR = re.compile(r"(?<![\w+\-/.])(\d{1,4}) (?:points? of )?(?:[a-z]+ )?damage$", re.IGNORECASE)


def hit_points(amount: Amount, cited: Cited) -> Iterator[Finding]:
    """Damage comes off the hit points; some tools stop at 0."""
    if amount.what != "hit points" or amount.before is None or amount.change is None or amount.after is None:
        return
    left = amount.before + amount.change
    if amount.after != left and not (amount.after == 0 and left < 0):
        message = f"{amount.before} hit points less {-amount.change} are {left}, not {amount.after}"
        yield _of(amount, "hit points", cited.rule("hit points") or ARITHMETIC, message)


def halves(amount: Amount, cited: Cited) -> Iterator[Finding]:
    """Half is half, rounded down where the dialect says so; half of 1 may stay 1."""
    if amount.what != "half" or amount.before is None or amount.after is None:
        return
    down, up = amount.before // 2, (amount.before + 1) // 2
    rounds = cited.rule("round")
    right = {down, max(1, down)} if rounds else {down, up}
    if amount.after not in right:
        yield _of(
            amount, "half", rounds or ARITHMETIC, f"half of {amount.before} is {down}, not {amount.after}"
        )


def least(amount: Amount, cited: Cited) -> Iterator[Finding]:
    """A hit deals at least 1 point: never less than none."""
    if amount.what == "dealt" and amount.change is not None and amount.change < 0:
        message = f"damage of {amount.change} is dealt; penalties leave a hit 1 point"
        yield _of(amount, "minimum", cited.rule("minimum"), message)


def told_points(claim: Claim) -> Iterator[Finding]:
    """Points that a sum in brackets behind them explains are what it comes to: `9 damage (5 + 4 = 9)`."""
    found = _FOR.search(claim.label)
    if found is None or claim.total is None or claim.kind not in ("damage", "sum", "roll") or claim.excuse:
        return
    said = int(found[1])
    if said != claim.total and not (claim.total < 1 and said <= 1):
        message = f"damage of {said} is told, {claim.chain.text} comes to {claim.total}"
        yield against_claim(claim, "told", ARITHMETIC, message)


def _of(amount: Amount, check: str, rule: str, message: str) -> Finding:
    return Finding(amount.line, amount.column, check, rule, message, amount.text, amount.who)


AMOUNT_CHECKS = (hit_points, halves, least)
"""What is asked of points that are told."""
