"""Where lines leave each other: what each begins with, from one pass over the events of every branch.

A log may have thousands of branches. A branch that is read leaves, at each of its events where another one
leaves it, how things stand there; nothing is folded twice.
"""

from collections import Counter
from typing import Any

from affray.events.envelope import Branch, Event
from affray.events.errors import BrokenLog
from affray.events.store import Store
from affray.projections.state import Encounter, duplicate
from affray.replay.difference import Told, compared, told_after
from affray.replay.luck import Tally
from affray.replay.viewer.framed_line import Begun

Place = tuple[str, int]
"""The stream that holds an event, and its position."""

KEPT = 20_000
"""So many events of parents after a parting are remembered: those that leave at one place share them."""


class Forks:
    """The branches of a log in order of creation, parents first, and where each leaves its parent."""

    def __init__(self, store: Store) -> None:
        """Find where branches leave. O(branches)."""
        self.branches = store.branches()
        self._store = store
        self._places: dict[str, Place] = {}
        known: dict[str, Branch] = {}
        for branch in self.branches:
            self._places[branch.name] = self._place(known, branch)
            known[branch.name] = branch
        self._awaited = Counter(self._places.values())
        self._begun: dict[Place, Begun] = {}
        self._told: dict[Place, Told] = {}
        self._kept = 0

    def _place(self, known: dict[str, Branch], branch: Branch) -> Place:
        """Return where a branch leaves. Raises BrokenLog where that cannot be."""
        name, at = branch.parent, branch.at
        while name and at:
            parent = known.get(name)
            if parent is None:
                raise BrokenLog(branch.name, branch.at, f"it left {name!r}, which was no branch then")
            if at > parent.at:
                return name, at
            if at == parent.at:
                return self._places[name]
            name = parent.parent
        return "", 0

    def begun(self, branch: Branch) -> Begun:
        """Return how things stand where a branch begins; each branch asks once, in order."""
        place = self._places[branch.name]
        if not place[1]:
            return Begun(Encounter(), Tally())
        begun = self._begun.get(place)
        if begun is None:
            raise BrokenLog(branch.name, branch.at, f"it left {place[0]}#{place[1]}, which is no event")
        self._awaited[place] -= 1
        if not self._awaited[place]:
            del self._begun[place]
        return begun

    def leave(self, event: Event, state: Encounter, tally: Tally, group: list[tuple[Event, Any]]) -> None:
        """Keep how things stand after an event, if a branch leaves there."""
        place = event.stream, event.seq
        if place in self._awaited:
            self._begun[place] = Begun(duplicate(state), tally.copy(), tuple(group))

    def parting(self, branch: Branch, base: Encounter) -> str:
        """Return in one sentence what differs between a branch and its parent; `base` is where they part."""
        place = branch.parent, branch.at
        told = self._told.get(place)
        if told is None:
            told = told_after(self._store, branch.parent, branch.at, base)
            self._told[place] = told
            self._kept += len(told.events) + 1
            while self._kept > KEPT and len(self._told) > 1:
                self._kept -= len(self._told.pop(next(iter(self._told))).events) + 1
        own = told_after(self._store, branch.name, branch.at, base)
        names = branch.parent, branch.name
        return compared(base, names, branch.at, told, own).sentence
