"""The odds of a recorded outcome: exact, as fractions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product, starmap
from math import prod
from typing import Any

from msgspec import Struct

from affray.engine.dice import Notation, Recorded, Source, parse, rethrow, throw
from affray.engine.dice.sources import Answer
from affray.engine.steps import Judge, Roll
from affray.engine.table.policies import Recorded as RecordedAnswers
from affray.engine.table.policies import auto
from affray.engine.table.runner import resolve
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import combat
from affray.events.facts.flow import Declared, Rolled
from affray.events.stores.store import Store
from affray.projections.audit import rolls_of
from affray.projections.fold import fold
from affray.projections.state import Encounter, duplicate
from affray.replay.chance.luck import total_of
from affray.replay.chance.summaries import Beside
from affray.replay.log.declarations import Recording, group_of, groups
from affray.replay.log.playhead import state_at
from affray.replay.log.rules_for_fight import fight_over

# --- Deciding a declaration again with other results in place of some

NO_FACE = 0
"""In place of a result: the die is not rolled."""
FURTHER = 100
"""Most further rolls that are invented: tied rolls could be rerolled without end."""


class Again:
    """A declaration with a fact in question, decided with other results of its dice.

    `before` is the state before the declaration, whose event is `seq`; `facts` are all its facts.
    """

    def __init__(self, before: Encounter, first: Declared, seq: int, facts: Sequence[Any]) -> None:
        self.before, self.first, self.seq, self.facts = before, first, seq, facts
        known = Recording.of(facts)
        self.answers = RecordedAnswers(known.answers, auto)
        self.dice = _Put(Recorded(known.faces, _Anything(), strict=False))
        self.asked: dict[str, Roll | None] = {}
        # Values computed from sheets, map and squares before the first change are the same every time.
        self.fight = fight_over(duplicate(before), None)
        self.fresh = True

    def outcomes(self, fact: object, sides: Mapping[str, int]) -> list[object]:
        """Return the outcomes of all results of the dice that decided a fact; combinations of several dice.

        `sides` are the sides of these single dice by key, in order. If a roll itself can judge its results,
        it is asked; otherwise the declaration is decided again for each result, and results without such a
        fact are left out.
        """
        ranges = {key: range(1, count + 1) for key, count in sides.items()}
        return self._told(fact, ranges) or list(self._decided(fact, ranges))

    def _told(self, fact: object, ranges: dict[str, range]) -> list[Any]:
        """Return the outcomes that a roll judges itself: the last before the fact, or one in question."""
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
        # For dice outside the roll's own comparison, each result leads to another such roll.
        for faces in _throws({key: each for key, each in ranges.items() if key not in dice}):
            judge = _judge(self._asked(faces, last) if faces else asked, fact)
            if judge is not None:
                all_faces = product(*(ranges.get(key) or rolled[key].faces for key in dice))
                found += starmap(partial(judge, last), all_faces)
        name = type(fact)
        return found if any(type(one) is name for one in found) else []

    def _asked(self, faces: dict[str, int], key: str) -> Roll | None:
        """Return the roll with a key, if other dice with these results lead to it."""
        heard = self._heard({**faces, key: NO_FACE}, key)
        return (
            next((step for step in reversed(heard) if type(step) is Roll), None) if self.dice.thrown else None
        )

    def _decided(self, fact: object, ranges: dict[str, range]) -> Iterator[Any]:
        """Yield the outcomes of the results when the declaration is decided again for each."""
        name = subject_of(fact)
        # Of facts with the same name, use the one at the recorded position.
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

    def _heard(self, faces: dict[str, int], last: str, whole: bool = False) -> list[object]:
        if not self.fresh:
            self.fight.begin_again(self.before)
        self.fresh = False
        self.dice.put(faces, last, whole)
        heard: list[Any] = []
        resolve(self.fight, self.first, seq=self.seq, dice=self.dice, answers=self.answers, tell=heard.append)
        return heard


def subject_of(fact: object) -> tuple[object, ...]:
    """Return the subject of a fact, the same for each outcome."""
    return type(fact), *(getattr(fact, name, "") for name in ("key", "who", "contest"))


def _judge(asked: Roll | None, fact: Any) -> Judge | None:
    judge = asked.judge if asked is not None else None
    return judge if judge is None or callable(judge) else judge.get(fact.who)


def _throws(ranges: dict[str, range]) -> Iterator[dict[str, int]]:
    for faces in product(*ranges.values()):
        yield dict(zip(ranges, faces, strict=True))


class _Put:
    """Recorded dice with other results in place of some; everything else is as recorded.

    They end at the next roll after that of the key `last`, or if `whole`, after FURTHER of them: usually the
    outcome in question has been decided by then. They also end at NO_FACE.
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
    """Any results for rolls that were not made: they come after the outcome in question."""

    def throw(self, key: str, notation: Notation) -> Answer | None:
        return throw(notation, lambda sides, count: (sides,) * count), "scripted"


