"""Digests: the chain over all events, and the salts that keep hidden ones from being guessed."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b, sha256, shake_128
from secrets import token_bytes
from typing import TYPE_CHECKING

from affray.events.envelope import MAX_DATA, Encoded, Entry, Event, Head, check_entry, check_names
from affray.events.errors import BrokenLog, SecretsMissing

if TYPE_CHECKING:
    from affray.events.stores.store import Store


# --- Salts, which prevent the digest of a hidden event from confirming a guess
#
# The contents of an event can often be guessed (a d20 has twenty faces), and a plain digest confirms the
# right guess. In a salted log the digest also covers 16 secret bytes stored with the event: a reader of the
# event has its salt and can compare, while the digest of a withheld event reveals nothing.

SALT_KEY = "salts"
"""The name of the secret from which salts are made, stored next to the log."""

SALT_BYTES = 16
KEY_BYTES = 32


def salt_key(seed: bytes) -> bytes:
    """Return the key of a log whose dice have this seed; it is revealed together with the seed."""
    return blake2b(key=seed, digest_size=KEY_BYTES, person=b"affray salts").digest()


def salts(key: bytes, previous: bytes, stream: str, seq: int, data: bytes, count: int) -> bytes:
    """Return the salts of `count` events that are appended together from `seq` on, one after another.

    They are derived from the key, the preceding events (`previous`, a digest), the position of the events and
    the bytes of the first one. The same fight therefore has the same salts, and two copies of a log that
    diverge have different salts from there on. Without the key no salt can be derived from the others.
    Without a key there are no salts. About a microsecond for ten.
    """
    if not key:
        return b""
    framed = b"".join((b"affray salts 1:", key, previous, framed_name(stream), b"%d:" % seq, data))
    return shake_128(framed).digest(SALT_BYTES * count)


@lru_cache(maxsize=1024)
def framed_name(stream: str) -> bytes:
    """Return a stream's name as digests cover it: its length in bytes, a colon, its UTF-8. Cached."""
    name = stream.encode()
    return b"%d:%b" % (len(name), name)


def key_of(store: "Store") -> bytes | None:
    """Return the key of a log: the stored one, a new one if a salted log has none, b"" for an unsalted log.

    None while the log is empty and no key is stored. A log that arrived without its secrets (an import)
    continues with a key that is not stored; the salts made from it are stored with the events. O(1).
    """
    try:
        kept = store.secret(SALT_KEY)
    except SecretsMissing:
        kept = None
    if kept:
        return kept
    first = list(store.read("main", upto=1))
    if not first:
        return None
    return token_bytes(KEY_BYTES) if first[0].salt else b""


# --- The digest chain: every event's digest covers its bytes, its position and the previous digest

GENESIS = sha256(b"affray log 1").digest()
"""The digest before the first event, 32 bytes."""

SALTED = b"*"
"""The first byte of the framing of a salted event; others begin with a digit."""

START = Head(0, GENESIS)
"""The head of an empty line."""


def digest(
    previous: bytes,
    stream: str,
    seq: int,
    *,
    type: str,
    version: int,
    round: int,
    turn: int,
    actor: str,
    cause: int,
    data: bytes,
    salt: bytes = b"",
) -> bytes:
    """Return the 32 bytes of sha256 that chain an event to the previous one.

    The input is `previous` (32 bytes), then the fields in the order of the parameters: numbers in decimal,
    each followed by a colon; texts in UTF-8 after their length in bytes and a colon (`4:main`); at the end
    unchanged `data`. The bytes of every field show where it ends, so no two tuples of fields share a framing.
    `stream` and `type` are directly followed by the next field, because their length is known. For a salted
    event the fields begin with an asterisk, and the 16 bytes of its salt follow the stream's name.

    Raises UnicodeEncodeError for a lone surrogate, ValueError for a salt of another length. About 1.4
    microseconds for 300 bytes of data.
    """
    if salt and len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, this one has {len(salt)}")
    # isascii() reads a flag, so the usual name needs no encoding.
    names = len(stream) if stream.isascii() else len(stream.encode())
    types = len(type) if type.isascii() else len(type.encode())
    actors = len(actor) if actor.isascii() else len(actor.encode())
    name = f"{names}:{stream}".encode()
    frame = f"{seq}:{types}:{type}{version}:{round}:{turn}:{actors}:{actor}{cause}:".encode()
    begins = SALTED + name + salt if salt else name
    return sha256(previous + begins + frame + data).digest()


