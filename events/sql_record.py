"""The record of a log in a database: a row for each commit, covering what the events' digests do not say.

Those cover an event and the one before it on its line. In which order the events of several lines were
committed, which branches were made and where they left, which requests were answered: that says the record.
A row has a number, the kind of commit, the name it is about, the position of the last event of the whole log
behind it, and a digest over all this, over the digest of the row before, and over what was committed:

    append    the digest of the last event, which covers those before it, and the request's id
    fork      the branch: number, parent, position, digest
    secret    a note that is kept with the log; the seed of an old one is none, its commitment covers it
    restored  everything: branches, events, requests, secrets; an import, or
    adopted   a log that was there before there was a record

Without a log of its own a record proves nothing to somebody who can compute: it shows what was changed, taken
out, put in or moved by hand or by a fault.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

from affray.events.envelope import Branch
from affray.events.secrets import SEED

Rows = Callable[..., list[Any]]
"""What runs a statement and returns its rows."""

START = (0, 0, sha256(b"affray record 1").hexdigest())
"""Number, position and digest before the first row."""

LAST = "SELECT number, position, digest FROM record ORDER BY number DESC LIMIT 1"
INSERT = "INSERT INTO record (number, kind, name, position, digest) VALUES (?, ?, ?, ?, ?)"

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

    Hashed are the digest before it as it is written (64 bytes), then number, kind, the length of the name in
    bytes, name and position, a colon behind each but the name, then what was committed.
    """
    data = name.encode(errors="surrogatepass")
    return sha256(b"%b%d:%b:%d:%b%d:%b" % (
        before.encode(), number, kind.encode(), len(data), data, position, content
    )).hexdigest()  # fmt: skip


def framed(value: object) -> bytes:
    """Return a field behind its length, so that no two tuples of fields have the same bytes."""
    data = str(value).encode(errors="surrogatepass")
    return b"%d:%b" % (len(data), data)


def of_append(digest: bytes, request: str) -> bytes:
    """Return what a row says of an append."""
    return digest + request.encode(errors="surrogatepass")


def of_fork(number: int, branch: Branch) -> bytes:
    """Return what a row says of a branch that was made, the `number`-th of the log."""
    return b"".join(map(framed, (number, branch.parent, branch.at))) + branch.digest


def of_secret(value: bytes) -> bytes:
    """Return what a row says of what is kept beside the log."""
    return sha256(value).digest()


def row_after(last: Sequence[Any], kind: str, name: str, events: int, content: bytes) -> tuple[Any, ...]:
    """Return the row that follows the one with this number, position and digest."""
    number, position = last[0] + 1, last[1] + events
    return number, kind, name, position, row_digest(last[2], number, kind, name, position, content)


def whole(rows: Rows, branches: int, position: int, without: Iterable[str] = ()) -> bytes:
    """Return what a row says of a whole log: its first branches, its events up to a position, what is beside.

    Left out are the secrets `without` and the requests for later events. O(events); memory stays bounded.
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
            put("secret", name, of_secret(value).hex())
    return hash.digest()


def events_by_position(rows: Rows, upto: int) -> Iterator[tuple[Any, ...]]:
    """Yield position, stream, number and digest (hex) of the events in the order in which they came."""
    after = 0
    while page := rows(DIGESTS, (after, upto, _PAGE)):
        yield from page
        after = page[-1][0]


def row_of_whole(rows: Rows, kind: str) -> tuple[Any, ...]:
    """Return the row of the record for a log that is there already, all at once."""
    ((branches,),) = rows("SELECT coalesce(max(id), 0) FROM branches")
    ((position,),) = rows(LAST_POSITION)
    last = next(iter(rows(LAST)), START)
    return row_after(last, kind, str(branches), position - last[1], whole(rows, branches, position))