class Chance(Struct, frozen=True):
    """The odds that event `seq` had this outcome (or one this high): `favourable` of `possible` cases.

    `outcome` is the outcome in words, `others` the number of cases of each other outcome.
    """

    seq: int
    key: str
    outcome: str
    favourable: int
    possible: int
    others: dict[str, int]

    @property
    def fraction(self) -> Fraction:
        """The probability."""
        return Fraction(self.favourable, self.possible)

    def __str__(self) -> str:
        others = "".join(
            f"; {name}: {percent(Fraction(n, self.possible))}" for name, n in self.others.items()
        )
        shown = self.fraction
        told = f" ({shown})" if shown.denominator <= 1_000_000 else ""
        return f"#{self.seq} {self.outcome}: {percent(shown)}{told}{others}"


def percent(of: Fraction) -> str:
    """Return a probability in percent with one decimal, never rounded to 0 or 100."""
    tenths = round(of * 1000)
    if 0 < of < 1:
        tenths = min(max(tenths, 1), 999)
    return f"{tenths // 10}.{tenths % 10} %"


def chances(store: Store, branch: str, seqs: Sequence[int], before: Encounter | None = None) -> list[Chance]:
    """Return the odds of the events that dice decided, all of one declaration.

    Attacks, confirmations, checks, saves, contests and miss chances: every result in turn is judged by
    today's rules, everything else as recorded. Damage, and a roll without a fact about it among the events:
    the sum of the dice, convolved; such a roll includes what it decided. `before` is the state before the
    declaration, if it is known already; it is not changed. Raises AffrayError if there is no such event.
    """
    if not seqs:
        return []
    branch = branch or store.main_line()
    group = group_of(store, branch, min(seqs))
    first = decode(group[0])
    if type(first) is not Declared:
        return []
    before = before or state_at(store, branch, group[0].seq - 1)
    facts = [decode(event) for event in group]
    rolls = {fact.key: fact for fact in facts if type(fact) is Rolled}
    wanted = {at for at, event in enumerate(group) if event.seq in seqs}
    tell = {at: keys for at in range(len(facts)) if (keys := _decisive(facts, at))}
    told = {key for at in wanted for key in tell.get(at, ())}
    plain = {facts[at].key for at in wanted if type(facts[at]) is Rolled} - told
    wanted |= {at for at, keys in tell.items() if plain.intersection(keys)}
    found: list[Chance] = []
    again: Again | None = None
    for at in sorted(wanted):
        seq, fact = group[at].seq, facts[at]
        if type(fact) is combat.DamageResolved:
            found += _damage(seq, fact)
        elif type(fact) is Rolled and fact.key in plain:
            found += _thrown(seq, fact)
        elif type(fact) in _OUTCOMES and at in tell:
            dice = {key: parse(rolls[key].notation) for key in tell[at] if key in rolls}
            if dice and all(die.count == 1 for die in dice.values()):
                sides = {key: die.sides for key, die in dice.items()}
                again = again or Again(before, first, group[0].seq, facts)
                found += _counted(seq, fact, sides, again.outcomes(fact, sides))
    return found


