"""What a log from elsewhere says, the same records whatever wrote it."""

from typing import Literal

from msgspec import Struct

from affray.replay.referee.written_rolls import Chain, Number

Kind = Literal["attack", "confirmation", "damage", "save", "maneuver", "check", "roll", "sum"]
"""What a roll is for: an attack roll, the second one for a critical, damage, a saving throw, a combat
maneuver, another check, a roll of which that is not said; or a sum without dice."""

Ending = Literal["", "hit", "miss", "threat", "critical", "confirmed", "unconfirmed", "success", "failure"]
"""What the log says that came of it; "" where it does not say so, or not for certain."""


class Claim(Struct, frozen=True):
    """One roll or sum that a log holds, and what the log says of it.

    `needed` is the number to be reached, as the log has it (`against`: AC, touch AC, DC, ...). `excuse` is
    the word for which what came of the roll is not judged: concealment, a bonus added afterwards. `spoken` is
    what the log says in words that the die shows. `block` counts what one speaker says at once. With
    `first_is_die` the first number of a sum is the die, as in `hit (12 + 7 = 19)`. `lessened` says that words
    behind it speak of damage that is less than what was rolled, `raised` that they speak of more.
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
        """What the log says that the roll comes to."""
        return self.chain.total

    @property
    def natural(self) -> int | None:
        """What the d20 shows; None where there is not exactly one that counts."""
        if not self.first_is_die:
            return self.chain.natural
        first = self.chain.sides[0].terms[0]
        value = first.first.value if isinstance(first.first, Number) else 0
        return value if 1 <= value <= 20 and len(self.chain.sides[0].terms) > 1 and first.sign > 0 else None


class Amount(Struct, frozen=True):
    """Points that a log tells: what of (hit points, half, dealt), from how many, by how many, to how many."""

    line: int
    column: int
    what: Literal["hit points", "half", "dealt"]
    before: int | None = None
    change: int | None = None
    after: int | None = None
    who: str = ""
    text: str = ""


class Unread(Struct, frozen=True):
    """A line that looks like a roll and could not be read as one."""

    line: int
    text: str
    reason: str


class Claims(Struct):
    """All that was read of a log, in its order.

    `prose` are lines without anything to be checked, `endings` those that say nothing but how a roll before
    them ended, or what the next one has to reach.
    """

    format: str
    claims: list[Claim] = []
    amounts: list[Amount] = []
    unread: list[Unread] = []
    lines: int = 0
    blank: int = 0
    prose: int = 0
    endings: int = 0


# --- What a referee holds against a log: where, what, and by which rule

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


def make_claim_finding(claim: Claim, check: str, rule: str, message: str, column: int = 0) -> Finding:
    """Return a finding against one roll of a log."""
    quote = shorten(claim.chain.text)
    return Finding(claim.line, column or claim.column, check, rule, message, quote, claim.speaker)


def shorten(text: str) -> str:
    """Return as much of a text as a finding quotes: a long roll may have one for each of its dice."""
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]} ..."
