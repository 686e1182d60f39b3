"""The envelope: what surrounds every fact in the log."""

import re
from collections.abc import Iterable
from functools import lru_cache

import msgspec
from msgspec import Struct

from affray.events.errors import InvalidEntry


class Entry(Struct, frozen=True, gc=False):
    """An event about to be appended: everything except its position and its digest.

    `data` is the fact in canonical JSON, tag included; it is stored and hashed as it is.
    `cause` is the seq of the declaration it follows from (its own seq for a declaration). `version` is that
    of the `type`; `round` and `turn` are its time, `actor` the acting combatant, "" for the game master.

    A table creates them itself. A program needs them to copy a log event by event:

    >>> from affray.engine import packaged, set_up
    >>> from affray.events import Entry, MemoryStore
    >>> store, copy = MemoryStore(), MemoryStore()
    >>> table = set_up(packaged("demo_srd35"), store, salted=False)
    >>> entries = [
    ...     Entry(one.type, one.version, one.round, one.turn, one.actor, one.cause, one.data)
    ...     for one in store.read("main")
    ... ]
    >>> copy.append("main", entries, expected=0)[-1].seq
    9
    >>> copy.head("main") == store.head("main")
    True
    """

    type: str
    version: int
    round: int
    turn: int
    actor: str
    cause: int
    data: bytes


class Encoded(Entry, frozen=True, gc=False):
    """An entry whose data comes straight from the encoder and needs no second look."""


class Event(Struct, frozen=True, gc=False):
    """An event of the log.

    `seq` counts from 1 without gaps along a line; a branch goes on where its parent was left.
    `digest` is 32 bytes of sha256 over the stream's name, all fields and the digest before it. `salt` is 16
    bytes that only those may know who may know the event (`events/chain.py`); none in an older log.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> (hit,) = store.read("main", after=51, upto=52)
    >>> hit.type, hit.round
    ('attack.resolved', 1)
    """

    stream: str
    seq: int
    type: str
    version: int
    round: int
    turn: int
    actor: str
    cause: int
    data: bytes
    digest: bytes
    salt: bytes = b""


class Head(Struct, frozen=True, gc=False):
    """The end of a stream: seq 0 and the genesis digest when nothing has happened yet.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> store.head("main").seq
    245
    """

    seq: int
    digest: bytes


class Branch(Struct, frozen=True):
    """A line of play: a name, a parent and the position where it leaves it ("" and 0 for a root).

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> [(branch.name, branch.parent, branch.at) for branch in store.branches()]
    [('main', '', 0)]
    """

    name: str
    parent: str
    at: int
    digest: bytes


# --- What an entry must be for every store, and every line of an export, to hold it

MAX_DATA = 8_000_000
"""The most bytes of data in one event, so that its line in an export stays below 10 MB."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_JSON = msgspec.json.Decoder(msgspec.Raw)
_MAX_INT = 2**63 - 1


def check_entries(entries: Iterable[Entry | Event]) -> None:
    """Raise InvalidEntry for the first entry that some store, or a line of an export, could not hold."""
    for e in entries:
        check_entry(e)


def check_entry(e: Entry | Event) -> None:
    """Raise InvalidEntry if some store, or a line of an export, could not hold this."""
    if len(e.data) > MAX_DATA:
        raise InvalidEntry(f"{e.type}: {len(e.data)} bytes of data, the most is {MAX_DATA}")
    check_names(e.type, e.actor)
    if type(e) is Encoded:
        return
    for number in (e.version, e.round, e.turn, e.cause):
        if not -_MAX_INT <= number <= _MAX_INT:
            raise InvalidEntry(f"{e.type}: {number} does not fit in 64 bits")
    check_data(e.type, e.data)


@lru_cache(maxsize=4096)
def check_names(type: str, actor: str) -> None:
    """Raise InvalidEntry for a type or actor that is no short printable text. Remembered."""
    if not type or len(type) > 1000 or len(actor) > 1000:
        raise InvalidEntry(
            f"type {type[:40]!r}: type and actor take at most 1000 characters, type at least 1"
        )
    if _CONTROL.search(type) or _CONTROL.search(actor):
        raise InvalidEntry(f"type {type!r}, actor {actor!r}: control characters and surrogates are not text")


def check_data(type: str, data: bytes) -> None:
    """Raise InvalidEntry unless `data` is one JSON object on one line."""
    # Bare braces at both ends and no line break: then an export can embed these very bytes in a line.
    if data[:1] != b"{" or data[-1:] != b"}" or b"\n" in data or b"\r" in data:
        raise InvalidEntry(f"{type}: data is not one JSON object on one line")
    try:
        _JSON.decode(data)
        data.decode()  # the decoder skips over strings without looking at their UTF-8
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidEntry(f"{type}: data is not valid JSON: {error}") from None
