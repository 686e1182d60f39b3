"""Where faces come from: a seed, a script, a person, a recording, or a changed recording.

Every source answers `throw(key, notation)` with the throw and its provenance, or None: nobody can say yet.
Sources that hold only some answers name in `then` the source to ask for the others.
"""

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from hashlib import blake2b
from typing import Protocol

from affray.engine.dice.keyed import FIRST, LANES, SPAN, all_lanes, checked_seed, faces, first_lane
from affray.engine.dice.notation import Dice, Notation
from affray.engine.dice.throw import Draw, ImpossibleFaces, Throw, TooFewFaces, rethrow, throw, throw_from
from affray.events.errors import AffrayError
from affray.events.wording import counted

PROVENANCES = frozenset({"seeded", "physical", "scripted", "imported", "overridden", "joint", "alone"})
"""Where faces may come from; a ruling's own begin with `RULED`."""

RULED = "ruling:"
"""What the provenance of a roll begins with whose faces a ruling gave."""

Answer = tuple[Throw, str]
"""A throw and its provenance: seeded, physical, scripted, imported or overridden."""


class Source(Protocol):
    """Anything that can throw dice for a key."""

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """The throw for this key and its provenance; None if nobody can say yet, and the fight waits."""
        ...


class DiceExhausted(AffrayError):
    """A script has too few dice for the roll asked for, and no source to go on with."""


class LeftoverDice(AffrayError):
    """A script has dice that no roll used."""


class Seeded:
    """Fresh faces from a seed; the same for the same key, whatever else was thrown, before or after.

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
        """The seed's throw for this key; never None."""
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
        """The next scripted faces for this key, else what `then` says.

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
        """The faces that no roll has used, in the order given."""
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
        """The throw with the faces given; ImpossibleFaces if those dice cannot show them."""
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
        """The recorded throw, else what `then` says; None if there is neither."""
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
        """The changed throw, or what `then` says; ImpossibleFaces if the change does not fit."""
        shown = self.changes.get(key)
        if shown is None:
            return self.then.throw(key, notation)
        thrown = _fitted(key, notation, shown)
        self.used[key] = None
        return thrown, self.by.get(key, "overridden")

    def unused(self) -> list[str]:
        """Keys of changes that no roll asked for, in the order given."""
        return [key for key in self.changes if key not in self.used]


def _constant(notation: Notation) -> bool:
    """Whether there is no die to throw, hence nothing to ask for."""
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
