"""The odds of a recorded outcome: exact, as fractions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeAlias

from msgspec import Struct

from affray.engine.dice import Notation, Recorded, Source, rethrow, throw
from affray.engine.dice.distribution import Distribution, Ways, distribution, faces_for
from affray.engine.dice.sources import Answer
from affray.engine.steps import Judge, Roll
from affray.engine.table.policies import Recorded as RecordedAnswers
from affray.engine.table.policies import auto
from affray.engine.table.runner import resolve
from affray.events.codec import decode
from affray.events.facts import combat
from affray.events.facts.flow import Declared, Rolled
from affray.events.stores.store import Store
from affray.projections.audit import rolls_of
from affray.projections.fold import fold
from affray.projections.sentence import is_first_of_contest
from affray.projections.state import Encounter, duplicate
from affray.replay.chance.summaries import RollNote
from affray.replay.log.declarations import Recording, group_of, groups
from affray.replay.log.playhead import state_at
from affray.replay.log.rules_for_fight import make_fight_context

# --- Deciding a declaration again with other results in place of some

NO_TOTAL = None
"""In place of a total: the dice are not rolled."""
Weighted: TypeAlias = tuple[object, int]
"""A fact, and the number of ways in which the dice lead to it."""
FURTHER = 100
"""Most further rolls that are invented: tied rolls could be rerolled without end."""


class RedecidedDeclaration:
    """A declaration with a fact in question, decided with other results of its dice.

    `before` is the state before the declaration, whose event is `seq`; `facts` are all its facts.
    """

    def __init__(self, before: Encounter, first: Declared, seq: int, facts: Sequence[object]) -> None:
        self.before, self.first, self.seq, self.facts = before, first, seq, facts
        known = Recording.of(facts)
        self.answers = RecordedAnswers(known.answers, auto)
        self.dice = _SubstitutedDice(Recorded(known.faces, _Anything(), strict=False))
        self.asked: dict[str, Roll | None] = {}
        # Values computed from sheets, map and squares before the first change are the same every time.
        self.fight = make_fight_context(duplicate(before), None)
        self.fresh = True

    def outcomes(self, fact: object, dice: Mapping[str, Distribution]) -> list[Weighted]:
        """Return the outcome of every total of the dice that decided a fact, with its number of ways.

        `dice` are these rolls by key, in order. If a roll has a judge, it is asked; otherwise the declaration
        is decided again for each total, and totals without such a fact are left out.
        """
        totals = {key: one.ways for key, one in dice.items()}
        return self._told(fact, totals) or list(self._decided(fact, totals))

    def _told(self, fact: object, totals: dict[str, Ways]) -> list[Weighted]:
        """Return the outcomes by the judge of a roll: the last before the fact, or one in question."""
        rolled = {one.key: one for one in self.facts[: self.facts.index(fact)] if type(one) is Rolled}
        for last in dict.fromkeys((next(reversed(rolled), ""), *reversed(totals))):
            if last not in self.asked:
                self.asked[last] = self._asked({}, last)
            asked = self.asked[last]
            if asked is not None and asked.judge is not None:
                break
        else:
            return []
        dice = [*asked.along, last]
        found: list[Weighted] = []
        own: dict[str, Ways] = {key: totals.get(key) or {rolled[key].total: 1} for key in dice}
        # For dice outside the roll's own comparison, each total leads to another such roll.
        for others, ways in _throws({key: each for key, each in totals.items() if key not in dice}):
            judge = _judge(self._asked(others, last) if others else asked, fact)
            if judge is not None:
                found += ((judge(last, *shown.values()), ways * more) for shown, more in _throws(own))
        name = type(fact)
        return found if any(type(one) is name for one, _ in found) else []

    def _asked(self, totals: Mapping[str, int], key: str) -> Roll | None:
        """Return the roll with a key, if other dice with these totals lead to it."""
        heard = self._heard({**totals, key: NO_TOTAL}, key)
        return (
            next((step for step in reversed(heard) if type(step) is Roll), None) if self.dice.thrown else None
        )

    def _decided(self, fact: object, totals: dict[str, Ways]) -> Iterator[Weighted]:
        """Yield the outcomes when the declaration is decided again for each total."""
        name = subject_of(fact)
        # Of facts with the same name, use the one at the recorded position.
        before_it = sum(subject_of(other) == name for other in self.facts[: self.facts.index(fact)])
        for shown, ways in _throws(totals):
            for whole in (False, True):
                heard = self._heard(shown, next(reversed(totals)), whole)
                found = [step for step in heard if subject_of(step) == name]
                if len(found) > before_it:
                    yield found[before_it], ways
                    break

    def _heard(self, totals: Mapping[str, int | None], last: str, whole: bool = False) -> list[object]:
        if not self.fresh:
            self.fight.begin_again(self.before)
        self.fresh = False
        self.dice.put(totals, last, whole)
        heard: list[object] = []
        resolve(self.fight, self.first, seq=self.seq, dice=self.dice, answers=self.answers, tell=heard.append)
        return heard


def subject_of(fact: object) -> tuple[object, ...]:
    """Return the subject of a fact, the same for each outcome."""
    return type(fact), *(getattr(fact, name, "") for name in ("key", "who", "contest"))


def _judge(asked: Roll | None, fact: Any) -> Judge | None:
    judge = asked.judge if asked is not None else None
    return judge if judge is None or callable(judge) else judge.get(fact.who)


def _throws(dice: Mapping[str, Ways]) -> Iterator[tuple[dict[str, int], int]]:
    """Yield the totals of some rolls together, by their keys, and in how many ways they come up."""
    for shown in product(*(ways.items() for ways in dice.values())):
        totals = {key: total for key, (total, _) in zip(dice, shown, strict=True)}
        yield totals, prod(ways for _, ways in shown)


class _SubstitutedDice:
    """Recorded dice with other totals in place of some; everything else is as recorded.

    They end at the next roll after that of the key `last`, or if `whole`, after FURTHER of them: usually the
    outcome in question has been decided by then. They also end at NO_TOTAL.
    """

    def __init__(self, recorded: Source) -> None:
        self.recorded = recorded
        self.known: dict[str, tuple[Notation, Answer | None]] = {}

    def put(self, totals: Mapping[str, int | None], last: str, whole: bool) -> None:
        self.totals, self.last, self.further, self.thrown = totals, last, FURTHER if whole else 0, False

    def throw(self, key: str, notation: Notation) -> Answer | None:
        if self.thrown:
            if not self.further:
                return None
            self.further -= 1
        self.thrown |= key == self.last
        if key in self.totals:
            total = self.totals[key]
            if total is None:
                return None
            return rethrow(notation, faces_for(notation, total)), "overridden"
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
    again: RedecidedDeclaration | None = None
    for at in sorted(wanted):
        seq, fact = group[at].seq, facts[at]
        if type(fact) is combat.DamageResolved:
            found += _damage(seq, fact)
        elif type(fact) is Rolled and fact.key in plain:
            found += _thrown(seq, fact)
        elif type(fact) in _OUTCOMES and at in tell:
            dice = {key: distribution(rolls[key].notation) for key in tell[at] if key in rolls}
            if dice:
                again = again or RedecidedDeclaration(before, first, group[0].seq, facts)
                found += _counted(seq, fact, dice, again.outcomes(fact, dice))
    return found


def _decisive(facts: Sequence[Any], at: int) -> list[str]:
    """Return the keys of the rolls that decided the fact at index `at`."""
    fact = facts[at]
    if type(fact) is combat.ContestResolved:
        return [facts[i].key for i in rolls_of(facts, at)]
    if type(fact) is combat.DamageResolved:
        return [part.key for part in fact.dice]
    if type(fact) is combat.CheckResolved and is_first_of_contest(fact):
        return []  # the other side decides
    return [fact.key] if type(fact) in _OUTCOMES and fact.key else []


def _counted(
    seq: int, fact: object, dice: Mapping[str, Distribution], came: Sequence[Weighted]
) -> Iterator[Chance]:
    """Count the outcomes of the totals; nothing if today's rules would never decide as recorded."""
    possible = prod(one.possible for one in dice.values())
    counted = sum(ways for _, ways in came)
    for label in _OUTCOMES[type(fact)]:
        cases: dict[str, int] = {}
        for one, ways in came:
            if name := label(one):
                cases[name] = cases.get(name, 0) + ways
        outcome = label(fact)
        favourable = cases.pop(outcome, 0)
        if counted < possible:
            cases["is not rolled"] = possible - counted
        if favourable:
            yield Chance(seq, list(dice)[-1], outcome, favourable, possible, cases)


