"""How a table appends to its line of the log: each command once, in one transaction, after the events it
read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from msgspec import Struct

from affray.engine.dice import parse, rethrow
from affray.engine.fight.fight import WALL, Dialect, Fight
from affray.engine.grid.battlefield import GridError, battlefield
from affray.engine.grid.distance import adjacent
from affray.engine.grid.lines_and_cover import is_border
from affray.events import logging
from affray.events.codec import check_readable, decode, encode, entry
from affray.events.envelope import Entry, Event
from affray.events.errors import AffrayError, Conflict, LogUnavailable, RequestReused
from affray.events.facts.acts import Rule
from affray.events.facts.combat import EffectEnded, Until
from affray.events.facts.flow import (
    Asked,
    ChainLeft,
    Chosen,
    Declared,
    EncounterDecided,
    LinkGiven,
    OptionsChanged,
    Refused,
    Rolled,
    Ruled,
)
from affray.events.facts.sheet import Barrier
from affray.events.stores.store import Store
from affray.projections.fold import apply, fold
from affray.projections.state import Encounter, Question

# --- Rulings for one declaration, and the facts that end them
# A modifier that is ruled for one event lasts until that declaration is decided; a reading that is ruled for
# it is then restored. The state lists them, wherever a line of play ends: a different declaration there ends
# them first.

ONE_DECLARATION: Final = Until("declaration")
"""The duration of a modifier that is ruled for one event."""

C = TypeVar("C")
_WHY: Final = "it was ruled for one declaration"
_RULE: Final = "ruling:"


def ended_effects(state: Encounter) -> list[EffectEnded]:
    """Return the facts that end the modifiers for one declaration only."""
    return [
        EffectEnded(who=one.id, id=effect.id, why=_WHY)
        for one in state.combatants.values()
        for effect in one.effects
        if effect.until == ONE_DECLARATION
    ]


def end_event_rulings(state: Encounter) -> list[list[object]]:
    """Return groups of facts that end all rulings for one declaration; none if there are none."""
    ended = ended_effects(state)
    if not ended and not state.restores:
        return []
    ids = sorted(
        {
            effect.modifier.rule.removeprefix(_RULE)
            for one in state.combatants.values()
            for effect in one.effects
            if effect.until == ONE_DECLARATION and effect.modifier.rule.startswith(_RULE)
        }
    )
    ruled = Ruled(author="", verdict="ends", text=_WHY, id=ids[0] if len(ids) == 1 else "")
    groups: list[list[object]] = [[ruled, *ended]]
    if state.restores:
        groups.append([OptionsChanged(options=dict(sorted(state.restores.items())), by="ruling")])
    return groups


def ending_entries(state: Encounter, seq: int) -> list[Entry]:
    """Return the entries after event `seq` that end all rulings for one declaration.

    They are folded into the state.
    """
    entries: list[Entry] = []
    for group in end_event_rulings(state):
        cause = seq + len(entries) + 1
        for fact in group:
            entries.append(entry(fact, state.round, state.turn, "", cause))
            apply(state, fact)
    return entries


# --- Checking the barriers of a map before a fight is opened with it


def refuse_barriers(terrain: Sequence[str], barriers: Sequence[Barrier], rules: Dialect) -> None:
    """Refuse barriers of a map that are impossible or have no meaning in a dialect. Raises GridError.

    A barrier off the map, between squares that are not neighbours, that covers between squares without a
    common side; one with fields that no rule of the dialect reads; a wall with a check; a door that is no
    wall.
    """
    field = battlefield(tuple(terrain))
    stands_open: dict[str, bool] = {}
    for one in barriers:
        where = f"the barrier between {one.here} and {one.there}"
        if not adjacent(one.here, one.there):
            raise GridError(f"no barrier can be between {one.here} and {one.there}")
        if one.cover != WALL and (fault := rules.movement.barrier_fault(one)):
            raise GridError(f"{where} {fault} in {rules.name}")
        if one.cover and not is_border(one.here, one.there):
            raise GridError(f"nothing covers between {one.here} and {one.there}: they share no side")
        if one.cover == WALL:
            if one.check or one.dc:
                raise GridError(f"{where} is a wall: it cannot be crossed, even with a check")
            if not (field.holds(one.here) and field.holds(one.there)):
                raise GridError(f"{where} is a wall off the map")
        elif one.door:
            raise GridError(
                f'{where} is called {one.door!r}: only what covers totally (cover = "total") opens'
            )
        if one.open and not one.door:
            raise GridError(f"{where} is open, and has no name to be closed by (door)")
        if one.door and stands_open.setdefault(one.door, one.open) != one.open:
            raise GridError(f"the door {one.door!r} is both open and closed")


# --- The result of a command at the table, and the recognition of repeated commands

ROLL = "roll"
"""The answer that lets the encounter's own dice make a roll that waits for physical dice."""


