"""Conversion of events to database rows and back."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from operator import itemgetter
from typing import Any, TypeAlias

from affray.events.envelope import Branch, Event, Head
from affray.events.errors import BrokenLog
from affray.events.secrets import SEED
from affray.events.stores.store import Checkpoint

# Text, because CAST(data AS BLOB) takes 50 % longer; no stream, because most callers know it.
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
    """Return a statement that reads events, changed for a file from before salts were introduced."""
    return sql.replace(", salt", ", '' AS salt", 1)


Row: TypeAlias = tuple[Any, ...]
"""A row of a database, its columns as the statement names them."""


def encoded(events: Iterable[Event]) -> list[tuple[object, ...]]:
    """Return the events as parameters of INSERT."""
    return [
        (e.stream, e.seq, e.type, e.version, e.round, e.turn, e.actor, e.cause, data, digest, salt)
        for e, data, digest, salt in ((e, e.data.decode(), e.digest.hex(), e.salt.hex()) for e in events)
    ]


def decoded(streams: Iterable[str], rows: list[Row]) -> list[Event]:
    """Return the events of rows from the file. Raises BrokenLog for rows that cannot be events."""
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
        raise _invalid_row_error(next(iter(streams)), rows) from None


def _invalid_row_error(stream: str, rows: list[Row]) -> BrokenLog:
    """Return the error that names the first row that is no event."""
    for row in rows:
        if len(row) > _WIDTH:  # of several streams
            stream = row[_WIDTH]
        if not isinstance(row[0], int) or not isinstance(row[6], int):
            return BrokenLog(stream, 0, "a row has no number, or no cause")
        if not all(isinstance(one(row), int) for one in _NUMBERS):
            return BrokenLog(stream, row[0], "its version, round or turn is not an integer")
        if not all(isinstance(one(row), str) for one in _TEXTS):
            return BrokenLog(stream, row[0], "its type or actor is not text")
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


def head_of(stream: str, seq: object, digest: str) -> Head:
    """Return where a stream ends; raises BrokenLog."""
    if not isinstance(seq, int):
        raise BrokenLog(stream, 0, "its last event has no number")
    return Head(seq, digest_of(stream, seq, digest))


def branch_of(row: Row) -> Branch:
    """Return a branch from its row: name, parent, position, digest; raises BrokenLog."""
    name, parent, at, digest = row
    if not isinstance(name, str) or not isinstance(parent, str) or not isinstance(at, int) or at < 0:
        raise BrokenLog(str(name), 0, "its row is no branch")
    if not name:  # the root's parent has this name: the branch would be its own child
        raise BrokenLog(parent, at, "a branch that leaves here has no name")
    return Branch(name, parent, at, digest_of(name, at, digest))


def checkpoint_of(row: Row) -> Checkpoint:
    """Return a checkpoint from its row, with an empty state if the row is invalid; raises BrokenLog."""
    stream, projection, version, seq, digest, state = row
    if not isinstance(seq, int):
        raise BrokenLog(str(stream), 0, "a state is kept of an event without a number")
    try:
        return Checkpoint(stream, projection, version, seq, bytes.fromhex(digest), bytes(state))
    except (TypeError, ValueError):
        return Checkpoint(stream, projection, version, seq, b"", b"")


# --- The record of a log in a database: a row for each commit, covering what the events' digests do not cover
#
# The digest of an event covers the event and its predecessor on the line. The record covers the order in
# which events of several lines were committed, the branches with their origins, and the answered requests. A
# row has a number, the kind of commit, the name it is about, the position of the last event of the whole log
# after it, and a digest of all this, of the previous row's digest, and of the committed content:
#
#     append    the digest of the last event, which covers those before it, and the request's id
#     fork      the branch: number, parent, position, digest
#     secret    a note stored with the log, except the seed of an old log, which its commitment covers
#     restored  everything: branches, events, requests, secrets; an import, or
#     adopted   a log that existed before its record
#
# A record is no proof against a person who can recompute it: it shows what was changed, removed, inserted or
# moved by hand or by a fault.

Rows = Callable[..., list[Row]]
"""A function that runs a statement and returns its rows."""

START = (0, 0, sha256(b"affray record 1").hexdigest())
"""Number, position and digest before the first row."""

LAST = "SELECT number, position, digest FROM record ORDER BY number DESC LIMIT 1"
INSERT_COMMIT = "INSERT INTO record (number, kind, name, position, digest) VALUES (?, ?, ?, ?, ?)"

DIGESTS = (
    "SELECT position, stream, seq, digest FROM events WHERE position > ? AND position <= ?"
    " ORDER BY position LIMIT ?"
)
LAST_POSITION = "SELECT coalesce(max(position), 0) FROM events"
REQUESTS = (
    "SELECT r.request, r.stream, r.first, r.last FROM requests r JOIN events e"
    " ON e.stream = r.stream AND e.seq = r.first WHERE e.position <= ? ORDER BY r.request"
)
_BRANCHES = "SELECT id, name, parent, at, digest FROM branches WHERE id <= ? ORDER BY id"
_PAGE = 2000


def row_digest(before: str, number: int, kind: str, name: str, position: int, content: bytes) -> str:
    """Return the digest (hex) of a row of the record.

    Hashed are the previous digest in hexadecimal (64 bytes), then number, kind, the length of the name in
    bytes, name and position, each followed by a colon except the name, then the committed content.
    """
    data = name.encode(errors="surrogatepass")
    return sha256(b"%b%d:%b:%d:%b%d:%b" % (
        before.encode(), number, kind.encode(), len(data), data, position, content
    )).hexdigest()  # fmt: skip


def framed(value: object) -> bytes:
    """Return a field preceded by its length, so that no two tuples of fields have the same bytes."""
    data = str(value).encode(errors="surrogatepass")
    return b"%d:%b" % (len(data), data)


def append_content(digest: bytes, request: str) -> bytes:
    """Return the record's content for an append."""
    return digest + request.encode(errors="surrogatepass")


