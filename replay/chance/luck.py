"""Luck: the dice compared with their expectation, and whether they look fair."""

from collections.abc import Container, Iterable
from copy import copy
from fractions import Fraction
from math import exp, lgamma, log
from typing import Any, Self

from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.dice import parse
from affray.engine.dice.notation import Dice
from affray.events.codec import decode
from affray.events.facts.combat import AttackResolved, DamageResolved
from affray.events.facts.flow import CombatantEntered, EncounterOpened, OptionsChanged, Rolled
from affray.events.stores.store import Store
from affray.projections.fold import apply
from affray.projections.state import Encounter, duplicate
from affray.replay.chance.recorded_tests import RecordedTests, mean_damage

# --- The exact number of ways to roll each total

NOT_OURS = ("physical", "imported")
"""The provenances of physical dice, and of dice rolled in another program."""

GIVEN = ("overridden", "scripted", *NOT_OURS)
"""Provenances of results that the encounter's dice did not roll: overridden, scripted, from elsewhere.
Results given by a ruling are excluded too.
"""


class Streak(Struct):
    """A run of attacks that all hit or all missed: the number, and the event of the first."""

    length: int = 0
    seq: int = 0


class Luck(Struct):
    """One combatant's luck: attacks, hits and damage, each with its expectation.

    `expected_damage` is that of the hits made. `d20s` counts the d20s rolled for it, of which `d20_mean` is
    the mean (fair: 10.5). `best` and `worst` are the longest streaks of hits and of misses.
    """

    who: str
    side: str
    attacks: int = 0
    hits: int = 0
    expected_hits: float = 0.0
    damage: int = 0
    expected_damage: float = 0.0
    d20s: int = 0
    d20_mean: float = 0.0
    best: Streak = field(default_factory=Streak)
    worst: Streak = field(default_factory=Streak)


LEAST_EXPECTED = 5
"""Minimum expected count of each result for a meaningful chi-square test."""


class Fairness(Struct):
    """The results of all dice of one size: counts, chi-square against equal chances, and its p-value.

    `enough` is true if the test is meaningful: at least five expected of each result.
    """

    sides: int
    thrown: int
    counts: dict[int, int]
    mean: float
    chi_square: float
    p_value: float
    enough: bool


class Audit(Struct):
    """The luck of all combatants and of each side, and the dice by size; `by_hand` counts `NOT_OURS`."""

    branch: str
    combatants: list[Luck]
    sides: list[Luck]
    dice: list[Fairness]
    by_hand: int = 0


def luck(store: Store, branch: str = "") -> Audit:
    """Audit the dice of a branch, the main line by default. O(events).

    Results that were given rather than rolled are left out, with the attacks that they decided.
    """
    branch = branch or store.main_line()
    tally = Tally()
    for event in store.read(branch):
        if event.type in COUNTED:
            tally.count(event.seq, decode(event))
    return tally.audit(branch)


RULES = frozenset({"encounter.opened", "options.changed"})
"""The types of events that set the rules of a fight."""

COUNTED = RULES | {"combatant.entered", "rolled", "attack.resolved", "damage.resolved"}
"""The types of events that matter for luck."""

_NOTHING = Fraction(0)


