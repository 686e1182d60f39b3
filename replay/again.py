"""A declaration decided again with other faces in the place of some."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product, starmap
from typing import Any

from affray.engine.dice import Notation, Recorded, Source, rethrow, throw
from affray.engine.dice.sources import Answer
from affray.engine.steps import Judge, Roll
from affray.engine.table.policies import Recorded as RecordedAnswers
from affray.engine.table.policies import auto
from affray.engine.table.runner import resolve
from affray.events.facts.declared import Declared
from affray.events.facts.rolled import Rolled
from affray.projections.state import Encounter, duplicate
from affray.replay.fight_over import fight_over
from affray.replay.groups import Recording

NO_FACE = 0
"""In the place of a face: the die is not thrown."""
FURTHER = 100
"""So many rolls after the one in question are made up at most: equal rolls may be rolled again for ever."""


class Again:
    """A declaration of which a fact is in question, as it would be with other faces of its dice.

    `before` is the state before the declaration, whose event is `seq`; `facts` are all that came of it.
    """

    def __init__(self, before: Encounter, first: Declared, seq: int, facts: Sequence[Any]) -> None:
        self.before, self.first, self.seq, self.facts = before, first, seq, facts
        known = Recording.of(facts)
        self.answers = RecordedAnswers(known.answers, auto)
        self.dice = _Put(Recorded(known.faces, _Anything(), strict=False))
        self.asked: dict[str, Roll | None] = {}
        # What is worked out of sheets, map and places before the first change is the very same every time.
        self.fight = fight_over(duplicate(before), None)
        self.fresh = True

    def outcomes(self, fact: Any, sides: Mapping[str, int]) -> list[Any]:
        """Return what all faces of the dice that decided a fact come to, those of several together.

        `sides` are the sides of these single dice by their keys, in order. A roll that says itself what its
        faces come to is asked; otherwise the declaration is decided again for each of them, and what never
        comes to such a fact is left out.
        """
        ranges = {key: range(1, count + 1) for key, count in sides.items()}
        return self._told(fact, ranges) or list(self._decided(fact, ranges))

    def _told(self, fact: Any, ranges: dict[str, range]) -> list[Any]:
        """Return what a roll says that the faces come to: the last before the fact, or one in question."""
        rolled = {one.key: one for one in self.facts[: self.facts.index(fact)] if type(one) is Rolled}
        for last in dict.fromkeys((next(reversed(rolled), ""), *reversed(ranges))):
            if last not in self.asked:
                self.asked[last] = self._asked({}, last)
            asked = self.asked[last]
            if asked is not None and asked.judge is not None:
                break
        else:
            return []
        dice = [*asked.along, last]
        found: list[Any] = []
        # Of dice that the roll is not compared with, each face leads to another such roll.
        for faces in _throws({key: each for key, each in ranges.items() if key not in dice}):
            judge = _judge(self._asked(faces, last) if faces else asked, fact)
            if judge is not None:
                all_faces = product(*(ranges.get(key) or rolled[key].faces for key in dice))
                found += starmap(partial(judge, last), all_faces)
        name = type(fact)
        return found if any(type(one) is name for one in found) else []

    def _asked(self, faces: dict[str, int], key: str) -> Roll | None:
        """Return the roll of a key, if other dice falling so lead to it."""
        heard = self._heard({**faces, key: NO_FACE}, key)
        return (
            next((step for step in reversed(heard) if type(step) is Roll), None) if self.dice.thrown else None
        )

    def _decided(self, fact: Any, ranges: dict[str, range]) -> Iterator[Any]:
        """Yield what the faces come to when the declaration is decided again for each."""
        name = subject_of(fact)
        # Of facts of one name it is the one that comes as the recorded one did.
        before_it = sum(subject_of(other) == name for other in self.facts[: self.facts.index(fact)])
        for faces in _throws(ranges):
            for whole in (False, True):
                found = [
                    step
                    for step in self._heard(faces, next(reversed(ranges)), whole)
                    if subject_of(step) == name
                ]
                if len(found) > before_it:
                    yield found[before_it]
                    break

    def _heard(self, faces: dict[str, int], last: str, whole: bool = False) -> list[Any]:
        if not self.fresh:
            self.fight.begin_again(self.before)
        self.fresh = False
        self.dice.put(faces, last, whole)
        heard: list[Any] = []
        resolve(self.fight, self.first, seq=self.seq, dice=self.dice, answers=self.answers, tell=heard.append)
        return heard


def subject_of(fact: Any) -> tuple[Any, ...]:
    """Return what a fact is about, however it comes out."""
    return type(fact), *(getattr(fact, name, "") for name in ("key", "who", "contest"))


def _judge(asked: Roll | None, fact: Any) -> Judge | None:
    judge = asked.judge if asked is not None else None
    return judge if judge is None or callable(judge) else judge.get(fact.who)


def _throws(ranges: dict[str, range]) -> Iterator[dict[str, int]]:
    for faces in product(*ranges.values()):
        yield dict(zip(ranges, faces, strict=True))


class _Put:
    """Recorded dice with other faces in the place of some: everything else falls as it did.

    They end where the next roll after that of the key `last` would be, or if they are `whole` after FURTHER
    of them: mostly the outcome in question has come by then. Where NO_FACE stands they end as well.
    """

    def __init__(self, recorded: Source) -> None:
        self.recorded = recorded
        self.known: dict[str, tuple[Notation, Answer | None]] = {}

    def put(self, faces: Mapping[str, int], last: str, whole: bool) -> None:
        self.faces, self.last, self.further, self.thrown = faces, last, FURTHER if whole else 0, False

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