_OUTCOMES: dict[type, tuple[Callable[[Any], str], ...]] = {
    combat.AttackResolved: (
        lambda fact: "misses" if fact.result == "miss" else "hits",
        lambda fact: {"threat": "threatens a critical", "critical": "is a critical hit"}.get(fact.result, ""),
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
    """Yield the odds of that total or more on the dice."""
    dice = distribution(fact.notation)
    favourable = sum(n for total, n in dice.ways.items() if total >= fact.total)
    outcome = f"{fact.total} or more on {fact.notation}"
    yield Chance(seq, fact.key, outcome, favourable, dice.possible, {})


def _damage(seq: int, fact: combat.DamageResolved) -> Iterator[Chance]:
    """Yield the odds of that damage or more."""
    outcome = f"{fact.total} damage or more"
    shown = sum(part.total for part in fact.dice)
    dice = distribution(*(part.notation for part in fact.dice))
    # At the least damage that a hit deals, no throw would have dealt less.
    least = fact.why.startswith("a hit deals at least")
    favourable = dice.possible if least else sum(n for total, n in dice.ways.items() if total >= shown)
    yield Chance(seq, "", outcome, favourable, dice.possible, {})


# --- The odds of every outcome of a log, for showing them next to the dice


def get_odds_by_branch(
    store: Store, passed: Callable[[int], object] = lambda seq: None
) -> dict[str, list[RollNote]]:
    """Return the odds of the outcomes that dice decided, by branch, for each line's own events.

    Every result of every decisive die is judged by today's rules: some milliseconds per declaration. `passed`
    is called with the number of events read.
    """
    found: dict[str, list[RollNote]] = {}
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


def _beside(some: list[Chance]) -> Iterator[RollNote]:
    for one in some:
        yield RollNote(one.seq, one.key, f"{one.outcome}: {percent(one.fraction)}")
