"""Chances as they are told and drawn: of winning along a line of play, and of what single dice decided."""

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


class Beside(Struct, frozen=True, array_like=True):
    """What stands beside the roll `key`, "" for all dice of the damage told in event `seq`."""

    seq: int
    key: str
    told: str
