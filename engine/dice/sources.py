"""The sources of faces: a seed, a script, a person, a recording, or a changed recording.

Every source answers `throw(key, notation)` with the throw and its provenance, or None if the faces are not
known yet. Sources that hold only some answers name in `then` the source to ask for the others.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from hashlib import blake2b, sha256
from secrets import token_bytes
from struct import Struct
from typing import Protocol

from affray.engine.dice.notation import (
    Dice,
    Draw,
    ImpossibleFaces,
    Notation,
    Throw,
    TooFewFaces,
    rethrow,
    throw,
    throw_from,
)
from affray.events.errors import AffrayError, counted
from affray.events.facts.flow import ChainLeft, LinkGiven

# --- Addressed dice: every face follows only from the seed, the roll's key and the die's index
# Algorithm "blake2b-1". Block b of a key is the 64-byte BLAKE2b digest, keyed with the seed, of the key's
# UTF-8 bytes followed by b and the attempt a, each as four bytes, lowest first. Die i reads the four bytes at
# 4 * (i mod 16) of block i div 16, attempt 0, as a number v, lowest byte first. With n sides and m the
# largest multiple of n not above 2**32, the face is v mod n + 1 if v < m; otherwise the die, and no other,
# reads again from attempt a + 1. The suffix has a fixed length, so no two questions share a message;
# rejection makes every face exactly as likely as the others.

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
    """Return the seed itself; BadSeed if BLAKE2b could not be keyed with it (an empty key is no key)."""
    if not 1 <= len(seed) <= blake2b.MAX_KEY_SIZE:
        raise BadSeed(f"a seed has 1 to {blake2b.MAX_KEY_SIZE} bytes, this one has {len(seed)}")
    return seed


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of the seed in hexadecimal, as `sha256sum` prints it.

    It binds its publisher; it hides the seed only if the seed cannot be guessed, like one of `new_seed`.
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


# --- A seed with players' contributions: the game master's secret, committed to first, and their public words
# A game master who committed to a secret could still have tried many before; with words of the players that
# were not known by then that is useless, as long as one of the contributors did not conspire. But the owner
# of the secret knows the dice from then on, and can try later inputs: further words, ids. See `chains` for a
# stronger scheme.


def joint_seed(secret: bytes, contributions: Iterable[tuple[str, str]]) -> bytes:
    """Return the seed of the dice: 32 bytes of BLAKE2b over the contributions, keyed with the secret.

    Contributions are (by whom, words), in the order of the log; each text in UTF-8 after its length in bytes
    and a colon. Without any the secret itself is the seed. Raises BadSeed.
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


PROVENANCES = frozenset({"seeded", "physical", "scripted", "imported", "overridden", "joint", "alone"})
"""The possible sources of faces; the provenance of a ruling begins with `RULED`."""

RULED = "ruling:"
"""The prefix of the provenance of a roll whose faces a ruling gave."""

Answer = tuple[Throw, str]
"""A throw and its provenance: seeded, physical, scripted, imported or overridden."""


class Source(Protocol):
    """Anything that can throw dice for a key."""

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the throw for this key and its provenance; None if the fight has to wait for it."""
        ...


class DiceExhausted(AffrayError):
    """A script has too few dice for the roll asked for, and no source to go on with."""


class LeftoverDice(AffrayError):
    """A script has dice that no roll used."""


class Seeded:
    """Fresh faces from a seed; the same for the same key, regardless of other throws before or after.

    >>> from affray.engine import Seeded
    >>> from affray.engine.dice.notation import parse
    >>> dice, again = Seeded(b"tonight" * 3), Seeded(b"tonight" * 3)
    >>> key, d20 = "d1/ogre/attack/1", parse("1d20")
    >>> dice.throw(key, d20) == again.throw(key, d20)
    True
    """

    def __init__(self, seed: bytes) -> None:
        self.seed = checked_seed(seed)
        self._keyed = blake2b(key=seed)
        self._single: dict[tuple[int, int], Answer] = {}

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the seed's throw for this key; never None."""
        if notation.count == 1:
            # The most usual question: the first die, and no further attempt.
            asked = self._keyed.copy()
            asked.update(key.encode() + FIRST)
            value: int = first_lane(asked.digest())[0]
            sides = notation.sides
            if value < SPAN - SPAN % sides:
                face = value % sides + 1
                asked_for = face, notation.bonus
                if asked_for not in self._single:
                    thrown = Throw((face,), (), (), (), face + notation.bonus)
                    self._single[asked_for] = thrown, "seeded"
                return self._single[asked_for]
        elif 0 < notation.count <= LANES:
            # Several alike are read from one block, unless one of them has to be thrown again.
            asked = self._keyed.copy()
            asked.update(key.encode() + FIRST)
            sides = notation.sides
            values = all_lanes(asked.digest())[: notation.count]
            if max(values) < SPAN - SPAN % sides:
                shown = tuple([value % sides + 1 for value in values])
                return Throw(shown, (), (), (), sum(shown) + notation.bonus), "seeded"
        return throw(notation, self._drawing(key)), "seeded"

    def _drawing(self, key: str) -> Draw:
        thrown = 0

        def draw(sides: int, count: int) -> tuple[int, ...]:
            nonlocal thrown
            thrown += count
            return faces(self.seed, key, sides, count, thrown - count)

        return draw


