"""The claims of a log from elsewhere, in the same records for all formats."""

from typing import Literal

from msgspec import Struct

from affray.replay.referee.written_rolls import Chain, Number

Kind = Literal["attack", "confirmation", "damage", "save", "maneuver", "check", "roll", "sum"]
"""The purpose of a roll: an attack roll, the confirmation of a critical, damage, a saving throw, a combat
maneuver, another check, a roll without a stated purpose; or a sum without dice.
"""

Ending = Literal["", "hit", "miss", "threat", "critical", "confirmed", "unconfirmed", "success", "failure"]
"""The outcome reported in the log; "" if none is stated, or not clearly."""


class Claim(Struct, frozen=True):
    """One roll or sum in a log, and what the log reports of it.

    `needed` is the target number as stated (`against`: AC, touch AC, DC, ...). `excuse` is the word that
    excuses the outcome from judgement: concealment, a bonus added afterwards. `spoken` is the die's result in
    words. `block` numbers the messages of one speaker. With `first_is_die` the first number of a sum is the
    die, as in `hit (12 + 7 = 19)`. `lessened` is true if words after it mention reduced damage, `raised` if
    increased.
    """

    line: int
    column: int
    kind: Kind
    chain: Chain
    block: int = 0
    speaker: str = ""
    target: str = ""
    weapon: str = ""
    label: str = ""
    outcome: Ending = ""
    against: str = ""
    needed: int | None = None
    spoken: int | None = None
    excuse: str = ""
    first_is_die: bool = False
    lessened: bool = False
    raised: bool = False

    @property
    def total(self) -> int | None:
        """The total of the roll as stated."""
        return self.chain.total

    @property
    def natural(self) -> int | None:
        """The result of the d20; None unless exactly one counts."""
        if not self.first_is_die:
            return self.chain.natural
        first = self.chain.sides[0].terms[0]
        value = first.first.value if isinstance(first.first, Number) else 0
        return value if 1 <= value <= 20 and len(self.chain.sides[0].terms) > 1 and first.sign > 0 else None


class Amount(Struct, frozen=True):
    """Points in a log: kind (hit points, half, dealt), value before, change, value after."""

    line: int
    column: int
    what: Literal["hit points", "half", "dealt"]
    before: int | None = None
    change: int | None = None
    after: int | None = None
    who: str = ""
    text: str = ""


class Unread(Struct, frozen=True):
    """A line that looks like a roll and could not be parsed as one."""

    line: int
    text: str
    reason: str


class Claims(Struct):
    """Everything read from a log, in order.

    `prose` are lines without anything to check, `endings` lines that only give the outcome of the roll before
    them, or the target number of the next one.
    """

    format: str
    claims: list[Claim] = []
    amounts: list[Amount] = []
    unread: list[Unread] = []
    lines: int = 0
    blank: int = 0
    prose: int = 0
    endings: int = 0


# --- Findings of the referee: place, error, rule

LONGEST_QUOTE = 300
"""In characters."""


class Finding(Struct, frozen=True):
    """One error: the line and column (from 1), the check, the rule, the error, and the words concerned."""

    line: int
    column: int
    check: str
    rule: str
    message: str
    quote: str = ""
    who: str = ""


def make_claim_finding(claim: Claim, check: str, rule: str, message: str, column: int = 0) -> Finding:
    """Return a finding against one roll of a log."""
    quote = shorten(claim.chain.text)
    return Finding(claim.line, column or claim.column, check, rule, message, quote, claim.speaker)


def shorten(text: str) -> str:
    """Return the quoted part of a text: a long roll may have one finding for each of its dice."""
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]} ..."
