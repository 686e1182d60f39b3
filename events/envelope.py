"""The envelope around every fact in the log."""

import re
from collections.abc import Iterable
from functools import lru_cache

import msgspec
from msgspec import Struct

from affray.events.errors import InvalidEntry


class Entry(Struct, frozen=True, gc=False):
    """An event about to be appended: everything except its position and its digest.

    `data` is the fact in canonical JSON, tag included; it is stored and hashed as it is.
    `cause` is the seq of the declaration that caused it (its own seq for a declaration). `version` is that
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
    """An entry whose data comes directly from the encoder and needs no check."""


class Event(Struct, frozen=True, gc=False):
    """An event of the log.

    `seq` counts from 1 without gaps along a line; a branch continues where it left its parent.
    `digest` is 32 bytes of sha256 over the stream's name, all fields and the digest before it. `salt` is 16
    bytes, as secret as the event (`events/chain.py`); older logs have none.

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
    """The end of a stream; seq 0 and the genesis digest for an empty one.

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
    """A line of play: its name, its parent and the position where it left the parent ("" and 0 for the root).

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


# --- Checks of entries, which every store and every line of an export must be able to hold

MAX_DATA = 8_000_000
"""The most bytes of data in one event, so that its line in an export stays below 10 MB."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_JSON = msgspec.json.Decoder(msgspec.Raw)
_MAX_INT = 2**63 - 1


def check_entries(entries: Iterable[Entry | Event]) -> None:
    """Raise InvalidEntry for the first entry that a store, or a line of an export, cannot hold."""
    for e in entries:
        check_entry(e)


def check_entry(e: Entry | Event) -> None:
    """Raise InvalidEntry if a store, or a line of an export, cannot hold this entry."""
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
    """Raise InvalidEntry for a type or actor that is not a short printable text. Cached."""
    if not type or len(type) > 1000 or len(actor) > 1000:
        raise InvalidEntry(
            f"type {type[:40]!r}: type and actor take at most 1000 characters, type at least 1"
        )
    if _CONTROL.search(type) or _CONTROL.search(actor):
        raise InvalidEntry(f"type {type!r}, actor {actor!r}: control characters and surrogates are not text")


def check_data(type: str, data: bytes) -> None:
    """Raise InvalidEntry unless `data` is one JSON object on one line."""
    # Braces at both ends and no line break: an export can then embed the bytes unchanged in a line.
    if data[:1] != b"{" or data[-1:] != b"}" or b"\n" in data or b"\r" in data:
        raise InvalidEntry(f"{type}: data is not one JSON object on one line")
    try:
        _JSON.decode(data)
        data.decode()  # the decoder skips strings without checking their UTF-8
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidEntry(f"{type}: data is not valid JSON: {error}") from None
