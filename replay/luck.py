"""Luck: what the dice brought beside what was to be expected, and whether they look fair."""

from collections.abc import Container, Iterable
from fractions import Fraction
from math import exp, lgamma, log

from msgspec import Struct, field

from affray.engine.dice import parse
from affray.engine.dice.notation import Dice
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts.combat import AttackResolved, DamageResolved
from affray.events.facts.flow import CombatantEntered
from affray.events.facts.rolled import Rolled
from affray.events.store import Store
from affray.replay.sums import total_of

BY_HAND = "physical"
"""The provenance of faces that people threw and typed."""

GIVEN = ("overridden", "scripted", BY_HAND)
"""Faces that the encounter's dice did not throw say nothing about these: overridden, scripted, and those that
people threw and typed; nor do those that a ruling gave."""


class Streak(Struct):
    """A run of attacks that all hit or all missed: how many, and the event of the first."""

    length: int = 0
    seq: int = 0


class Luck(Struct):
    """One combatant's luck: attacks, hits and damage, each beside what was to be expected.

    `expected_damage` is that of the hits that were made. `d20s` counts the d20s thrown for it, of which
    `d20_mean` is the mean (fair: 10.5). `best` and `worst` are the longest streaks of
    hits and of misses.
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
"""How often each face must be expected before the chi-square test may be believed."""


class Fairness(Struct):
    """The faces of all dice of one size: counts, chi-square against equal chances, and its p-value.

    `enough` says whether so many were thrown that the test means anything: five expected of each face.
    """

    sides: int
    thrown: int
    counts: dict[int, int]
    mean: float
    chi_square: float
    p_value: float
    enough: bool


class Audit(Struct):
    """The luck of everybody, of each side, and the dice by size; `by_hand` counts the throws left out."""

    branch: str
    combatants: list[Luck]
    sides: list[Luck]
    dice: list[Fairness]
    by_hand: int = 0


def luck(store: Store, branch: str = "") -> Audit:
    """Audit the dice of a branch, the main line by default. O(events).

    Faces that were given and not thrown are left out, and attacks that they decided.
    """
    branch = branch or store.main_line()
    told: dict[str, Luck] = {}
    sides: dict[str, Luck] = {}
    expected: dict[str, Fraction] = {}
    faces: dict[int, dict[int, int]] = {}
    given: set[str] = set()
    by_hand = 0
    running: dict[str, tuple[bool, int, int]] = {}
    for event in store.read(branch):
        if event.type not in ("combatant.entered", "rolled", "attack.resolved", "damage.resolved"):
            continue
        fact = decode(event)
        kind = type(fact)
        if kind is CombatantEntered:
            told[fact.id] = Luck(fact.id, fact.side)
            sides.setdefault(fact.side, Luck(fact.side, fact.side))
        elif kind is Rolled:
            if was_given(fact):
                given.add(fact.key)
                by_hand += fact.provenance == BY_HAND
            else:
                _count(faces, fact)
                if len(fact.faces) == 1 and fact.notation == "1d20":
                    for one in _both(told, sides, fact.who):
                        one.d20s += 1
                        one.d20_mean += fact.faces[0]
        elif kind is AttackResolved and thrown_for(fact, given):
            hit = fact.result != "miss"
            chance = hitting(fact)
            for one in _both(told, sides, fact.attacker):
                one.attacks += 1
                one.hits += hit
                expected[f"hits {id(one)}"] = expected.get(f"hits {id(one)}", Fraction(0)) + chance
            same, start, length = running.get(fact.attacker, (not hit, 0, 0))
            start, length = (start, length + 1) if same == hit else (event.seq, 1)
            running[fact.attacker] = hit, start, length
            streak = told[fact.attacker].best if hit else told[fact.attacker].worst
            if length > streak.length:
                streak.length, streak.seq = length, start
        elif kind is DamageResolved and not any(part.key in given for part in fact.dice):
            mean = _mean(fact)
            for one in _both(told, sides, fact.attacker):
                one.damage += fact.total
                expected[f"damage {id(one)}"] = expected.get(f"damage {id(one)}", Fraction(0)) + mean
    for one in (*told.values(), *sides.values()):
        one.d20_mean = round(one.d20_mean / one.d20s, 2) if one.d20s else 0.0
        one.expected_hits = _rounded(expected.get(f"hits {id(one)}", Fraction(0)))
        one.expected_damage = _rounded(expected.get(f"damage {id(one)}", Fraction(0)))
    for who, one in told.items():
        team = sides[one.side]
        team.best = max(team.best, told[who].best, key=lambda streak: streak.length)
        team.worst = max(team.worst, told[who].worst, key=lambda streak: streak.length)
    fair = [fairness(size, faces[size]) for size in sorted(faces)]
    return Audit(branch, list(told.values()), list(sides.values()), fair, by_hand)


def was_given(roll: Rolled) -> bool:
    """Say whether nobody threw those faces: they were laid down, or a ruling gave them."""
    return roll.provenance in GIVEN or roll.provenance.startswith("ruling:")


def thrown_for(fact: AttackResolved, given: Container[str]) -> bool:
    """Say whether an attack was decided by a roll of its own, whose key is none of the given ones."""
    return "/attack/" in fact.key and fact.key not in given


def hitting(fact: AttackResolved) -> Fraction:
    """Return the chance that an attack had: natural 1 misses, natural 20 hits, else it must reach."""
    bonus = fact.total - fact.natural
    if fact.why == "the penalties make it fail":
        return Fraction(1, 20)
    return Fraction(
        sum(face == 20 or (face > 1 and face + bonus >= fact.needed) for face in range(1, 21)), 20
    )


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

    A power series below, a continued fraction (Lentz) above; accurate to about 1e-12.
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


def _both(told: dict[str, Luck], sides: dict[str, Luck], who: str) -> Iterable[Luck]:
    return (told[who], sides[told[who].side]) if who in told else ()


def _count(faces: dict[int, dict[int, int]], roll: Rolled) -> None:
    """Count the faces of a roll by the size of their dice; mixed dice rolled again are left out."""
    groups = [term for term in parse(roll.notation).terms if isinstance(term, Dice)]
    sizes = [dice.sides for dice in groups for _ in range(dice.count)]
    if len({*sizes}) == 1:
        sizes = sizes[:1] * len(roll.faces)
    if len(sizes) != len(roll.faces):
        return
    for size, face in zip(sizes, roll.faces, strict=True):
        seen = faces.setdefault(size, {})
        seen[face] = seen.get(face, 0) + 1


def _mean(fact: DamageResolved) -> Fraction:
    """Return what a hit's dice bring on average; what was rolled, where that cannot be counted."""
    shown = sum(part.total for part in fact.dice)
    try:
        cases = total_of(tuple(part.notation for part in fact.dice))
    except AffrayError:
        return Fraction(fact.total)
    ways = sum(cases.values())
    return fact.total - shown + Fraction(sum(total * n for total, n in cases.items()), ways)


def _rounded(value: Fraction) -> float:
    return round(float(value), 2)
