"""How a player would find out what a copy hides: by trying what an event may say until its digest fits.

The player is given more than any player has: all of a hidden event but the faces of its dice.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from msgspec.structs import replace

from affray.engine.dice import Throw, parse, rethrow
from affray.events.chain import GENESIS, SALT_BYTES, digest
from affray.events.codec import decode, encode
from affray.events.envelope import Event
from affray.events.exports import Part, Redacted, digest_of

MOST = 8000
"""Throws tried for one roll: three d20."""


def recovered(copy: Sequence[bytes], truth: Iterable[Event]) -> tuple[int, int]:
    """Return how many hidden rolls of a copy were found out, and how many it hides."""
    parts = list(Redacted(copy).events())
    salts = [b"", bytes(SALT_BYTES), *(one.salt for one in parts if isinstance(one, Event))]
    found = tried = 0
    before = GENESIS
    for part, event in zip(parts, truth, strict=True):
        if event.type == "rolled" and not isinstance(part, Event):
            tried += 1
            found += any(_fits(part, before, guess, salt) for guess in _guesses(event) for salt in set(salts))
        before = digest_of(part)
    return found, tried


def _guesses(event: Event) -> Iterator[Event]:
    """Yield the event with each throw that its dice can show."""
    roll = decode(event)
    notation = parse(roll.notation)
    if notation.sides**notation.count > MOST:
        return
    for faces in product(range(1, notation.sides + 1), repeat=notation.count):
        thrown: Throw = rethrow(notation, faces)
        yield replace(event, data=encode(replace(roll, faces=thrown.faces, total=thrown.total)))


def _fits(part: Part, before: bytes, guess: Event, salt: bytes) -> bool:
    fields = {
        name: getattr(guess, name)
        for name in ("type", "version", "round", "turn", "actor", "cause", "data", "stream", "seq")
    }
    return digest(before, **fields, salt=salt) == digest_of(part)
