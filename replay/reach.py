"""The order in which recorded declarations are decided again: everybody in its own turn."""

from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import Protocol

from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.conditions import can_act
from affray.engine.rules.turns.initiative import turns_are_over
from affray.events.facts.chains import ChainBegun, ChainLeft
from affray.events.facts.declared import Asked
from affray.replay.scripts import Script


class Again(Protocol):
    """A new line being written: what the order asks of it."""

    fight: Fight
    waiting: Asked | None

    def play(self, script: Script) -> None:
        """Decide a recorded group again."""

    def end_turn(self, who: str) -> bool:
        """End a turn by policy; False if the rules refuse it."""


class Reach:
    """Plays recorded groups in an order that fits the turns of the new line.

    Everybody does in a turn what was declared in that turn before, also when the order has changed.
    Whoever has a turn now and had none then passes it by policy.
    """

    def __init__(
        self, again: Again, recorded: Iterable[Script], played: Callable[[Script], object] = id
    ) -> None:
        """Play into a new line; `played` is told each recorded group as soon as it was played."""
        self.again, self._played = again, played
        self.queue = list(recorded)

    def run(self) -> None:
        """Play everything. Declarations whose turn never comes are refused, and so become invalid.

        Where the new line waits for an answer it ends; what was not reached stays in the queue.
        """
        while self.step():
            pass

    def step(self) -> bool:
        """Play the next group, and what comes before it; False if nothing is left that can be played."""
        if not self.queue or self.again.waiting is not None:
            return False
        script = self.queue.pop(0)
        if script.owner:
            self._reach(script)
        if self.again.waiting is not None:
            self.queue.insert(0, script)
            return False
        self.again.play(script)
        self._played(script)
        return True

    def _reach(self, script: Script) -> None:
        """Bring the turn to the owner of a script, if it is still to come in its round."""
        for _ in range(4 * len(self.again.fight.state.combatants) + 4):
            fight = self.again.fight
            state = fight.state
            active = state.active
            if active == script.owner or state.closed or turns_are_over(fight) or not self._due(script):
                return
            own = [one for one in self._ahead() if one.owner == active and one.round == state.round]
            if active and own:
                for one in own:
                    self.queue.remove(one)
                    self.again.play(one)
                    self._played(one)
                    if self.again.waiting is not None:
                        return
                if state.active != active:
                    continue
            if not self.again.end_turn(active) or self.again.waiting is not None:
                return

    def _ahead(self) -> Iterator[Script]:
        """Yield what may come before its place: nothing passes the beginning or the end of a chain."""
        return takewhile(lambda one: type(one.facts[0]) not in (ChainBegun, ChainLeft), self.queue)

    def _due(self, script: Script) -> bool:
        """Say whether the owner's turn of the script's round is still to come."""
        state = self.again.fight.state
        owner = state.combatants.get(script.owner)
        if owner is None or owner.id not in state.order or not can_act(self.again.fight, owner):
            return False
        if script.round != state.round or not state.active:
            return script.round >= state.round
        return state.active not in state.order or state.order.index(owner.id) > state.order.index(
            state.active
        )
