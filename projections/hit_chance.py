"""The chance that a d20 had to reach what it was compared with, from what the record of it says."""

from fractions import Fraction

from affray.events.facts.combat import AttackResolved

FAILS = "the penalties make it fail"
"""What the record says of an attack that nothing but a natural 20 brings home."""


def hitting(fact: AttackResolved) -> Fraction:
    """Return the chance that an attack had: natural 1 misses, natural 20 hits, else it must reach."""
    bonus = fact.total - fact.natural
    if fact.why == FAILS:
        return Fraction(1, 20)
    return Fraction(reaching(bonus, fact.needed, naturals=True), 20)


def is_by_sums(fact: AttackResolved) -> bool:
    """Say whether an attack came out as its sums have it, and no rule decided it otherwise."""
    reached = fact.natural == 20 if fact.why == FAILS else reaches(fact.natural, fact.total, fact.needed)
    return reached == (fact.result != "miss")


def reaches(natural: int, total: int, needed: int, *, naturals: bool = True) -> bool:
    """Say whether a d20 that showed `natural` reaches; with `naturals` 1 never does, 20 always."""
    return total >= needed if not naturals or 1 < natural < 20 else natural == 20


def reaching(bonus: int, needed: int, *, naturals: bool) -> int:
    """Return how many faces of a d20 reach `needed` with `bonus`; with `naturals` 1 never does, 20 always."""
    faces = 21 - (needed - bonus)
    return max(1, min(19, faces)) if naturals else max(0, min(20, faces))
