"""Events as rows of the SQLite log, and back: the path that every event passes."""

from collections.abc import Iterable
from typing import Any

from affray.events.envelope import Event
from affray.events.errors import BrokenLog
from affray.events.store import MAIN

# Text, not CAST(data AS BLOB), which takes half as long again; and no stream where the caller knows it.
FIELDS = "seq, type, version, round, turn, actor, cause, data, digest"
READ = f"SELECT {FIELDS} FROM events WHERE stream = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
READ_ALL = (
    f"SELECT {FIELDS}, stream, position FROM events"
    " WHERE position > ? AND position <= ? ORDER BY position LIMIT ?"
)
INSERT = (
    "INSERT INTO events (stream, seq, type, version, round, turn, actor, cause, data, digest)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def encoded(events: Iterable[Event]) -> list[tuple[object, ...]]:
    """Return the events as parameters of INSERT."""
    return [
        (e.stream, e.seq, e.type, e.version, e.round, e.turn, e.actor, e.cause, data, digest)
        for e, data, digest in ((e, e.data.decode(), e.digest.hex()) for e in events)
    ]


def unhexed(digest: str) -> bytes:
    """Return a digest as it comes from the file. Raises BrokenLog for what cannot be one."""
    try:
        return bytes.fromhex(digest)
    except (TypeError, ValueError):
        raise BrokenLog(MAIN, 0, "a digest that is kept beside the events is none") from None


def decoded(streams: Iterable[str], rows: list[Any]) -> list[Event]:
    """Return the events of rows as they come from the file. Raises BrokenLog for what cannot be one."""
    unhex = bytes.fromhex
    try:
        return [
            Event(stream, seq, kind, version, round_, turn, actor, cause, data.encode(), unhex(digest))
            for stream, (seq, kind, version, round_, turn, actor, cause, data, digest) in zip(
                streams, rows, strict=False
            )
        ]
    except (AttributeError, TypeError, ValueError):
        raise BrokenLog(next(iter(streams)), rows[0][0], "here or just after it a row is no event") from None