def fork_content(number: int, branch: Branch) -> bytes:
    """Return the record's content for the `number`-th branch of the log."""
    return b"".join(map(framed, (number, branch.parent, branch.at))) + branch.digest


def secret_content(value: bytes) -> bytes:
    """Return the record's content for a secret of the log."""
    return sha256(value).digest()


def row_after(last: Row, kind: str, name: str, events: int, content: bytes) -> Row:
    """Return the row that follows the one with this number, position and digest."""
    number, position = last[0] + 1, last[1] + events
    return number, kind, name, position, row_digest(last[2], number, kind, name, position, content)


def whole(rows: Rows, branches: int, position: int, without: Iterable[str] = ()) -> bytes:
    """Return the record's content for a whole log: its first branches, events up to a position, secrets.

    The secrets `without` and requests for later events are left out. O(events) in bounded memory.
    """
    hash = sha256()

    def put(*values: object) -> None:
        hash.update(b"".join(map(framed, values)))

    for row in rows(_BRANCHES, (branches,)):
        put("branch", *row)
    for row in events_by_position(rows, position):
        put(*row)
    for row in rows(REQUESTS, (position,)):
        put("request", *row)
    left_out = {SEED, *without}
    for name, value in rows("SELECT name, value FROM secrets ORDER BY name"):
        if name not in left_out:
            put("secret", name, secret_content(value).hex())
    return hash.digest()


def events_by_position(rows: Rows, upto: int) -> Iterator[Row]:
    """Yield position, stream, number and digest (hex) of the events in order of commit."""
    after = 0
    while page := rows(DIGESTS, (after, upto, _PAGE)):
        yield from page
        after = page[-1][0]


def row_of_whole(rows: Rows, kind: str) -> tuple[object, ...]:
    """Return the row of the record for a whole existing log."""
    ((branches,),) = rows("SELECT coalesce(max(id), 0) FROM branches")
    ((position,),) = rows(LAST_POSITION)
    last = next(iter(rows(LAST)), START)
    return row_after(last, kind, str(branches), position - last[1], whole(rows, branches, position))
