"""One line of play, decided again from what people said: what writing and reading the notation share."""

from collections.abc import Sequence
from typing import Any, Protocol

from affray.engine.book import MissingPackage
from affray.engine.dialects import load
from affray.engine.dice import Source
from affray.engine.fight.fight import Fight
from affray.engine.notation.statements import Verdict
from affray.engine.steps import Choice
from affray.engine.table.runner import resolve
from affray.events.codec import decode, entry
from affray.events.envelope import Entry, Event
from affray.events.errors import AffrayError
from affray.events.facts.declared import REFUSED, Declared, Invalidated, Refused
from affray.projections.fold import apply
from affray.projections.state import Encounter, duplicate

UNDECIDABLE = (
    AffrayError,
    LookupError,
    ArithmeticError,
    TypeError,
    ValueError,
    AttributeError,
    AssertionError,
)
"""What the rules, or the fold, may raise in a state that no play leads to: a text can write down any fact."""


class Telling(Source, Protocol):
    """Dice and answers of one declaration, in the order in which they are asked for."""

    @property
    def waits(self) -> bool:
        """Whether the fight waited for any of it."""
        ...

    goes_on: bool
    """Whether what the fight waits for now comes next."""

    def again(self) -> None:
        """Begin from the first once more; what the fight has waited for is there now."""
        ...

    def answer(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return the answer that comes next, None to wait for it."""
        ...


class Deciding:
    """The state of a line, and what the rules make of what comes next. `seq` is its last event."""

    def __init__(self, state: Encounter, seq: int, seed: str, cause: int, *, packages: bool = True) -> None:
        self.state, self.seq, self.cause = state, seq, cause
        self._seed, self._packages = seed, packages
        self._fight: Fight | None = None

    def next_id(self) -> str:
        """Return the id that the next declaration has unless it is given another."""
        return f"d{self.state.declarations + 1}"

    def next_refused(self) -> str:
        """Return the id that the next declaration has if it is refused."""
        return f"{REFUSED}{self.state.refusals + 1}"

    def beside(self, fact: Any, *, follows: bool) -> list[Entry]:
        """Return a fact that no rule decides, behind what has come so far."""
        cause = self.cause if follows else self.seq + 1
        return [entry(fact, self.state.round, self.state.turn, "", cause)]

    def unasked(self, id: str, act: Any, by: str, verdict: Verdict) -> list[Entry]:
        """Return a declaration that the rules were not asked about, with what became of it."""
        fact: Any
        if verdict.word == "refused":
            id = id or self.next_refused()
            fact = Refused(id, verdict.reason, verdict.rule, stays=True)
        else:
            id = id or self.next_id()
            fact = Invalidated(id, verdict.reason, verdict.rule)
        round, turn, cause = self.state.round, self.state.turn, self.seq + 1
        return [entry(one, round, turn, act.actor, cause) for one in (Declared(id, act, by), fact)]

    def declared(self, id: str, act: Any, by: str, told: Telling) -> list[Entry]:
        """Return what comes of a declaration; the state runs ahead with it."""
        seq = self.seq + 1
        refused_id = ""
        if not id:
            id, refused_id = self.next_id(), self.next_refused()
        elif id.startswith(REFUSED):
            id, refused_id = self.next_id(), id
        declared = Declared(id, act, by)
        before = duplicate(self.state) if told.waits else None
        fight = self._fight_now()
        result = resolve(fight, declared, seq=seq, dice=told, answers=told.answer, refused_id=refused_id)
        made = list(result.entries)
        while result.waiting is not None and told.goes_on and before is not None:
            told.again()
            self.state, self._fight = duplicate(before), None
            recorded = [event_of_entry(one) for one in made]
            result = resolve(
                self._fight_now(),
                declared,
                seq=seq,
                dice=told,
                answers=told.answer,
                recorded=recorded,
                refused_id=refused_id,
            )
            made += result.entries
        return made

    def accept(self, entries: Sequence[Entry]) -> None:
        """Go on behind entries that the state holds already."""
        self.seq += len(entries)
        self.cause = entries[-1].cause

    def take(self, state: Encounter, entries: Sequence[Entry]) -> None:
        """Go on from a state and these entries behind it, whatever the rules made."""
        for one in entries:
            apply(state, decode(event_of_entry(one)))
        self.state, self._fight = state, None
        self.accept(entries)

    def _fight_now(self) -> Fight:
        if self._fight is None:
            state = self.state
            rules = load(state.dialect, None, state.tables, state.packages if self._packages else ())
            self._fight = Fight(state, rules)
            self._fight.seed = self._seed
        return self._fight


def installed(state: Encounter) -> bool:
    """Say whether the packages that a fight was opened with are here, just as they were."""
    try:
        load(state.dialect, None, state.tables, state.packages)
    except MissingPackage:
        return False
    return True


def event_of_entry(one: Entry) -> Event:
    """Return an entry as an event without a place, to be decoded or compared."""
    return Event("", 0, one.type, one.version, one.round, one.turn, one.actor, one.cause, one.data, b"")
