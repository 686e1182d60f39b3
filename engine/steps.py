"""What a resolver may yield besides facts, and how it refuses."""

from collections.abc import Generator
from typing import Any, Final, TypeVar

from msgspec import Struct

from affray.events.errors import AffrayError

T = TypeVar("T")
Steps = Generator[Any, Any, T]
"""A resolver: yields facts, rolls and choices; is sent Rolled facts and answers; returns T."""


def _finished() -> Steps[None]:
    return
    yield


NOTHING: Final = _finished()
"""No steps at all, for a point that has nothing to do here: it is over, for everybody and for good."""

next(NOTHING, None)


class Roll(Struct, frozen=True, gc=False):
    """Ask for dice. The resolver is sent the Rolled fact."""

    who: str
    purpose: str
    notation: str = "1d20"


class Choice(Struct, frozen=True, gc=False):
    """Ask a combatant's player (or the game master: who "") to choose. The answer is sent."""

    who: str
    purpose: str
    question: str
    options: tuple[str, ...]
    rule: str = ""


class Refusal(AffrayError):
    """A declaration that the rules forbid: `reason` in words, `rule` the id of the rule.

    Resolvers raise it before their first roll or fact; the runner turns it into a Refused value.
    """

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(f"{reason} [{rule}]")
        self.reason, self.rule = reason, rule
