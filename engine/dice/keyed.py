"""Addressed dice: every face follows from the seed, the roll's key and the die's index, and nothing else.

Algorithm "blake2b-1". Block b of a key is the 64-byte BLAKE2b digest, keyed with the seed, of the key's
UTF-8 bytes followed by b and the attempt a, each as four bytes, lowest first. Die i reads the four bytes at
4 * (i mod 16) of block i div 16, attempt 0, as a number v, lowest byte first. With n sides and m the
largest multiple of n not above 2**32, the face is v mod n + 1 if v < m; otherwise the die, and no other,
reads again from attempt a + 1. The suffix has a fixed length, so no two questions share a message;
rejection makes every face exactly as likely as the others.
"""

from hashlib import blake2b, sha256
from secrets import token_bytes
from struct import Struct

from affray.events.errors import AffrayError

ALGORITHM = "blake2b-1"
SEED_BYTES = 32

_LANE = 4
LANES = 16
"""Dice that one block has values for."""
SPAN = 1 << 32
"""How many values a die reads from."""
FIRST = bytes(8)
"""Block and attempt of the first question about a key."""
first_lane = Struct("<I").unpack_from
"""The value that the first die of a block reads, alone in a tuple."""
all_lanes = Struct("<16I").unpack
"""The values that the dice of a block read."""


class BadSeed(AffrayError):
    """A seed is 1 to 64 bytes."""


def new_seed() -> bytes:
    """32 bytes from the operating system's secure generator."""
    return token_bytes(SEED_BYTES)


def seed_of(text: str) -> bytes:
    """Return the 32-byte seed that a text stands for: itself if it is 64 hex digits, else its hash."""
    if len(text) == 2 * SEED_BYTES:
        try:
            return bytes.fromhex(text)
        except ValueError:
            pass
    # A seed is any text, also what a shell passed on that is no UTF-8.
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def checked_seed(seed: bytes) -> bytes:
    """The seed itself; BadSeed if BLAKE2b could not be keyed with it (an empty key is no key)."""
    if not 1 <= len(seed) <= blake2b.MAX_KEY_SIZE:
        raise BadSeed(f"a seed has 1 to {blake2b.MAX_KEY_SIZE} bytes, this one has {len(seed)}")
    return seed


def commitment(seed: bytes) -> str:
    """SHA-256 of the seed in hexadecimal, as `sha256sum` prints it.

    It binds whoever publishes it; it hides the seed only if the seed cannot be guessed, as one of `new_seed`.
    """
    return sha256(checked_seed(seed)).hexdigest()


def faces(seed: bytes, key: str, sides: int, count: int, start: int = 0) -> tuple[int, ...]:
    """Faces of dice `start` to `start + count - 1` of this key, each in 1..sides (sides at most 2**32).

    Any die can be asked for alone or among others and shows the same. One digest for every sixteen dice.
    """
    message = key.encode()
    limit = SPAN - SPAN % sides
    shown: list[int] = []
    number = -1
    block = b""
    for index in range(start, start + count):
        if index // LANES != number:
            number = index // LANES
            block = _block(seed, message, number, 0)
        lane = index % LANES * _LANE
        value = int.from_bytes(block[lane : lane + _LANE], "little")
        attempt = 0
        while value >= limit:
            attempt += 1
            value = int.from_bytes(_block(seed, message, number, attempt)[lane : lane + _LANE], "little")
        shown.append(value % sides + 1)
    return tuple(shown)


def _block(seed: bytes, message: bytes, number: int, attempt: int) -> bytes:
    suffix = number.to_bytes(4, "little") + attempt.to_bytes(4, "little")
    return blake2b(message + suffix, key=seed).digest()