class Scripted:
    """Faces laid down beforehand, as a list (in the order the dice fall) or by purpose.

    By purpose, each pattern has its own list. A pattern matches a key when its segments (between slashes,
    `*` and `?` as in file names) match the key's last ones, with or without the closing ordinal: "attack",
    "attack/1" and "aoo:*/attack" all match "d17/aoo:ogre/attack/1". Of several with dice left, the one with
    most segments goes first, then the one given first.

    >>> from affray.engine import Scripted
    >>> from affray.engine.dice.notation import parse
    >>> dice = Scripted({"ogre/attack": [17], "damage": [3, 4]})
    >>> dice.throw("d1/ogre/attack/1", parse("1d20"))[0].faces
    (17,)
    """

    def __init__(
        self, dice: Sequence[int] | Mapping[str, int | Sequence[int]], then: Source | None = None
    ) -> None:
        self.then = then
        lists = dice.items() if isinstance(dice, Mapping) else [("", dice)]
        self._queues: dict[str, list[int]] = {
            pattern: [shown] if isinstance(shown, int) else list(shown) for pattern, shown in lists
        }

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the next scripted faces for this key, else what `then` says.

        Raises DiceExhausted without `then`, and whenever a list ends in the middle of a throw;
        ImpossibleFaces for a face that the die does not have. Nothing is used up when it raises.
        """
        if _constant(notation):
            return rethrow(notation, ()), "scripted"
        matching = [pattern for pattern, left in self._queues.items() if left and _matches(pattern, key)]
        if not matching:
            if self.then is None:
                raise DiceExhausted(f"no scripted dice left for {key} ({notation})")
            return self.then.throw(key, notation)
        queue = self._queues[max(matching, key=lambda pattern: pattern.count("/"))]
        try:
            thrown, used = throw_from(notation, queue, more=True)
        except TooFewFaces as error:
            raise DiceExhausted(
                f"only {counted(len(queue), 'scripted die', 'scripted dice')} left for {key} ({notation})"
            ) from error
        except ImpossibleFaces as error:
            raise ImpossibleFaces(f"{key}: {error}") from error
        del queue[:used]
        return thrown, "scripted"

    def leftover(self) -> list[int]:
        """Return the faces that no roll has used, in the order given."""
        return [face for queue in self._queues.values() for face in queue]

    def check_empty(self) -> None:
        """Raises LeftoverDice, naming the dice, unless every scripted die has been used."""
        parts = [f"{name}: {queue}" if name else str(queue) for name, queue in self._queues.items() if queue]
        if parts:
            left = counted(len(self.leftover()), "scripted die", "scripted dice")
            raise LeftoverDice(f"{left} left over: {', '.join(parts)}")


class Manual:
    """Faces a person reads off the table; `ask(key, notation)` gives them, or None to wait.

    >>> from affray.engine import Manual
    >>> from affray.engine.dice.notation import parse
    >>> dice = Manual(lambda key, notation: None)
    >>> dice.throw("d1/ogre/attack/1", parse("1d20")) is None
    True
    """

    def __init__(self, ask: Callable[[str, Notation], Sequence[int] | None]) -> None:
        self.ask = ask

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the throw with the faces given; ImpossibleFaces if those dice cannot show them."""
        shown = () if _constant(notation) else self.ask(key, notation)
        return None if shown is None else (_fitted(key, notation, shown), "physical")


