"""The salts of a log in the notation: they follow from a seed that is revealed, or are packed."""

import base64
from collections.abc import Sequence

from affray.events.envelope import Event
from affray.events.salts import SALT_BYTES, salts

ONCE = "once"
"""All events of a branch were appended together."""


def salts_of(events: Sequence[Event], starts: Sequence[int], previous: bytes, key: bytes) -> str | None:
    """Return how the salts of a branch come about: None as they do in play, ONCE, or all of them, in text."""
    if key:
        if _follow(events, starts, previous, key):
            return None
        if _follow(events, starts[:1], previous, key):
            return ONCE
    return base64.b85encode(b"".join(event.salt for event in events)).decode()


def _follow(events: Sequence[Event], starts: Sequence[int], previous: bytes, key: bytes) -> bool:
    begun = {*starts}
    at = [index for index, event in enumerate(events) if event.seq in begun]
    for one, end in zip(at, [*at[1:], len(events)], strict=True):
        first = events[one]
        made = salts(key, previous, first.stream, first.seq, first.data, end - one)
        if made != b"".join(event.salt for event in events[one:end]):
            return False
        previous = events[end - 1].digest
    return True


def unpacked(text: str) -> list[bytes]:
    """Return salts that were packed. Raises ValueError."""
    data = base64.b85decode(text)
    return [data[at : at + SALT_BYTES] for at in range(0, len(data), SALT_BYTES)]