class Resolution(Struct, gc=False):
    """The result of a declaration: entries to append, and how it ended."""

    entries: list[Entry]
    refused: Refused | None = None
    waiting: Asked | None = None


class NothingAsked(AffrayError):
    """An answer was given although the fight waits for none."""


class WrongAnswer(AffrayError):
    """The answer is not among the options."""


class MustAnswer(AffrayError):
    """A declaration was made while the fight waits for an answer."""


class UnknownChain(AffrayError):
    """A player leaves without having a chain here."""


class Nobody(AffrayError):
    """The legal acts were requested for an unknown combatant, or without a running turn."""


class TooLate(AffrayError):
    """A contribution to the seed of the dice after a declaration."""


class Outcome(Struct, frozen=True, gc=False):
    """The result of a declaration or an answer: the events appended, a refusal, or an open question.

    `remarks` concern a combatant that enters: the parts of its sheet that no rule of the dialect reads, and
    feats without their prerequisites. They are not logged and are made once per sheet.

    >>> from affray.engine import acts, packaged, set_up
    >>> from affray.events import MemoryStore
    >>> table = set_up(packaged("demo_srd35"), MemoryStore())
    >>> outcome = table.declare(acts.EndTurn(actor="ogre"))
    >>> outcome.refused.reason
    'the fight has not begun'
    >>> outcome.narrate()
    ['  declared: Gharm ends the turn', '    refused: the fight has not begun (srd35.round.whole-turn)']
    """

    events: tuple[Event, ...]
    refused: Refused | None = None
    waiting: Asked | None = None
    remarks: tuple[str, ...] = ()
    store: Store | None = None

    @classmethod
    def of(cls, events: Sequence[Event], store: Store) -> Outcome:
        """Return the outcome whose events were recorded in one append."""
        last = decode(events[-1])
        return cls(
            tuple(events),
            last if isinstance(last, Refused) else None,
            last if isinstance(last, Asked) else None,
            store=store,
        )

    @property
    def decided(self) -> EncounterDecided | None:
        """Return the notice that only one side has combatants up, if this declaration caused it."""
        found = decode(self.events[-1]) if self.events else None
        return found if isinstance(found, EncounterDecided) else None

    @property
    def facts(self) -> list[Any]:
        """Return the facts of the events, decoded."""
        return [decode(event) for event in self.events]

    def narrate(self, width: int = 80) -> list[str]:
        """Return what happened as rows of text, without the map. O(events of the line before it)."""
        from affray.engine.text.narrate import Narrator, plain  # what only plays needs no words

        if self.store is None or not self.events:
            return [] if self.refused is None else [self.refused.reason]
        first = self.events[0]
        narrator = Narrator(fold(self.store.read(first.stream, upto=first.seq - 1)))
        told = (line for line in narrator.tell(self.facts) if line.kind != "map")
        return [row for line in told for row in plain(line, width)]


