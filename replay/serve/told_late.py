"""What is told from the log itself, to those who come late, read slowly or ask for a page of events."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from affray.events.store import Store
from affray.replay.serve.audience import Key
from affray.replay.serve.cloud_events import REBASE, CloudEvent, as_sse, turn_of
from affray.replay.serve.passing import Passing, pages
from affray.replay.serve.positions import Place, rebased
from affray.replay.serve.telling import Teller

MOST_ASKED: Final = 8
"""So many answers are kept for others who ask the same: after a break all come at once, from one position."""


class Late:
    """Tells what comes next after a position, from the log; belongs to the thread of its desk."""

    def __init__(self, source: str) -> None:
        """Call the log `source`."""
        self.source = source
        self._told: OrderedDict[tuple[Place, Place, Key], tuple[Place, bytes]] = OrderedDict()

    def after(self, place: Place, end: Place, key: Key) -> Callable[[Store], tuple[Place, bytes]]:
        """Return what finds the next position on the way to `end`, and what is told on the way there.

        It raises BadPlace for a position that this log has never had.
        """
        asked = place, end, key

        def work(store: Store) -> tuple[Place, bytes]:
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


def told_between(
    store: Store, place: Place, upto: int, key: Key, source: str
) -> tuple[list[CloudEvent], int]:
    """Return what is told of a page of events after a position, and the last event of it."""
    events = next(pages(store.read(place.branch, place.seq, upto)), [])
    line = Passing(store, place.branch, place.seq, framed=key.frames)
    teller = Teller(key.audience, line.state, line.group, source, (place.branch, place.epoch))
    passed = line.take(events)
    return list(teller.tell(passed, frames=key.frames)), line.seq
