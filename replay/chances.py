"""How likely a recorded outcome was: exactly, as fractions."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from msgspec import Struct

from affray.engine.dice import Notation, Recorded, Source, parse, rethrow, throw
from affray.engine.dice.notation import Dice, Number
from affray.engine.dice.sources import Answer
from affray.engine.policies import Recorded as RecordedAnswers
from affray.engine.policies import auto
from affray.engine.runner import resolve
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts import combat
from affray.events.facts.declared import Declared
from affray.events.facts.rolled import Rolled
from affray.events.store import Store
from affray.projections.state import Encounter, duplicate
from affray.replay.groups import Recording, fight_over, group_of
from affray.replay.playhead import state_at

MOST = 20_000
"""As many throws are listed one by one; dice with more have no exact odds."""


class Chance(Struct, frozen=True):
    """How likely it was that event `seq` came out so (or so high): `favourable` of `possible` cases.

    `outcome` says what came out, `others` how many cases lead to anything else, by what.
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
    """Return a probability in percent with one decimal, never rounded to none or all."""
    tenths = round(of * 1000)
    if 0 < of < 1:
        tenths = min(max(tenths, 1), 999)
    return f"{tenths // 10}.{tenths % 10} %"


def chances(store: Store, branch: str, seqs: Sequence[int], before: Encounter | None = None) -> list[Chance]:
    """Return the odds of those of the events, all of one declaration, that dice decided.

    Attacks, confirmations, checks, saves and miss chances: every face in turn is put to the rules of
    today, everything else as recorded. Damage: the sum of its dice, convolved. O(faces) decisions of the
    declaration for each event. `before` is the state before the declaration, if it is known already; it is
    not changed. Raises AffrayError if there is no such event.
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
    found = []
    for event, fact in zip(group, facts, strict=True):
        if event.seq not in seqs:
            continue
        if type(fact) is combat.DamageResolved:
            found += list(_damage(event, fact))
        elif type(fact) in _OUTCOMES and getattr(fact, "key", "") in rolls:
            found += list(_faces(before, first, group[0], facts, event, fact, rolls[fact.key]))
    return found


def _faces(
    before: Encounter,
    first: Declared,
    start: Event,
    facts: Sequence[Any],
    event: Event,
    fact: Any,
    roll: Rolled,
) -> Iterator[Chance]:
    """Put every face of a single die to the rules and count what comes of each.

    Nothing is yielded for several dice, nor where today's rules would never decide as recorded.
    """
    notation = parse(roll.notation)
    if notation.count != 1:
        return
    known = Recording.of(facts)
    answers = RecordedAnswers(known.answers, auto)
    # What is worked out of sheets, map and places before the first change is the very same every time.
    fight = fight_over(duplicate(before), None)
    dice = _Put(fact.key, Recorded(known.faces, _Anything(), strict=False))

    def outcome_of(face: int, whole: bool) -> Any:
        fight.begin_again(before)
        dice.put(face, whole)
        heard: list[Any] = []
        resolve(fight, first, seq=start.seq, dice=dice, answers=answers, tell=heard.append)
        # Mostly it stops at the outcome, which is the last then.
        for other in reversed(heard):
            if type(other) is type(fact) and other.key == fact.key:
                return other
        return None

    found = (outcome_of(face, False) or outcome_of(face, True) for face in range(1, notation.sides + 1))
    came = [other for other in found if other is not None]
    for label in _OUTCOMES[type(fact)]:
        cases: dict[str, int] = {}
        for name in filter(None, map(label, came)):
            cases[name] = cases.get(name, 0) + 1
        outcome = label(fact)
        favourable = cases.pop(outcome, 0)
        if favourable:
            yield Chance(event.seq, fact.key, outcome, favourable, notation.sides, cases)


class _Put:
    """Recorded dice with another face in the place of one: everything else falls as it did.

    They end where the next roll after that one would be, unless they are `whole`: mostly the outcome in
    question has come by then.
    """

    def __init__(self, key: str, recorded: Source) -> None:
        self.key, self.recorded = key, recorded
        self.known: dict[str, tuple[Notation, Answer | None]] = {}
        self.put(0, False)

    def put(self, face: int, whole: bool) -> None:
        self.face, self.whole, self.thrown = face, whole, False

    def throw(self, key: str, notation: Notation) -> Answer | None:
        if self.thrown and not self.whole:
            return None
        if key == self.key:
            self.thrown = True
            return rethrow(notation, (self.face,)), "overridden"
        known = self.known.get(key)
        if known is None or known[0] is not notation:
            known = self.known[key] = notation, self.recorded.throw(key, notation)
        return known[1]


class _Anything:
    """Any faces for rolls that nobody made: they come after the outcome in question."""

    def throw(self, key: str, notation: Notation) -> Answer | None:
        return throw(notation, lambda sides, count: (sides,) * count), "scripted"


_OUTCOMES: dict[type, tuple[Callable[[Any], str], ...]] = {
    combat.AttackResolved: (
        lambda fact: "misses" if fact.result == "miss" else "hits",
        lambda fact: "threatens a critical" if fact.result in ("threat", "critical") else "",
    ),
    combat.ConfirmationResolved: (lambda fact: "confirms" if fact.confirmed else "does not confirm",),
    combat.MissChanceResolved: (lambda fact: "misses by chance" if fact.missed else "finds its mark",),
    combat.CheckResolved: (lambda fact: "succeeds" if fact.success else "fails",),
}
"""What came out, in words; "" where a question does not arise."""


def _damage(event: Event, fact: combat.DamageResolved) -> Iterator[Chance]:
    """Yield the odds of that damage or more; nothing for dice that cannot be counted."""
    outcome = f"{fact.total} damage or more"
    shown = sum(part.total for part in fact.dice)
    try:
        cases = total_of(tuple(part.notation for part in fact.dice))
    except AffrayError:
        return
    possible = sum(cases.values())
    # At the least damage that a hit deals, no throw would have brought less.
    least = fact.why.startswith("a hit deals at least")
    favourable = possible if least else sum(n for total, n in cases.items() if total >= shown)
    yield Chance(event.seq, "", outcome, favourable, possible, {})


@lru_cache(maxsize=256)
def total_of(notations: tuple[str, ...]) -> dict[int, int]:
    """Return in how many ways each total of these dice together comes up, exactly.

    O(dice x sides x range). Raises AffrayError for dice that are rolled again and for more throws than
    can be listed.
    """
    sums = {0: 1}
    for text in notations:
        sums = _added(sums, _cases(parse(text)))
    return sums


def _cases(notation: Notation) -> dict[int, int]:
    sums = {0: 1}
    for term in notation.terms:
        if isinstance(term, Number):
            sums = {total + term.value: n for total, n in sums.items()}
        elif term.keep is None and term.reroll is None and term.explode is None:
            die = dict.fromkeys((term.sign * face for face in range(1, term.sides + 1)), 1)
            for _ in range(term.count):
                sums = _added(sums, die)
        else:
            sums = _added(sums, _listed(term))
    return sums


def _listed(dice: Dice) -> dict[int, int]:
    if dice.reroll is not None or dice.explode is not None or dice.sides**dice.count > MOST:
        raise AffrayError(f"{dice} has no exact odds")
    notation = parse(str(dice))
    sums: dict[int, int] = {}
    for shown in product(range(1, dice.sides + 1), repeat=dice.count):
        total = dice.sign * rethrow(notation, shown).total
        sums[total] = sums.get(total, 0) + 1
    return sums


def _added(a: dict[int, int], b: dict[int, int]) -> dict[int, int]:
    made: dict[int, int] = {}
    for one, ways in a.items():
        for other, more in b.items():
            made[one + other] = made.get(one + other, 0) + ways * more
    return made
