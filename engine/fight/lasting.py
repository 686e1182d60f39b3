"""What is remembered longer than one fight lasts: by the fights of this process that begin again.

Odds, swing, pivots, errata and balance play on from positions of which one is like another. What is found
out there goes by what combatants are and where they stand, not by the fight in which it was found out: so the
next fight under the same rules, with the same options, on the same map knows it already.
"""

from itertools import count
from typing import Any, Final
from weakref import ref

from affray.engine.fight.kept import Asker, Kept

MOST_RULES: Final = 8
"""Of so many rules and maps something is remembered, the latest; of others it is found out anew."""

MOST_COMPANIES: Final = 8192
"""Companies that are remembered before they are all forgotten."""

MOST_MAPS: Final = 16
"""Of so many maps, which differ in the doors that are open, something is remembered."""

MOST_OF_SHEETS: Final = 32_768
"""Answers that go by sheets, which is where the next fight begins anew with everything."""


class Lasting:
    """What fights remember together that have their rules, options and map in common, one after the other.

    `fight` and `sums` are as in `Memory`, `meetings`, `companies` and `scenes` all that there were. `maps`
    are by what stands between squares: doors are open or closed. Numbers stand for contents: `contents` has
    those of all that combatants have been, `worlds` those of what surrounds them. `records` are those of the
    combatants, which one fight leaves to the next.
    """

    def __init__(self, store: type[Kept] = Kept) -> None:
        self.asker = Asker(lambda: None)
        self.store = store
        self.fight, self.sums = self.new(), self.new()
        self.maps: dict[Any, Kept] = {}
        self.records: dict[str, Any] = {}
        self.contents: dict[Any, tuple[int, Any, Any]] = {}
        self.worlds: dict[Any, int] = {}
        self.meetings: dict[Any, Kept] = {}
        self.companies: dict[Any, Kept] = {}
        self.scenes: dict[Any, tuple[Kept, Kept]] = {}
        self.openings: set[Any] = set()
        self.numbers = count(1)

    def new(self, number: int = 0) -> Kept:
        """Return an empty store of answers."""
        return self.store(self.asker, number)

    def has_begun(self, opening: object) -> bool:
        """Say whether a fight has begun so before."""
        if opening in self.openings:
            return True
        if len(self.openings) >= MOST_COMPANIES:
            self.openings.clear()
        self.openings.add(opening)
        return False

    def company(self, together: tuple[int, ...]) -> Kept:
        """Return what is remembered of those who are, all `together`, what these numbers stand for."""
        found = self.companies.get(together)
        if found is None:
            if len(self.companies) >= MOST_COMPANIES:
                self.companies.clear()
            found = self.companies[together] = self.new(next(self.numbers))
        return found

    def map_with(self, barriers: object) -> Kept:
        """Return what is remembered of the map with these between its squares."""
        found = self.maps.get(barriers)
        if found is None:
            if len(self.maps) >= MOST_MAPS:
                self.maps.clear()
            found = self.maps[barriers] = self.new()
        return found

    def world(self, content: object) -> int:
        """Return the number of what surrounds all combatants, the same for the same."""
        number = self.worlds.get(content)
        if number is None:
            number = self.worlds[content] = next(self.numbers)
        return number


_FREE: Final[dict[Any, list[Lasting]]] = {}
"""What is remembered under rules and on maps, as far as no fight has it just now."""

_LENT: Final[dict[int, object]] = {}
"""What looks after the states of fights that have something lent."""


def lent(fight: Any, ground: Any, store: type[Kept]) -> Lasting:
    """Return what is remembered on a ground: under its rules and options, on its map.

    It is the fight's alone until the fight's state is gone, and is free for others then: answers may hold the
    records of that state, which the next fight takes over.
    """
    ground = store, ground
    free = _FREE.pop(ground, None) or []
    try:
        found = free.pop()
    except IndexError:  # a fight has it, or another thread was quicker
        found = Lasting(store)
    if len(found.fight) > MOST_OF_SHEETS:
        found = Lasting(store)
    _FREE[ground] = free
    for oldest in list(_FREE)[:-MOST_RULES]:
        _FREE.pop(oldest, None)

    def give_back(lender: object) -> None:
        _LENT.pop(id(lender), None)
        _FREE.setdefault(ground, []).append(found)

    lender = ref(fight.state, give_back)
    _LENT[id(lender)] = lender
    found.asker.fight = ref(fight)
    return found