def repeats(first: object, command: object) -> bool:
    """Return whether the first event of an append belongs to this command."""
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
    """Return the faces typed as the answer to a question. Raises WrongAnswer and the errors of dice."""
    try:
        faces = _numbers(answer)
    except ValueError:
        raise WrongAnswer(f"{answer!r} are no faces; type them as 4,6") from None
    rethrow(parse(question.notation), faces)
    return faces


class Appending:
    """The line of play as far as a table has read it."""

    def __init__(self, store: Store, branch: str) -> None:
        self.store = store
        self.branch = branch
        self._seq = 0
        self._behind = False
        self._running = False

    fight: Fight

    @property
    def state(self) -> Encounter:
        """Return the current state."""
        return self.fight.state

    @property
    def seq(self) -> int:
        """Return the position of the last event."""
        return self._seq

    def _load(self) -> None:
        """Take the state from the log."""
        raise NotImplementedError

    def _once(self, request: str, begin: Callable[[C], Callable[[], Resolution]], command: C) -> Outcome:
        """Run a command and append its events, unless it was recorded under this request already.

        `begin` refuses the command before anything changes, or returns the function that runs it. Returns the
        recorded outcome or the new one.
        """
        if self._running:
            raise _busy()
        if self._behind:
            self._load()
        if request and (known := self._repeated(request, command)) is not None:
            return known
        run = begin(command)
        self._running = True
        try:
            found = run()
            if self.fight.state.packages:  # the claims of an installed package are not trusted
                for made in found.entries:
                    check_readable(made)
            events = self.store.append(self.branch, found.entries, self._seq, request)
            self._seq += len(events)
        except BaseException as error:
            if isinstance(error, Conflict):
                logging.warning("append.conflict", expected=error.expected, actual=error.actual)
            self._catch_up()
            # The same command may have been sent in the meantime, against another state.
            if isinstance(error, RequestReused) and (known := self._repeated(request, command)) is not None:
                return known
            raise
        finally:
            self._running = False
        if found.waiting is not None:
            logging.info("choice.waiting", who=found.waiting.who, question=found.waiting.question)
        return Outcome(tuple(events), found.refused, found.waiting, store=self.store)

    def _repeated(self, request: str, command: object) -> Outcome | None:
        """Return what was recorded under the request, None for a new one. Raises RequestReused."""
        events = self.store.recorded(request)
        if not events:
            return None
        if events[0].stream != self.branch:
            raise RequestReused(f"request {request!r} was recorded on branch {events[0].stream!r}")
        if not repeats(decode(events[0]), command):
            raise RequestReused(f"request {request!r} was recorded with another command")
        if self._seq < events[-1].seq:
            self._load()
        return Outcome.of(events, self.store)

    def _catch_up(self) -> None:
        """Take the state from the log: the working state may have run ahead of it, or other writers have
        appended.

        If the log cannot be read now, this is repeated before anything else is done here.
        """
        self._behind = True
        with suppress(LogUnavailable):
            self._load()

    def _aside(self, fact: object) -> int:
        """Append a fact that belongs to no declaration; return its position."""
        if self._running:
            raise _busy()
        state = self.state
        self.store.append(self.branch, [entry(fact, state.round, state.turn, "", self._seq + 1)], self._seq)
        self._load()
        return self._seq

    def _be_idle(self) -> None:
        """Raise MustAnswer while the fight waits, Conflict if it no longer waits."""
        if self._behind:
            self._load()
        if (question := self.state.pending) is not None:
            self._be_current()
            raise MustAnswer(f"the fight waits for {question.who or 'the game master'}: {question.question}")

    def _be_current(self) -> None:
        """Raise Conflict if another writer has appended: the question may have changed.

        The table has then caught up with the log.
        """
        expected, head = self._seq, self.store.head(self.branch).seq
        if head != expected:
            logging.warning("append.conflict", expected=expected, actual=head)
            self._catch_up()
            raise Conflict(self.branch, expected, head)


def _busy() -> AffrayError:
    """Return the error for a command during a declaration, from dice or a policy."""
    return AffrayError("the table is deciding a declaration: neither dice nor a policy can command it")
