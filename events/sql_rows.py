"""Events as rows of a database, and back: the path that every event passes."""

from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from affray.events.envelope import Branch, Event, Head
from affray.events.errors import BrokenLog
from affray.events.store import Checkpoint

# Text, not CAST(data AS BLOB), which takes half as long again; and no stream where the caller knows it.
FIELDS = "seq, type, version, round, turn, actor, cause, data, digest, salt"
READ = f"SELECT {FIELDS} FROM events WHERE stream = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
READ_ALL = (
    f"SELECT {FIELDS}, stream, position FROM events"
    " WHERE position > ? AND position <= ? ORDER BY position LIMIT ?"
)
_NUMBERS = [itemgetter(at) for at in (0, 2, 3, 4, 6)]
_TEXTS = [itemgetter(at) for at in (1, 5)]
_WIDTH = len(FIELDS.split(","))
INSERT = (
    "INSERT INTO events (stream, seq, type, version, round, turn, actor, cause, data, digest, salt)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def unsalted(sql: str) -> str:
    """Return a statement that reads events as it is put to a file from before there were salts."""
    return sql.replace(", salt", ", '' AS salt", 1)


def encoded(events: Iterable[Event]) -> list[tuple[object, ...]]:
    """Return the events as parameters of INSERT."""
    return [
        (e.stream, e.seq, e.type, e.version, e.round, e.turn, e.actor, e.cause, data, digest, salt)
        for e, data, digest, salt in ((e, e.data.decode(), e.digest.hex(), e.salt.hex()) for e in events)
    ]


def decoded(streams: Iterable[str], rows: list[Any]) -> list[Event]:
    """Return the events of rows as they come from the file. Raises BrokenLog for what cannot be one."""
    unhex = bytes.fromhex
    try:
        for number in _NUMBERS:  # a damaged file may hold NULL where the schema forbids it
            sum(map(number, rows))
        for text in _TEXTS:
            "".join(map(text, rows))
        return [
            Event(
                stream,
                seq,
                kind,
                version,
                round_,
                turn,
                actor,
                cause,
                data.encode(),
                unhex(digest),
                unhex(salt),
            )
            for stream, (seq, kind, version, round_, turn, actor, cause, data, digest, salt) in zip(
                streams, rows, strict=False
            )
        ]
    except (AttributeError, TypeError, ValueError):
        raise _culprit(next(iter(streams)), rows) from None


def _culprit(stream: str, rows: list[Any]) -> BrokenLog:
    """Return the error that names the first row that is no event."""
    for row in rows:
        if len(row) > _WIDTH:  # of several streams
            stream = row[_WIDTH]
        if not isinstance(row[0], int) or not isinstance(row[6], int):
            return BrokenLog(stream, 0, "a row has no number, or no cause")
        if not all(isinstance(one(row), int) for one in _NUMBERS):
            return BrokenLog(stream, row[0], "its version, round or turn is no number")
        if not all(isinstance(one(row), str) for one in _TEXTS):
            return BrokenLog(stream, row[0], "its type or actor is no text")
        try:
            row[7].encode()
            bytes.fromhex(row[8])
            bytes.fromhex(row[9])
        except (AttributeError, TypeError, ValueError):
            return BrokenLog(stream, row[0], "the row is no event")
    return BrokenLog(stream, rows[0][0], "here or just after it a row is no event")


def digest_of(stream: str, seq: int, text: str) -> bytes:
    """Return a digest from its text in the file; raises BrokenLog."""
    try:
        return bytes.fromhex(text)
    except (TypeError, ValueError):
        raise BrokenLog(stream, seq, "its digest is no hexadecimal number") from None


def head_of(stream: str, seq: Any, digest: Any) -> Head:
    """Return where a stream ends; raises BrokenLog."""
    if not isinstance(seq, int):
        raise BrokenLog(stream, 0, "its last event has no number")
    return Head(seq, digest_of(stream, seq, digest))


def branch_of(row: Any) -> Branch:
    """Return a branch from its row: name, parent, position, digest; raises BrokenLog."""
    name, parent, at, digest = row
    if not isinstance(name, str) or not isinstance(parent, str) or not isinstance(at, int) or at < 0:
        raise BrokenLog(str(name), 0, "its row is no branch")
    if not name:  # that is what the root names as its parent: it would be a child of its own
        raise BrokenLog(parent, at, "a branch that leaves here has no name")
    return Branch(name, parent, at, digest_of(name, at, digest))


def checkpoint_of(row: Any) -> Checkpoint:
    """Return a checkpoint from its row, bound to nothing if that is none; raises BrokenLog."""
    stream, projection, version, seq, digest, state = row
    if not isinstance(seq, int):
        raise BrokenLog(str(stream), 0, "a state is kept of an event without a number")
    try:
        return Checkpoint(stream, projection, version, seq, bytes.fromhex(digest), bytes(state))
    except (TypeError, ValueError):
        return Checkpoint(stream, projection, version, seq, b"", b"")
