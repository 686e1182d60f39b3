"""What comes of a command at the table, and whether a command is one that came before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from affray.engine.dice import parse, rethrow
from affray.events.codec import decode, encode
from affray.events.envelope import Entry, Event
from affray.events.errors import AffrayError
from affray.events.facts.acts import Rule
from affray.events.facts.chains import ChainLeft, LinkGiven
from affray.events.facts.declared import Asked, Chosen, Declared, Refused, Ruled
from affray.events.facts.flow import EncounterDecided
from affray.events.facts.rolled import Rolled
from affray.projections.state import Question

ROLL = "roll"
"""Answers a roll that waits for people's dice: the encounter's own are thrown for it."""


class Resolution(Struct, gc=False):
    """What came of a declaration: entries to append, and how it ended."""

    entries: list[Entry]
    refused: Refused | None = None
    waiting: Asked | None = None


class NothingAsked(AffrayError):
    """An answer came although the fight waits for none."""


class WrongAnswer(AffrayError):
    """The answer is none of the options."""


class MustAnswer(AffrayError):
    """A declaration came while the fight waits for an answer."""


class UnknownChain(AffrayError):
    """Somebody leaves who has no chain here."""


class Nobody(AffrayError):
    """It is asked what a combatant may do, and there is none: nobody of that id, no turn that is running."""


class TooLate(AffrayError):
    """Something was given to the seed of the dice after a declaration."""


class Outcome(Struct, frozen=True, gc=False):
    """What a declaration or an answer led to: the events appended, a refusal, or an open question.

    `remarks` are about a combatant that enters: what no rule of the dialect reads of its sheet, and feats
    whose prerequisites it lacks. They stand in no log, and are made once a sheet.

    >>> from affray.engine import acts, packaged, set_up
    >>> from affray.events import MemoryStore
    >>> table = set_up(packaged("demo_srd35"), MemoryStore())
    >>> outcome = table.declare(acts.EndTurn(actor="ogre"))
    >>> outcome.refused.reason
    'the fight has not begun'
    """

    events: tuple[Event, ...]
    refused: Refused | None = None
    waiting: Asked | None = None
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, events: Sequence[Event]) -> Outcome:
        """Return the outcome whose events were recorded in one append."""
        last = decode(events[-1])
        return cls(
            tuple(events),
            last if isinstance(last, Refused) else None,
            last if isinstance(last, Asked) else None,
        )

    @property
    def decided(self) -> EncounterDecided | None:
        """What says that one side is all that stands, if this has brought it about; the fight goes on."""
        found = decode(self.events[-1]) if self.events else None
        return found if isinstance(found, EncounterDecided) else None

    @property
    def facts(self) -> list[Any]:
        """The facts of the events, decoded."""
        return [decode(event) for event in self.events]


def repeats(first: Any, command: Any) -> bool:
    """Say whether the first event of an append came of this command."""
    if isinstance(first, Declared) and isinstance(command, Declared):
        return encode(first.act) == encode(command.act) and first.by == command.by
    if isinstance(first, Ruled) and isinstance(command, Rule):
        return (first.author, first.verdict, first.text) == (command.author, command.verdict, command.text)
    if isinstance(first, Chosen) and isinstance(command, Chosen):
        return (first.answer, first.by) == (command.answer, command.by)
    if isinstance(first, LinkGiven) and isinstance(command, Chosen):
        return first.link == command.answer.strip().lower()
    if isinstance(first, ChainLeft) and isinstance(command, ChainLeft):
        return first == command
    if isinstance(first, Rolled) and isinstance(command, Chosen):
        if command.answer == ROLL:
            return first.provenance == "seeded"
        try:
            return first.faces == _numbers(command.answer)
        except ValueError:
            return False
    return False


def _numbers(answer: str) -> tuple[int, ...]:
    return tuple(int(face) for face in answer.replace(",", " ").split())


def faces_of(question: Question, answer: str) -> tuple[int, ...]:
    """Return the faces that somebody typed for a question. Raises WrongAnswer, or what dice raise."""
    try:
        faces = _numbers(answer)
    except ValueError:
        raise WrongAnswer(f"{answer!r} are no faces; type them as 4,6") from None
    rethrow(parse(question.notation), faces)
    return faces
