"""Automatic play: plain tactics for demonstrations, random fights, odds and benchmarks.

A tactic only proposes declarations; the rules treat them like any others. A combatant that can strike does;
one that cannot approaches, shoots or casts; the turn ends when nothing useful is left.
"""

import gc
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Final, Protocol

from affray.engine.fight.fight import Fight
from affray.engine.kernel.turns import is_decided
from affray.engine.table.appending import Outcome
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import AnyAct
from affray.projections.state import Encounter, Question

# --- The frequency of Python's garbage collection while fights are played on

SELDOM: Final = (50_000, 20, 100)
"""A fight leaves no reference cycles, and searching its caches for them each time is useless."""

_lock: Final = RLock()
_playing: Final[list[tuple[int, int, int]]] = []
"""For each thread that plays now, the thresholds before the first of them."""
_left: Final[list[tuple[int, int, int]]] = []
"""The former thresholds, if no thread plays any more and no collection has run since."""


@contextmanager
def reduced_garbage_collection() -> Iterator[None]:
    """Have Python collect garbage rarely.

    The old thresholds return once no thread plays, from the next collection on: collecting right after each
    fight would traverse objects that the next fight reuses.
    """
    with _lock:
        if restore_garbage_collection not in gc.callbacks:
            gc.callbacks.append(restore_garbage_collection)
        before = _playing[0] if _playing else gc.get_threshold()
        if _left and before == SELDOM:
            before = _left[0]
        _left.clear()
        _playing.append(before)
        gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        with _lock:
            before = _playing.pop()
            if not _playing:
                _left.append(before)


def restore_garbage_collection(phase: str, info: JsonObject) -> None:
    """Restore the garbage collector's thresholds, if no thread plays and no other code has changed them."""
    with _lock:
        if _left and not _playing:
            if gc.get_threshold() == SELDOM:
                gc.set_threshold(*_left[0])
            _left.clear()


class Playing(Protocol):
    """The part of a table that automatic play needs."""

    fight: Fight

    @property
    def state(self) -> Encounter:
        """Return the current state."""

    @property
    def waiting(self) -> Question | None:
        """Return the question that the fight waits for."""

    def declare(self, act: AnyAct, by: str = "") -> Outcome:
        """Declare an act and return its outcome."""


MOST_IN_A_TURN: Final = 50
"""Declarations that automatic play makes in one turn; no rulebook's turn holds as many."""


class TurnLimit:
    """Counts the declarations of the running turn."""

    def __init__(self) -> None:
        self._turn: tuple[int, int, str] | None = None
        self._count = 0

    def reason_to_stop(self, state: Encounter) -> str:
        """Count one more declaration; return why automatic play stops before it, "" if it goes on."""
        turn = state.round, state.turn, state.active
        self._count = self._count + 1 if turn == self._turn else 1
        self._turn = turn
        if not state.active or self._count <= MOST_IN_A_TURN:
            return ""
        return f"{state.active} has declared {MOST_IN_A_TURN} acts in one turn"


def play_on(table: Playing, rounds: int, watch: Callable[[Outcome], None] | None = None) -> None:
    """Play on automatically for at most `rounds` rounds, until one side is left or the fight waits.

    Raises AffrayError if declarations are repeatedly refused, or a turn does not end.

    >>> from affray.engine import acts, packaged, play_on, set_up
    >>> from affray.events import MemoryStore
    >>> table = set_up(packaged("demo_srd35"), MemoryStore())
    >>> outcome = table.declare(acts.Begin())
    >>> play_on(table, rounds=1)
    >>> table.state.round
    3
    """
    with reduced_garbage_collection():
        last = table.state.round + rounds
        idle, limit = 0, TurnLimit()
        while table.waiting is None:
            state = table.fight.state
            if state.closed or state.round > last:
                return
            act = next_act(table)
            if act is None:
                return
            if reason := limit.reason_to_stop(state):
                raise AffrayError(f"automatic play stops: {reason}")
            outcome = table.declare(act, "tactics")
            if watch is not None:
                watch(outcome)
            if outcome.refused is not None:
                idle += 1
                if idle > 3:
                    raise AffrayError(f"automatic play is stuck: {outcome.refused.reason}")
                outcome = table.declare(acts.EndTurn(actor=table.state.active), "tactics")
                if watch is not None:
                    watch(outcome)
            else:
                idle = 0


def next_act(table: Playing, whom: Collection[str] = ()) -> AnyAct | None:
    """Return the next declaration of automatic play; None at the end, or once only one side is left.

    If all declare before any act, the combatants in `whom` come first.
    """
    fight = table.fight
    state = fight.state
    if state.closed:
        return None
    if fight.memory.company[is_decided]:
        return None
    planned: AnyAct | None = fight.dialect.kernel.propose(fight, whom)
    if planned is not None:
        return planned
    if not state.active:
        return acts.EndTurn()
    combatant = state.combatants[state.active]
    return fight.dialect.kernel.next_declaration(fight, combatant) or acts.EndTurn(actor=combatant.id)
