"""Salts: what keeps the digest of a hidden event from confirming a guess at it.

Most of what an event says could be guessed (a d20 has twenty faces), and a plain digest tells which guess is
right. In a salted log the digest also covers 16 secret bytes that stand beside the event: whoever has the
event has its salt too and can compare; of an event that is held back the digest alone says nothing.
"""

from functools import lru_cache
from hashlib import blake2b, shake_128
from secrets import token_bytes
from typing import TYPE_CHECKING

from affray.events.errors import SecretsMissing

if TYPE_CHECKING:
    from affray.events.store import Store

SALT_KEY = "salts"
"""The name of the secret that salts are made from, kept beside the log."""

SALT_BYTES = 16
KEY_BYTES = 32


def salt_key(seed: bytes) -> bytes:
    """Return the key of a log whose dice have this seed: secret as long as that is, revealed with it."""
    return blake2b(key=seed, digest_size=KEY_BYTES, person=b"affray salts").digest()


def salts(key: bytes, previous: bytes, stream: str, seq: int, data: bytes, count: int) -> bytes:
    """Return the salts of `count` events that are appended together from `seq` on, one after another.

    They follow from the key, from all that came before (`previous`, a digest), from where the events stand
    and from the bytes of the first of them: so the same fight has the same salts, and two copies of a log
    that are played on differently have others from there on. Nobody without the key can tell one of them,
    whatever others are known. No key, no salts. About a microsecond for ten.
    """
    if not key:
        return b""
    framed = b"".join((b"affray salts 1:", key, previous, framed_name(stream), b"%d:" % seq, data))
    return shake_128(framed).digest(SALT_BYTES * count)


@lru_cache(maxsize=1024)
def framed_name(stream: str) -> bytes:
    """Return a stream's name as digests cover it: its length in bytes, a colon, its UTF-8. Remembered."""
    name = stream.encode()
    return b"%d:%b" % (len(name), name)


def key_of(store: "Store") -> bytes | None:
    """Return the key of a log: the kept one, a new one for a salted log without, b"" for one without salts.

    None while the log holds nothing and no key is kept. A log that came without its secrets (an import) is
    played on with a key that nobody keeps: what it makes stands beside the events. O(1).
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
