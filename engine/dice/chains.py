"""Dice that nobody can foresee: chains of hashes, a link of each of which is given away as it is needed.

Whoever has a chain makes it once, from its secret: every link is sha256 of the one that is given after it,
and the anchor, which is shown before anything is thrown, is sha256 of the first. So nobody can choose a link
or change one, and nobody but its owner knows it until it is given. What is thrown follows from one link of
every player and one of the game master.
"""

from collections.abc import Iterable
from hashlib import blake2b, sha256
from typing import Protocol

from affray.engine.dice.keyed import SEED_BYTES
from affray.engine.dice.notation import Notation
from affray.engine.dice.sources import Answer, Seeded
from affray.events.errors import AffrayError

LENGTH = 4096
"""Links of a player's chain, if nothing else is said."""

LONGEST = 65_536
"""The most links of a chain, and those of the game master's: some 20 ms to go through all."""

JOINT, ALONE = "joint", "alone"
"""The provenance of dice by links of players and the game master's; by the game master's alone."""

DRAWN = frozenset({JOINT, ALONE})
"""Provenances of dice that follow from links, which stand in the log before them."""

MASTER = ""
"""Whose the game master's chain is."""

_RUNG = 256


class LinksWanted(AffrayError):
    """What `dice` throw for a declaration follows from links that it was not given yet."""

    def __init__(self, dice: "Drawn", key: str) -> None:
        super().__init__(f"{key}: the links that these dice follow from were not given")
        self.dice = dice


class ChainUsedUp(AffrayError):
    """All links of a chain were given."""


class LinkChain:
    """A chain as its owner has it: link 1 to `length`, made from a secret of 32 bytes."""

    def __init__(self, secret: bytes, length: int = LENGTH) -> None:
        """Go through the chain once, O(length); raises AffrayError for a length that no chain has."""
        if not 1 <= length <= LONGEST:
            raise AffrayError(f"a chain has 1 to {LONGEST} links, not {length}")
        self.length = length
        # Every so many links one is kept, the last of all first.
        self._rungs = [secret]
        at = secret
        for back in range(1, length + 1):
            at = sha256(at).digest()
            if not back % _RUNG:
                self._rungs.append(at)
        self.anchor = at

    def link(self, number: int) -> bytes:
        """Return a link by number, the first is 1. Raises ChainUsedUp. O(1)."""
        if not 1 <= number <= self.length:
            raise ChainUsedUp(f"the chain has links 1 to {self.length}, no link {number}")
        back = self.length - number
        return onward(self._rungs[back // _RUNG], back % _RUNG)


def onward(link: bytes, steps: int) -> bytes:
    """Return what is `steps` links nearer to the anchor than `link`. O(steps)."""
    for _ in range(steps):
        link = sha256(link).digest()
    return link


def master_secret(seed: bytes, begun: int) -> bytes:
    """Return the secret of the game master's chain that was begun after so many declarations.

    It follows from the seed of the dice and is revealed with it.
    """
    return blake2b(b"%d" % begun, key=seed, digest_size=SEED_BYTES, person=b"affray chain").digest()


def drawn_seed(master: bytes, given: Iterable[tuple[str, int, bytes]]) -> bytes:
    """Return the seed of what one declaration throws: 32 bytes of BLAKE2b, keyed with the game master's link.

    Hashed are the links of the players in the order in which they stand in the log: length of the name in
    bytes, colon, name in UTF-8, number in decimal, colon, the 32 bytes of the link.
    """
    mixed = blake2b(key=master, digest_size=SEED_BYTES, person=b"affray links")
    for by, number, link in given:
        name = by.encode()
        mixed.update(b"%d:%b%d:%b" % (len(name), name, number, link))
    return mixed.digest()


class Links(Protocol):
    """Where links come from: what is known of a party's link for the n-th draw of a declaration."""

    def __call__(self, by: str, draw: int) -> object | None:
        """Return the fact that it was given or its owner left, None if the fight has to wait."""
        ...


class Drawn:
    """Dice of one declaration, by the links that are given for it.

    They are drawn once a die is thrown, and anew after a person has chosen something: who has given the last
    link knows all dice that follow from it.
    """

    def __init__(self, links: Links) -> None:
        """Ask `links` for the links."""
        self.links = links
        self.draws = 0
        self._seeded: Seeded | None = None
        self._provenance = JOINT

    def renew(self) -> None:
        """Want new links before the next die."""
        self._seeded = None

    def draw(self, master: bytes, given: Iterable[tuple[str, int, bytes]]) -> None:
        """Take the links that the dice follow from."""
        links = tuple(given)
        self.draws += 1
        self._seeded = Seeded(drawn_seed(master, links))
        self._provenance = JOINT if links else ALONE

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the throw for this key. Raises LinksWanted until the links were drawn."""
        if self._seeded is None:
            raise LinksWanted(self, key)
        found = self._seeded.throw(key, notation)
        return None if found is None else (found[0], self._provenance)
