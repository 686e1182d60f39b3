"""Automatic play: plain tactics for demonstrations, random fights, odds and benchmarks.

A tactic only proposes declarations; the rules judge them like anybody's. Whoever can strike strikes,
whoever cannot moves up, shoots or casts; the turn ends when nothing useful is left.
"""

from collections.abc import Callable, Collection
from typing import Final, Protocol

from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import is_decided
from affray.engine.rules.turns.tactics import next_declaration
from affray.engine.table.collecting import collecting_seldom
from affray.engine.table.outcome import Outcome
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.projections.state import Encounter, Question


class Playing(Protocol):
    """What automatic play needs of a table."""

    fight: Fight

    @property
    def state(self) -> Encounter:
        """What is true now."""

    @property
    def waiting(self) -> Question | None:
        """The question that the fight waits for."""

    def declare(self, act: AnyAct, by: str = "") -> Outcome:
        """Declare an act and return what came of it."""


MOST_IN_A_TURN: Final = 50
"""Declarations that automatic play makes in one turn; no rulebook's turn holds as many."""


class TurnLimit:
    """Counts the declarations of the running turn."""

    def __init__(self) -> None:
        self._turn: tuple[int, int, str] | None = None
        self._count = 0

    def reason_to_stop(self, state: Encounter) -> str:
        """Count one more declaration; return why automatic play stops before it, "" where it goes on."""
        turn = state.round, state.turn, state.active
        self._count = self._count + 1 if turn == self._turn else 1
        self._turn = turn
        if not state.active or self._count <= MOST_IN_A_TURN:
            return ""
        return f"{state.active} has declared {MOST_IN_A_TURN} acts in one turn"


def play_on(table: Playing, rounds: int, watch: Callable[[Outcome], None] | None = None) -> None:
    """Play on automatically for that many rounds at most, until one side stands or the fight waits.

    Raises AffrayError where declarations are refused again and again, or a turn does not end.

    >>> from affray.engine import acts, packaged, play_on, set_up
    >>> from affray.events import MemoryStore
    >>> table = set_up(packaged("demo_srd35"), MemoryStore())
    >>> outcome = table.declare(acts.Begin())
    >>> play_on(table, rounds=1)
    >>> table.state.round
    3
    """
    with collecting_seldom():
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
    """Return the next declaration that automatic play makes; None at the end, or once one side stands.

    Where everybody declares before anybody acts, those of `whom` come before others.
    """
    fight = table.fight
    state = fight.state
    if state.closed:
        return None
    if fight.memory.company[is_decided]:
        return None
    planned: AnyAct | None = fight.dialect.turns.propose(fight, whom)
    if planned is not None:
        return planned
    if not state.active:
        return acts.EndTurn()
    combatant = state.combatants[state.active]
    return next_declaration(fight, combatant) or acts.EndTurn(actor=combatant.id)