def _decisive(facts: Sequence[Any], at: int) -> list[str]:
    """Return the keys of the rolls that decided the fact at index `at`."""
    fact = facts[at]
    if type(fact) is combat.ContestResolved:
        return [facts[i].key for i in rolls_of(facts, at)]
    if type(fact) is combat.DamageResolved:
        return [part.key for part in fact.dice]
    return [fact.key] if type(fact) in _OUTCOMES and fact.key else []


def _counted(seq: int, fact: object, sides: Mapping[str, int], came: Sequence[object]) -> Iterator[Chance]:
    """Count the outcomes of the results; nothing if today's rules would never decide as recorded."""
    possible = prod(sides.values())
    for label in _OUTCOMES[type(fact)]:
        cases: dict[str, int] = {}
        for name in filter(None, map(label, came)):
            cases[name] = cases.get(name, 0) + 1
        outcome = label(fact)
        favourable = cases.pop(outcome, 0)
        if len(came) < possible:
            cases["is not rolled"] = possible - len(came)
        if favourable:
            yield Chance(seq, list(sides)[-1], outcome, favourable, possible, cases)


_OUTCOMES: dict[type, tuple[Callable[[Any], str], ...]] = {
    combat.AttackResolved: (
        lambda fact: "misses" if fact.result == "miss" else "hits",
        lambda fact: "threatens a critical" if fact.result in ("threat", "critical") else "",
    ),
    combat.ConfirmationResolved: (lambda fact: "confirms" if fact.confirmed else "does not confirm",),
    combat.MissChanceResolved: (lambda fact: "misses by chance" if fact.missed else "still hits",),
    combat.CheckResolved: (lambda fact: "succeeds" if fact.success else "fails",),
    combat.ContestResolved: (
        lambda fact: "rolls again" if fact is None else "wins" if fact.won else "does not win",
    ),
    combat.TurningResolved: (lambda fact: f"reaches {fact.most} Hit Dice",),
    combat.InjurySuffered: (lambda fact: fact.name,),
}
"""The outcome in words; "" if a question does not arise."""


def _thrown(seq: int, fact: Rolled) -> Iterator[Chance]:
    """Yield the odds of that total or more on the dice; nothing for dice that cannot be counted."""
    try:
        cases = total_of((fact.notation,))
    except AffrayError:
        return
    favourable = sum(n for total, n in cases.items() if total >= fact.total)
    outcome = f"{fact.total} or more on {fact.notation}"
    yield Chance(seq, fact.key, outcome, favourable, sum(cases.values()), {})


def _damage(seq: int, fact: combat.DamageResolved) -> Iterator[Chance]:
    """Yield the odds of that damage or more; nothing for dice that cannot be counted."""
    outcome = f"{fact.total} damage or more"
    shown = sum(part.total for part in fact.dice)
    try:
        cases = total_of(tuple(part.notation for part in fact.dice))
    except AffrayError:
        return
    possible = sum(cases.values())
    # At the least damage that a hit deals, no throw would have dealt less.
    least = fact.why.startswith("a hit deals at least")
    favourable = possible if least else sum(n for total, n in cases.items() if total >= shown)
    yield Chance(seq, "", outcome, favourable, possible, {})


# --- The odds of every outcome of a log, for showing them next to the dice


def odds_beside(store: Store, passed: Callable[[int], object] = lambda seq: None) -> dict[str, list[Beside]]:
    """Return the odds of the outcomes that dice decided, by branch, for each line's own events.

    Every result of every decisive die is judged by today's rules: some milliseconds per declaration. `passed`
    is called with the number of events read.
    """
    found: dict[str, list[Beside]] = {}
    count = 0
    for branch in store.branches():
        beside = found.setdefault(branch.name, [])
        state = state_at(store, branch.name, branch.at)
        for group in groups(store.read(branch.name, after=branch.at)):
            if any(event.type == "rolled" for event in group) and group[0].type == "declared":
                seqs = [event.seq for event in group]
                beside += _beside(chances(store, branch.name, seqs, before=duplicate(state)))
            fold(group, state)
            count += len(group)
            passed(count)
    return found


def _beside(some: list[Chance]) -> Iterator[Beside]:
    for one in some:
        yield Beside(one.seq, one.key, f"{one.outcome}: {percent(one.fraction)}")