def link(stream: str, head: Head, entries: Sequence[Entry], key: bytes = b"") -> list[Event]:
    """Return the entries as events of `stream` that follow `head`: numbered without gaps and chained.

    With the log's `key` each gets a salt. Raises InvalidEntry for the first that no store can hold.
    """
    events: list[Event] = []
    if not entries:
        return events
    add, join = events.append, b"".join
    seq, last = head.seq, head.digest
    begins = SALTED + framed_name(stream) if key else framed_name(stream)
    secret, at = salts(key, last, stream, seq + 1, entries[0].data, len(entries)), 0
    # The events of one declaration mostly share round, turn and actor, which are encoded once. The fields are
    # compared one by one: reading them together would build a tuple for each event.
    round_, turn, actor, cause, ends = -1, -1, "", -1, b""
    for e in entries:
        seq += 1
        type, version, data = e.type, e.version, e.data
        if e.turn != turn or e.cause != cause or e.round != round_ or e.actor != actor or not ends:
            round_, turn, actor, cause = e.round, e.turn, e.actor, e.cause
            check_names(type, actor)
            who = actor.encode()
            ends = b":%d:%d:%d:%b%d:" % (round_, turn, len(who), who, cause)
        if e.__class__ is not Encoded or len(data) > MAX_DATA:
            check_entry(e)
        salt = secret[at : at + SALT_BYTES]
        at += SALT_BYTES
        # The framing of `digest` inlined: this loop runs for every appended event.
        framed = join((last, begins, salt, b"%d" % seq, _kind(type, version), ends, data))
        last = sha256(framed).digest()
        add(Event(stream, seq, type, version, round_, turn, actor, cause, data, last, salt))
    return events


@lru_cache(maxsize=1024)
def _kind(type: str, version: int) -> bytes:
    """Return the part of the framing between position and round; cached, because there are few types."""
    name = type.encode()
    return b":%d:%b%d" % (len(name), name, version)


def digest_after(previous: bytes, e: Event) -> bytes:
    """Return the digest that an event must have after the one with the digest `previous`.

    Raises BrokenLog for a field of a wrong type: a damaged file may have NULL instead of a text.
    """
    try:
        return digest(
            previous,
            e.stream,
            e.seq,
            type=e.type,
            version=e.version,
            round=e.round,
            turn=e.turn,
            actor=e.actor,
            cause=e.cause,
            data=e.data,
            salt=e.salt,
        )
    except (AttributeError, TypeError, ValueError):
        raise BrokenLog(e.stream, e.seq, "a field is not of its type") from None


def verified(events: Iterable[Event], start: Head = START) -> Iterator[Event]:
    """Yield the events of one line that follow `start`, each checked before it is yielded.

    Along the line of a branch the stream's name changes where the branch leaves its parent; the digests
    cover the name, so the check covers that too. A chain cannot show that its tail was cut off: compare the
    last event with a head recorded elsewhere.

    Raises BrokenLog at the first gap, the first event out of order and the first digest that does not match.
    """
    seq, last = start.seq, start.digest
    for e in events:
        seq += 1
        if e.seq != seq:
            raise BrokenLog(e.stream, e.seq, f"event {seq} was expected here")
        last = digest_after(last, e)
        if last != e.digest:
            raise BrokenLog(e.stream, seq, "its digest does not match its bytes and the event before it")
        yield e
