"""Batches: what the feed has found, as each audience is told it, kept for those who are almost at the end."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final

from affray.replay.serve.audience import Key
from affray.replay.serve.positions import Place
from affray.replay.serve.telling import CloudEvent, as_sse

MOST_BATCHES: Final = 256
MOST_TOLD: Final = 8000
"""So much is kept at most: batches, and events in them, each counted as often as it is told."""

LUMP: Final = 64 * 1024
"""Bytes that one who has fallen behind is sent at once, or those of one batch if it has more."""


class Batch:
    """The events from one position of the feed to another, as each audience is told them."""

    def __init__(self, to: Place, told: Mapping[Key, Sequence[CloudEvent]]) -> None:
        self.to, self.told = to, told
        self.count = sum(map(len, told.values()))
        self._sent: dict[Key, bytes] = {}

    def sent(self, key: Key) -> bytes:
        """Return the bytes that followers of one kind get; made once."""
        if key not in self._sent:
            self._sent[key] = b"".join(map(as_sse, self.told[key]))
        return self._sent[key]


class Batches:
    """The newest batches, by where they begin; memory is bounded by their number and what is told in them."""

    def __init__(self) -> None:
        """Hold none."""
        self._from: OrderedDict[Place, Batch] = OrderedDict()
        self.count = 0

    def __len__(self) -> int:
        """Return how many are kept."""
        return len(self._from)

    def keep(self, begin: Place, batch: Batch) -> None:
        """Keep one more, which begins where the one before ended; the oldest ones go."""
        self._from[begin] = batch
        self.count += batch.count
        while len(self._from) > 1 and (len(self._from) > MOST_BATCHES or self.count > MOST_TOLD):
            _, oldest = self._from.popitem(last=False)
            self.count -= oldest.count

    def sent(self, key: Key, after: Place) -> tuple[Place, bytes] | None:
        """Return what comes after a position, several batches in one where that is not much, and its end.

        None where it is not at hand.
        """
        batch = self._from.get(after)
        if batch is None or key not in batch.told:
            return None
        place, sent = batch.to, batch.sent(key)
        while (batch := self._from.get(place)) is not None and key in batch.told and len(sent) < LUMP:
            place, sent = batch.to, sent + batch.sent(key)
        return place, sent

    def told(self, key: Key, after: Place, upto: Place) -> list[CloudEvent] | None:
        """Return what is told from one position to another, None where that is not at hand."""
        found: list[CloudEvent] = []
        while after != upto:
            batch = self._from.get(after)
            if batch is None or key not in batch.told:
                return None
            found += batch.told[key]
            after = batch.to
        return found
