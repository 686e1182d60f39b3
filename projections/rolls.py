"""Rolls: where a die came from, and the chance that it had."""

from collections.abc import Collection
from fractions import Fraction

from affray.events.facts.combat import AttackResolved, CheckResolved, ConfirmationResolved

# --- The origin of a die in one word, and who could know it beforehand

ORIGINS = {
    "joint": "joint",
    "alone": "seeded",
    "seeded": "seeded",
    "physical": "thrown by hand",
    "imported": "imported",
    "scripted": "scripted",
    "overridden": "ruled",
}
"""The word for each provenance; faces that a ruling gave are "ruled" too."""

NOBODY = "nobody could know it beforehand"
MASTER = "the game master could know it beforehand"
_FOREKNOWN = {"joint": NOBODY, "physical": NOBODY, "seeded": MASTER, "alone": MASTER}


def origin(provenance: str, contributions: Collection[object] = ()) -> str:
    """Return the origin of a die of this provenance.

    `joint`: from links of chains, or from a seed with `contributions` by players; `seeded`: from a seed or
    chain of the game master alone; `thrown by hand`; `imported` and `scripted`: faces from elsewhere;
    `ruled`. An unknown provenance is returned unchanged.
    """
    if provenance.startswith("ruling:"):
        return "ruled"
    if provenance == "seeded" and contributions:
        return "joint"
    return ORIGINS.get(provenance, provenance)


def foreknown(provenance: str) -> str:
    """Return who could know a die of this provenance beforehand; "" for faces that were not thrown."""
    return _FOREKNOWN.get(provenance, "")


# --- The chance that a roll had to reach what it was compared with, from what the record of it says

FAILS = "the penalties make it fail"
"""What the record says of an attack that nothing but a natural 20 brings home."""
PLAIN_SAVES = frozenset({"woa.knocked-out.save"})
"""Rules of saving throws in which 1 and 20 are faces like others (woa.knocked-out.no-auto-fail)."""
TWENTY_CHECKS = frozenset({"pf1.injury.stabilize", "pf1.injury.recover-tended", "pf1.injury.recover-alone"})
"""Rules of checks in which a natural 20 succeeds, whatever it comes to."""


def hitting(fact: AttackResolved) -> Fraction:
    """Return the chance that an attack had: natural 1 misses, natural 20 hits, else it must reach."""
    bonus = fact.total - fact.natural
    if fact.why == FAILS:
        return Fraction(1, 20)
    return Fraction(_faces_reaching(bonus, fact.needed), 20)


def is_by_sums(fact: AttackResolved) -> bool:
    """Return whether the totals alone decided an attack, without a rule that overrides them."""
    reached = fact.natural == 20 if fact.why == FAILS else _reached(fact.natural, fact.total, fact.needed)
    return reached == (fact.result != "miss")


def confirming(fact: ConfirmationResolved) -> Fraction | None:
    """Return the chance that a threat had to be confirmed; None where a rule decided it otherwise."""
    if _reached(fact.natural, fact.total, fact.needed) != fact.confirmed:
        return None
    return Fraction(_faces_reaching(fact.total - fact.natural, fact.needed), 20)


def succeeding(fact: CheckResolved, notation: str) -> Fraction | None:
    """Return the chance of a check or saving throw on a d20, or by percent on a d100.

    None for other dice, and where a rule decided it otherwise: a roll that cannot succeed, a reroll.
    """
    if notation == "1d100":
        chance = Fraction(max(0, min(100, fact.dc)), 100)
        # A percentage is that of success or, as that of a spell that armor spoils, of failure.
        return chance if (fact.total <= fact.dc) == fact.success else 1 - chance
    if notation != "1d20":
        return None
    save = fact.check.startswith("save.") and PLAIN_SAVES.isdisjoint(fact.cites)
    twenty = save or not TWENTY_CHECKS.isdisjoint(fact.cites)
    if _reached(fact.natural, fact.total, fact.dc, one_fails=save, twenty=twenty) != fact.success:
        return None
    return Fraction(_faces_reaching(fact.total - fact.natural, fact.dc, one_fails=save, twenty=twenty), 20)


def _reached(natural: int, total: int, needed: int, *, one_fails: bool = True, twenty: bool = True) -> bool:
    return (total >= needed and not (one_fails and natural == 1)) or (twenty and natural == 20)


def _faces_reaching(bonus: int, needed: int, *, one_fails: bool = True, twenty: bool = True) -> int:
    """Return how many faces of a d20 reach `needed`."""
    return max(1 if twenty else 0, min(19 if one_fails else 20, 21 - (needed - bonus)))
