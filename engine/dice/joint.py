"""A seed that players give to: the game master's secret, committed to first, and what they gave in the open.

Whoever committed to a secret could still have tried many before; with words of the players that were not
known by then that is no use, as long as one of those who gave to the seed did not conspire. But who knows the
secret knows the dice from then on, and can try what comes after: further words, ids. See `chains` for more.
"""

from collections.abc import Iterable
from hashlib import blake2b

from affray.engine.dice.keyed import SEED_BYTES, checked_seed


def joint_seed(secret: bytes, contributions: Iterable[tuple[str, str]]) -> bytes:
    """Return the seed of the dice: 32 bytes of BLAKE2b over the contributions, keyed with the secret.

    Contributions are (by whom, words), in the order in which they stand in the log; each text in UTF-8 after
    its length in bytes and a colon. Without any the secret itself is the seed. Raises BadSeed.
    """
    given = tuple(contributions)
    checked_seed(secret)
    if not given:
        return secret
    mixed = blake2b(key=secret, digest_size=SEED_BYTES, person=b"affray joint")
    for parts in given:
        for text in map(str.encode, parts):
            mixed.update(b"%d:%b" % (len(text), text))
    return mixed.digest()
