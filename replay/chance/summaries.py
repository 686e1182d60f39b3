"""Chances as they are told and drawn: of winning along a line of play, and of what single dice decided."""

from fractions import Fraction

from msgspec import Struct


class Turn(Struct, frozen=True):
    """A declaration, `told` in words, and how it changed each side's chance of winning, in percent.

    `chance` is that after it. What it changed is `choice`, `luck` and `ruling` added up, each by side; `die`
    is the key of the one at stake, "" if none was thrown.
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

    Each is known within `margin` points, 95 times of 100, at the most. `luck`, `choice` and `ruling` are what
    they come to in all.
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
    """What stands beside the roll `key`, "" for all dice of the damage told in event `seq`."""

    seq: int
    key: str
    told: str


# --- Pivots as they are told and drawn: changes that alone make the difference to an outcome


class OutcomeRange(Struct, frozen=True):
    """Faces of a roll that make the difference, of several dice their totals, and what comes of them."""

    low: int
    high: int
    comes: str


class Pivot(Struct, frozen=True):
    """A change that alone makes the difference: `kind` is die, choice, modifier or reading.

    It is about event `seq`; `key` names the roll, the question, the modifier as a ruling strikes it out or
    the option. `was` is what was recorded, `would` what it would have to be, the nearest such of a roll with
    its `faces`. Of a roll `ways` of its `possible` throws make the difference, those `shown`; what else is
    changed has no likelihood, and `possible` is 0. Then the declarations `impossible` cannot be made any more
    (id, reason, rule), `fresh` are rolls that nobody made, `asked` questions that nobody was asked. `told`
    says it in words; `percent` is its chance, None without.
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
        """How likely the change was; None for what no dice decide."""
        return Fraction(self.ways, self.possible) if self.possible else None


class Unknown(Struct, frozen=True):
    """A change of which nothing can be told, and why."""

    seq: int
    key: str
    reason: str


class Pivots(Struct, frozen=True):
    """All pivots of an outcome on a line, the likeliest first, then those without a likelihood.

    `holds` says whether the outcome came about; each pivot is a change with which it is the other way round.
    `tried` counts the changes that were tried, `rolls` the dice among them.
    """

    branch: str
    head: int
    outcome: str
    holds: bool
    tried: int
    rolls: int
    pivots: tuple[Pivot, ...]
    unknown: tuple[Unknown, ...] = ()
