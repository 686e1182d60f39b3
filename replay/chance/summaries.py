"""Summaries of chances for text and drawings: of winning along a line of play, and of single dice."""

from fractions import Fraction

from msgspec import Struct


class Turn(Struct, frozen=True):
    """A declaration in words (`told`), and how it changed each side's chance of winning, in percent.

    `chance` is the one after it. The change is the sum of `choice`, `luck` and `ruling`, each by side; `die`
    is the key of the decisive die, "" if none was rolled.
    """

    seq: int
    declaration: str
    actor: str
    told: str
    round: int
    turn: int
    chance: dict[str, float]
    choice: dict[str, float]
    luck: dict[str, float]
    ruling: dict[str, float]
    die: str


class Swing(Struct, frozen=True):
    """The chances along a line of play: `start` before the first declaration, then after each one.

    Each is known within `margin` points with 95 %. `luck`, `choice` and `ruling` are their totals.
    """

    branch: str
    seed: str
    runs: int
    margin: float
    sides: tuple[str, ...]
    start: dict[str, float]
    turns: tuple[Turn, ...]
    choice: dict[str, float]
    luck: dict[str, float]
    ruling: dict[str, float]


class RollNote(Struct, frozen=True, array_like=True):
    """The text next to the roll `key`, "" for all dice of the damage in event `seq`."""

    seq: int
    key: str
    told: str


# --- Pivots for text and drawings: single changes that change an outcome


class OutcomeRange(Struct, frozen=True):
    """Results of a roll that change the outcome, as totals for several dice, and what they lead to."""

    low: int
    high: int
    comes: str


class Pivot(Struct, frozen=True):
    """A change that alone changes the outcome: `kind` is die, choice, modifier or reading.

    It is about event `seq`; `key` names the roll, the question, the modifier as a ruling removes it, or the
    option. `was` is what was recorded, `would` the nearest value that changes the outcome, with its `faces`
    for a roll. Of a roll, `ways` of its `possible` throws change the outcome, those in `shown`; other changes
    have no probability, and `possible` is 0. Then the declarations `impossible` can no longer be made (id,
    reason, rule), `fresh` are rolls that were not made, `asked` questions that were not asked. `told`
    describes it; `percent` is its chance, None if it has none.
    """

    kind: str
    seq: int
    declaration: str
    who: str
    key: str
    was: str
    would: str
    ways: int = 0
    possible: int = 0
    faces: tuple[int, ...] = ()
    shown: tuple[OutcomeRange, ...] = ()
    impossible: tuple[tuple[str, str, str], ...] = ()
    fresh: tuple[str, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()
    told: str = ""
    percent: float | None = None

    @property
    def chance(self) -> Fraction | None:
        """The probability of the change; None if no dice decide it."""
        return Fraction(self.ways, self.possible) if self.possible else None


class Unknown(Struct, frozen=True):
    """A change without a known result, and why."""

    seq: int
    key: str
    reason: str


class Pivots(Struct, frozen=True):
    """All pivots of an outcome on a line, the likeliest first, then those without a probability.

    `holds` is true if the outcome happened; each pivot is a change that reverses it. `tried` counts the
    changes that were tried, `rolls` the dice among them.
    """

    branch: str
    head: int
    outcome: str
    holds: bool
    tried: int
    rolls: int
    pivots: tuple[Pivot, ...]
    unknown: tuple[Unknown, ...] = ()
