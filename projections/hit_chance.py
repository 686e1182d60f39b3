"""The chance that a d20 had to reach what it was compared with, from what the record of it says."""

from fractions import Fraction

from affray.events.facts.combat import AttackResolved


def hitting(fact: AttackResolved) -> Fraction:
    """Return the chance that an attack had: natural 1 misses, natural 20 hits, else it must reach."""
    bonus = fact.total - fact.natural
    if fact.why == "the penalties make it fail":
        return Fraction(1, 20)
    return Fraction(reaching(bonus, fact.needed, naturals=True), 20)


def reaching(bonus: int, needed: int, *, naturals: bool) -> int:
    """Return how many faces of a d20 reach `needed` with `bonus`; with `naturals` 1 never does, 20 always."""
    faces = 21 - (needed - bonus)
    return max(1, min(19, faces)) if naturals else max(0, min(20, faces))
