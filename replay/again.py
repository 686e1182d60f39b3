"""A declaration decided again with other faces in the place of some."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from affray.engine.dice import Notation, Recorded, Source, rethrow, throw
from affray.engine.dice.sources import Answer
from affray.engine.policies import Recorded as RecordedAnswers
from affray.engine.policies import auto
from affray.engine.runner import resolve
from affray.engine.steps import Roll
from affray.events.facts.declared import Declared
from affray.projections.state import Encounter, duplicate
from affray.replay.groups import Recording, fight_over

NO_FACE = 0
"""In the place of a face: the die is not thrown."""
FURTHER = 100
"""So many rolls after the one in question are made up at most: equal rolls may be rolled again for ever."""


class Again:
    """A declaration of which one fact is in question, as it would be with other faces of its dice.

    `before` is the state before the declaration, whose event is `seq`; `facts` are all that came of it;
    `sides` are the sides of the single dice that decided it, by their keys, in order.
    """

    def __init__(
        self,
        before: Encounter,
        first: Declared,
        seq: int,
        facts: Sequence[Any],
        fact: Any,
        sides: Mapping[str, int],
    ) -> None:
        self.before, self.first, self.seq = before, first, seq
        self.name = named(fact)
        # Of facts of one name it is the one that comes as the recorded one did.
        self.before_it = sum(named(other) == self.name for other in facts[: facts.index(fact)])
        known = Recording.of(facts)
        self.answers = RecordedAnswers(known.answers, auto)
        *self.earlier, self.last = sides
        self.ranges = {key: range(1, count + 1) for key, count in sides.items()}
        self.dice = _Put(self.last, Recorded(known.faces, _Anything(), strict=False))
        # What is worked out of sheets, map and places before the first change is the very same every time.
        self.fight = fight_over(duplicate(before), None)
        self.fresh = True

    def outcomes(self) -> list[Any]:
        """Return what all faces of the dice come to, those of several together.

        A roll that says itself what its faces come to is asked; otherwise the declaration is decided again
        for each of them, and what never comes to such a fact is left out.
        """
        return [fact for faces in self._throws(self.earlier) for fact in self._told(faces)] or [
            fact for faces in self._throws([*self.earlier, self.last]) for fact in self._decided(faces)
        ]

    def _throws(self, keys: Sequence[str]) -> Iterator[dict[str, int]]:
        for faces in product(*(self.ranges[key] for key in keys)):
            yield dict(zip(keys, faces, strict=True))

    def _told(self, faces: dict[str, int]) -> list[Any]:
        """Return what the last roll says that its faces come to, given those before it."""
        heard = self._heard({**faces, self.last: NO_FACE})
        asked = next((step for step in reversed(heard) if type(step) is Roll), None)
        if asked is None or asked.judge is None or not self.dice.thrown:
            return []
        found = [asked.judge(self.last, face) for face in self.ranges[self.last]]
        return found if any(type(fact) is self.name[0] for fact in found) else []

    def _decided(self, faces: dict[str, int]) -> Iterator[Any]:
        for whole in (False, True):
            found = [step for step in self._heard(faces, whole) if named(step) == self.name]
            if len(found) > self.before_it:
                yield found[self.before_it]
                return

    def _heard(self, faces: dict[str, int], whole: bool = False) -> list[Any]:
        if not self.fresh:
            self.fight.begin_again(self.before)
        self.fresh = False
        self.dice.put(faces, whole)
        heard: list[Any] = []
        resolve(self.fight, self.first, seq=self.seq, dice=self.dice, answers=self.answers, tell=heard.append)
        return heard


def named(fact: Any) -> tuple[Any, ...]:
    """Return what a fact is about, however it comes out."""
    return type(fact), *(getattr(fact, name, "") for name in ("key", "who", "contest"))


class _Put:
    """Recorded dice with other faces in the place of some: everything else falls as it did.

    They end where the next roll after that of the key `last` would be, or if they are `whole` after FURTHER
    of them: mostly the outcome in question has come by then. Where NO_FACE stands they end as well.
    """

    def __init__(self, last: str, recorded: Source) -> None:
        self.last, self.recorded = last, recorded
        self.known: dict[str, tuple[Notation, Answer | None]] = {}
        self.put({}, False)

    def put(self, faces: Mapping[str, int], whole: bool) -> None:
        self.faces, self.further, self.thrown = faces, FURTHER if whole else 0, False

    def throw(self, key: str, notation: Notation) -> Answer | None:
        if self.thrown:
            if not self.further:
                return None
            self.further -= 1
        self.thrown |= key == self.last
        face = self.faces.get(key)
        if face is not None:
            return (rethrow(notation, (face,)), "overridden") if face != NO_FACE else None
        known = self.known.get(key)
        if known is None or known[0] is not notation:
            known = self.known[key] = notation, self.recorded.throw(key, notation)
        return known[1]


class _Anything:
    """Any faces for rolls that nobody made: they come after the outcome in question."""

    def throw(self, key: str, notation: Notation) -> Answer | None:
        return throw(notation, lambda sides, count: (sides,) * count), "scripted"
