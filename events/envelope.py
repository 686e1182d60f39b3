"""The envelope: what surrounds every fact in the log."""

from msgspec import Struct


class Entry(Struct, frozen=True, gc=False):
    """An event about to be appended: everything but its place and its digest.

    `data` is the fact in canonical JSON, tag included; it is stored and hashed as it is.
    `cause` is the seq of the declaration it follows from (its own seq for a declaration). `version` is that
    of the `type`; `round` and `turn` say when it happened, `actor` by whom, "" for the game master.

    A table makes them itself. A program needs them to write a log as another one has it:

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
    bytes that only those may know who may know the event (`events/salts.py`); none in an older log.

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
