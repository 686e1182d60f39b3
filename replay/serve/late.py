"""Telling those who are not at the end of the feed: who have come late, or read slowly."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from affray.events.sqlite import SqliteStore
from affray.events.store import Store
from affray.replay.serve.positions import Place, rebased
from affray.replay.serve.telling import REBASE, as_sse, turn_of
from affray.replay.serve.told_late import Key, told_between

MOST_ASKED: Final = 8
"""So many answers are kept for others who ask the same: after a break all come at once, from one position."""


class Late:
    """Tells what comes next after a position, from the log; belongs to the thread of its desk."""

    def __init__(self, source: str) -> None:
        """Call the log `source`."""
        self.source = source
        self._told: OrderedDict[tuple[Place, Place, Key], tuple[Place, bytes]] = OrderedDict()

    def after(self, place: Place, end: Place, key: Key) -> Callable[[SqliteStore], tuple[Place, bytes]]:
        """Return what finds the next position on the way to `end`, and what is told on the way there.

        It raises BadPlace for a position that this log has never had.
        """
        asked = place, end, key

        def work(store: SqliteStore) -> tuple[Place, bytes]:
            if asked not in self._told:
                self._told[asked] = self._found(store, place, end, key)
                if len(self._told) > MOST_ASKED:
                    self._told.popitem(last=False)
            return self._told[asked]

        return work

    def _found(self, store: Store, place: Place, end: Place, key: Key) -> tuple[Place, bytes]:
        common = rebased(store, place, end)
        if (place.branch, place.epoch) != (end.branch, end.epoch):
            return common, as_sse(turn_of(REBASE, common, self.source, place))
        told, seq = told_between(store, place, end.seq, key, self.source)
        return Place(place.branch, place.epoch, seq), b"".join(map(as_sse, told))
