"""Whose dice are thrown by hand: kept with the fight, beside its log.

It is no fact of the fight: which dice people threw is in the log already, roll by roll. A log without the
setting, as all older ones, plays on with the encounter's own dice. It is written as a chain of values under
names that count up, since what is kept beside a log is never changed.
"""

from collections.abc import Iterable

import msgspec

from affray.engine.dice import Manual, Notation, Source, Throw
from affray.engine.fight.fight import Fight
from affray.events.store import Store

EVERYBODY = "everybody"
"""Every roll, those of the game master too."""

SIDE = "side:"
"""What stands before the name of a side."""

_NAME = "by-hand."


def by_hand(store: Store) -> tuple[str, ...]:
    """Return whose dice are thrown by hand: ids, `side:NAME`, `everybody`. O(changes)."""
    found: tuple[str, ...] = ()
    number = 1
    while (kept := store.note(f"{_NAME}{number}")) is not None:
        found = msgspec.json.decode(kept, type=tuple[str, ...])
        number += 1
    return found


def keep_by_hand(store: Store, whom: Iterable[str]) -> None:
    """Let from now on those, and nobody else, throw their dice by hand; none for nobody."""
    wanted = tuple(dict.fromkeys(whom))
    if wanted == by_hand(store):
        return
    number = 1
    while store.note(f"{_NAME}{number}") is not None:
        number += 1
    store.keep_note(f"{_NAME}{number}", msgspec.json.encode(wanted))


_WAITING = Manual(lambda key, notation: None)


class ByHand:
    """Dice of which some are thrown by people: for their rolls the fight waits, all others are as before.

    Of a declaration that has begun, the rolls `by_links` are none of theirs, and with `next_by_links` the one
    that comes after them: links were asked for before it was said whose dice are thrown by hand.
    """

    def __init__(
        self,
        whom: Iterable[str],
        fight: Fight,
        then: Source,
        by_links: Iterable[str] = (),
        next_by_links: bool = False,
    ) -> None:
        self.whom, self.fight, self.then = frozenset(whom), fight, then
        self._by_links, self._next = set(by_links), next_by_links

    def throw(self, key: str, notation: Notation) -> tuple[Throw, str] | None:
        """Return the throw of the other dice; None for a roll that is made by hand: the fight waits."""
        if self._next and key not in self._by_links:
            self._by_links.add(key)
            self._next = False
        dice = _WAITING if key not in self._by_links and self._waits() else self.then
        return dice.throw(key, notation)

    def _waits(self) -> bool:
        if EVERYBODY in self.whom:
            return True
        one = self.fight.state.combatants.get(self.fight.roller)
        return one is not None and (one.id in self.whom or f"{SIDE}{one.side}" in self.whom)