class Recorded:
    """Faces of earlier rolls, by key, with the provenance they had; unknown keys are asked of `then`.

    A roll whose notation has changed is another question: with `strict` it raises ImpossibleFaces when the
    old faces do not fit, without it `then` is asked.
    """

    def __init__(
        self,
        throws: Mapping[str, tuple[Sequence[int], str]],
        then: Source | None = None,
        *,
        strict: bool = True,
    ) -> None:
        self.throws, self.then, self.strict = throws, then, strict

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the recorded throw, else what `then` says; None if there is neither."""
        found = self.throws.get(key)
        if found is not None:
            try:
                return _fitted(key, notation, found[0]), found[1]
            except ImpossibleFaces:
                if self.strict:
                    raise
        return None if self.then is None else self.then.throw(key, notation)


class Overridden:
    """Another source with some throws replaced, by key; `used` holds the keys replaced so far, in order.

    `by` says by key who replaced them, for their provenance: a ruling; else they are "overridden".
    """

    def __init__(
        self, changes: Mapping[str, Sequence[int]], then: Source, by: Mapping[str, str] | None = None
    ) -> None:
        self.changes, self.then, self.by = dict(changes), then, dict(by or {})
        self.used: dict[str, None] = {}

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the changed throw, or what `then` says; ImpossibleFaces if the change does not fit."""
        shown = self.changes.get(key)
        if shown is None:
            return self.then.throw(key, notation)
        thrown = _fitted(key, notation, shown)
        self.used[key] = None
        return thrown, self.by.get(key, "overridden")

    def unused(self) -> list[str]:
        """Return the keys of changes that no roll asked for, in the order given."""
        return [key for key in self.changes if key not in self.used]


def _constant(notation: Notation) -> bool:
    """Return whether there is no die to throw, hence nothing to ask for."""
    return not notation.count and not any(isinstance(term, Dice) for term in notation.terms)


def _fitted(key: str, notation: Notation, shown: Sequence[int]) -> Throw:
    try:
        return rethrow(notation, tuple(shown))
    except TypeError:
        raise ImpossibleFaces(f"{key}: faces are a sequence of whole numbers, not {shown!r}") from None
    except ImpossibleFaces as error:
        raise ImpossibleFaces(f"{key}: {error}") from error


def _matches(pattern: str, key: str) -> bool:
    if not pattern:
        return True
    wanted, parts = pattern.split("/"), key.split("/")
    tails = [parts, parts[:-1]] if parts[-1].isdecimal() else [parts]
    return any(
        len(tail) >= len(wanted) and all(map(fnmatchcase, tail[len(tail) - len(wanted) :], wanted))
        for tail in tails
    )


# --- Unforeseeable dice: hash chains, of which one link is revealed whenever dice are needed
# The owner of a chain makes it once, from its secret: every link is sha256 of the one that is revealed after
# it, and the anchor, which is shown before anything is thrown, is sha256 of the first. So a link can be
# neither chosen nor changed, and only its owner knows it until it is revealed. The dice follow from one link
# of every player and one of the game master.

LENGTH = 4096
"""Links of a player's chain, by default."""

LONGEST = 65_536
"""The most links of a chain, and those of the game master's: some 20 ms to go through all."""

JOINT, ALONE = "joint", "alone"
"""The provenance of dice by links of players and the game master's; by the game master's alone."""

DRAWN = frozenset({JOINT, ALONE})
"""Provenances of dice that follow from links, which precede them in the log."""

MASTER = ""
"""The owner of the game master's chain."""

_RUNG = 256


class LinksWanted(AffrayError):
    """The dice of a declaration follow from links that have not been given yet."""

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
        # Links are stored at regular intervals, the last of all first.
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
    """Return the secret of the game master's chain, given the number of declarations before it began.

    It follows from the seed of the dice and is revealed with it.
    """
    return blake2b(b"%d" % begun, key=seed, digest_size=SEED_BYTES, person=b"affray chain").digest()


def drawn_seed(master: bytes, given: Iterable[tuple[str, int, bytes]]) -> bytes:
    """Return the seed of the dice of one declaration: 32 bytes of BLAKE2b, keyed with the game master's link.

    Hashed are the links of the players in the order of the log: length of the name in bytes, colon, name in
    UTF-8, number in decimal, colon, the 32 bytes of the link.
    """
    mixed = blake2b(key=master, digest_size=SEED_BYTES, person=b"affray links")
    for by, number, link in given:
        name = by.encode()
        mixed.update(b"%d:%b%d:%b" % (len(name), name, number, link))
    return mixed.digest()


class Links(Protocol):
    """The source of links: what is known of a party's link for the n-th draw of a declaration."""

    def __call__(self, by: str, draw: int) -> LinkGiven | ChainLeft | None:
        """Return the fact that it was given or its owner left, None if the fight has to wait."""
        ...


class Drawn:
    """Dice of one declaration, by the links that are given for it.

    They are drawn when a die is thrown, and again after a person has chosen something: the giver of the last
    link knows all dice that follow from it.
    """

    def __init__(self, links: Links) -> None:
        """Ask `links` for the links."""
        self.links = links
        self.draws = 0
        self._seeded: Seeded | None = None
        self._provenance = JOINT

    def renew(self) -> None:
        """Require new links before the next die."""
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
