"""What is told from the log itself, to those who come late or ask for a page of events."""

from typing import NamedTuple

from affray.events.store import Store
from affray.replay.serve.audience import Audience
from affray.replay.serve.passing import Passing, pages
from affray.replay.serve.positions import Place
from affray.replay.serve.telling import CloudEvent, Teller


class Key(NamedTuple):
    """How a batch is told: to whom, and whether with what a page draws."""

    audience: Audience
    frames: bool


def told_between(
    store: Store, place: Place, upto: int, key: Key, source: str
) -> tuple[list[CloudEvent], int]:
    """Return what is told of a page of events after a position, and the last event of it."""
    events = next(pages(store.read(place.branch, place.seq, upto)), [])
    line = Passing(store, place.branch, place.seq, framed=key.frames)
    teller = Teller(key.audience, line.state, line.group, source, (place.branch, place.epoch))
    passed = line.take(events)
    return list(teller.tell(passed, frames=key.frames)), line.seq
