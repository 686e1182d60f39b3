"""What is told from the log itself, to those who come late, read slowly or ask for a page of events."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from affray.events.store import Store
from affray.replay.serve.audience import Key
from affray.replay.serve.cloud_events import REBASE, CloudEvent, as_sse, turn_of
from affray.replay.serve.counting import Counting
from affray.replay.serve.marks import Marks
from affray.replay.serve.passing import Passing, pages
from affray.replay.serve.positions import Place, rebased
from affray.replay.serve.telling import begun, start_of

MOST_ASKED: Final = 8
"""So many answers are kept for others who ask the same: after a break all come at once, from one position."""


class Late:
    """Tells what comes next after a position, from the log; belongs to the thread of its desk."""

    def __init__(self, source: str, counting: Counting) -> None:
        """Call the log `source`."""
        self.source, self._counting = source, counting
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
        common, marks = rebased(store, place, end), Marks(key.audience, self._counting)
        if (place.branch, place.epoch) != (end.branch, end.epoch):
            told = turn_of(REBASE, marks.told(store, common), self.source, marks.told(store, place))
            return common, as_sse(told)
        events, seq = told_between(store, place, end.seq, key, self.source, self._counting)
        return Place(place.branch, place.epoch, seq), b"".join(map(as_sse, events))


def told_between(
    store: Store, place: Place, upto: int, key: Key, source: str, counting: Counting | None = None
) -> tuple[list[CloudEvent], int]:
    """Return what is told of a page of events after a position, and the last event of it.

    What the audience was told before is counted by `counting`, or else from the first event on.
    """
    counted = Marks(key.audience, counting or Counting()).counted(store, place.branch, upto)
    line = Passing(store, place.branch, start_of(place, counted), framed=key.frames)
    teller = begun(store, line, place, key, source, counted)
    events = next(pages(store.read(place.branch, place.seq, upto)), [])
    passed = line.take(events)
    return list(teller.tell(passed, frames=key.frames)), line.seq