class Tally:
    """The dice of a line counted event by event, up to a place."""

    def __init__(self) -> None:
        self._told: dict[str, Luck] = {}
        self._sides: dict[str, Luck] = {}
        self._expected: dict[tuple[str, bool, str], Fraction] = {}
        self._faces: dict[int, dict[int, int]] = {}
        self._given: set[str] = set()
        self._by_hand = 0
        self._running: dict[str, tuple[bool, int, int]] = {}
        self._rules = Encounter()
        self._tests = RecordedTests(self._rules)
        self._declaration, self._dice = "", dict[str, str]()

    def copy(self) -> Self:
        """Return an independent copy, for a line that leaves here."""
        made = copy(self)
        made._told = {who: _own(one) for who, one in self._told.items()}
        made._sides = {side: _own(one) for side, one in self._sides.items()}
        made._expected, made._given, made._running = {**self._expected}, {*self._given}, {**self._running}
        made._faces = {sides: {**seen} for sides, seen in self._faces.items()}
        made._rules = duplicate(self._rules)
        made._tests, made._dice = RecordedTests(made._rules), {**self._dice}
        return made

    def count(self, seq: int, fact: Any) -> None:
        """Count an event."""
        kind = type(fact)
        if kind is EncounterOpened or kind is OptionsChanged:
            apply(self._rules, fact)
        elif kind is CombatantEntered:
            self._told[fact.id] = Luck(fact.id, fact.side)
            self._sides.setdefault(fact.side, Luck(fact.side, fact.side))
        elif kind is Rolled:
            self._roll(fact)
        elif kind is AttackResolved and is_rolled_for_attack(fact, self._given):
            self._attack(seq, fact)
        elif kind is DamageResolved and not any(part.key in self._given for part in fact.dice):
            for one in self._both(fact.attacker):
                one.damage += fact.total
            mean = mean_damage(fact)
            self._expect("damage", fact.attacker, Fraction(fact.total) if mean is None else mean)

    def _roll(self, fact: Rolled) -> None:
        if is_given_roll(fact):
            self._given.add(fact.key)
            self._by_hand += fact.provenance in NOT_OURS
            return
        declaration = fact.key.partition("/")[0]
        if declaration != self._declaration:
            self._declaration, self._dice = declaration, {}
        self._dice[fact.key] = fact.notation
        _count(self._faces, fact)
        if _sizes(fact.notation) == {20}:
            # Of two dice, one of which does not count, both are fair dice.
            for one in self._both(fact.who):
                one.d20s += len(fact.faces)
                one.d20_mean += sum(fact.faces)

    def _attack(self, seq: int, fact: AttackResolved) -> None:
        chance = self._tests.attack(fact, self._dice.get(fact.key, ""))
        if chance is None:
            return
        hit = fact.result != "miss"
        for one in self._both(fact.attacker):
            one.attacks += 1
            one.hits += hit
        self._expect("hits", fact.attacker, chance)
        same, start, length = self._running.get(fact.attacker, (not hit, 0, 0))
        start, length = (start, length + 1) if same == hit else (seq, 1)
        self._running[fact.attacker] = hit, start, length
        if (told := self._told.get(fact.attacker)) is not None:
            streak = told.best if hit else told.worst
            if length > streak.length:
                streak.length, streak.seq = length, start

    def _both(self, who: str) -> Iterable[Luck]:
        told = self._told
        return (told[who], self._sides[told[who].side]) if who in told else ()

    def _expect(self, what: str, who: str, chance: Fraction) -> None:
        if who in self._told:
            for key in ((what, False, who), (what, True, self._told[who].side)):
                self._expected[key] = self._expected.get(key, _NOTHING) + chance

    def audit(self, branch: str) -> Audit:
        """Return the counts so far as those of a branch; counting can continue. O(combatants)."""
        told = {who: self._summed(one, False) for who, one in self._told.items()}
        sides = {side: self._summed(one, True) for side, one in self._sides.items()}
        for one in told.values():
            team = sides[one.side]
            team.best = max(team.best, one.best, key=lambda streak: streak.length)
            team.worst = max(team.worst, one.worst, key=lambda streak: streak.length)
        fair = [fairness(size, self._faces[size]) for size in sorted(self._faces)]
        return Audit(branch, list(told.values()), list(sides.values()), fair, self._by_hand)

    def _summed(self, counted: Luck, side: bool) -> Luck:
        one = _own(counted)
        one.d20_mean = round(one.d20_mean / one.d20s, 2) if one.d20s else 0.0
        one.expected_hits = _rounded(self._expected.get(("hits", side, one.who), _NOTHING))
        one.expected_damage = _rounded(self._expected.get(("damage", side, one.who), _NOTHING))
        return one


def _own(one: Luck) -> Luck:
    return replace(one, best=replace(one.best), worst=replace(one.worst))


def is_given_roll(roll: Rolled) -> bool:
    """Return whether the results were not rolled: scripted, or given by a ruling."""
    return roll.provenance in GIVEN or roll.provenance.startswith("ruling:")


def is_rolled_for_attack(fact: AttackResolved, given: Container[str]) -> bool:
    """Return whether an attack was decided by its own roll, with a key that is not among the given ones."""
    return "/attack/" in fact.key and fact.key not in given


def fairness(sides: int, counts: dict[int, int]) -> Fairness:
    """Return the chi-square test of one size of dice against equal chances."""
    thrown = sum(counts.values())
    full = {face: counts.get(face, 0) for face in range(1, sides + 1)}
    wanted = thrown / sides
    chi = sum((seen - wanted) ** 2 for seen in full.values()) / wanted
    mean = sum(face * seen for face, seen in full.items()) / thrown
    p = round(p_value(chi, sides - 1), 4)
    return Fairness(sides, thrown, full, round(mean, 3), round(chi, 3), p, wanted >= LEAST_EXPECTED)


def p_value(chi: float, freedom: int) -> float:
    """Return the chance of a chi-square this large or larger: the upper incomplete gamma function.

    A power series for small values, a continued fraction (Lentz) for large ones; accurate to about 1e-12.
    """
    if freedom < 1 or chi <= 0:
        return 1.0
    a, x = freedom / 2, chi / 2
    front = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > abs(total) * 1e-15:
            n += 1
            term *= x / n
            total += term
        return min(1.0, max(0.0, 1 - front * total))
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    result = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b or tiny)
        c = b + an / c or tiny
        result *= (step := d * c)
        if abs(step - 1) < 1e-15:
            break
    return min(1.0, front * result)


def _sizes(notation: str) -> set[int]:
    """Return the sizes of the dice of a notation."""
    return {term.sides for term in parse(notation).terms if isinstance(term, Dice)}


def _count(faces: dict[int, dict[int, int]], roll: Rolled) -> None:
    """Count the results of a roll by the size of its dice; mixed dice that are rerolled are left out."""
    groups = [term for term in parse(roll.notation).terms if isinstance(term, Dice)]
    sizes = [dice.sides for dice in groups for _ in range(dice.count)]
    if len({*sizes}) == 1:
        sizes = sizes[:1] * len(roll.faces)
    if len(sizes) != len(roll.faces):
        return
    for size, face in zip(sizes, roll.faces, strict=True):
        seen = faces.setdefault(size, {})
        seen[face] = seen.get(face, 0) + 1


def _rounded(value: Fraction) -> float:
    return round(float(value), 2)
