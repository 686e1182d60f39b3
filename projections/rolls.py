"""Rolls: the origin of dice, and their chance of success."""

from collections.abc import Collection
from fractions import Fraction

from affray.events.facts.combat import AttackResolved, CheckResolved, ConfirmationResolved

# --- The origin of a die in one word, and who could know it in advance

ORIGINS = {
    "joint": "joint",
    "alone": "seeded",
    "seeded": "seeded",
    "physical": "thrown by hand",
    "imported": "imported",
    "scripted": "scripted",
    "overridden": "ruled",
}
"""The word for each provenance; faces set by a ruling are "ruled" too."""

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
    """Return who could know a die of this provenance in advance; "" for faces that were not rolled."""
    return _FOREKNOWN.get(provenance, "")


# --- The chance of success of a roll, from its record

FAILS = "the penalties make it fail"
"""The remark of an attack that hits only on a natural 20."""
PLAIN_SAVES = frozenset({"woa.knocked-out.save"})
"""Rules of saving throws in which 1 and 20 have no special effect (woa.knocked-out.no-auto-fail)."""
TWENTY_CHECKS = frozenset({"pf1.injury.stabilize", "pf1.injury.recover-tended", "pf1.injury.recover-alone"})
"""Rules of checks in which a natural 20 always succeeds."""


def hitting(fact: AttackResolved) -> Fraction:
    """Return the chance of an attack to hit: natural 1 misses, natural 20 hits, else the total decides."""
    bonus = fact.total - fact.natural
    if fact.why == FAILS:
        return Fraction(1, 20)
    return Fraction(_faces_reaching(bonus, fact.needed), 20)


def is_by_sums(fact: AttackResolved) -> bool:
    """Return whether the totals alone decided an attack, without a rule that overrides them."""
    reached = fact.natural == 20 if fact.why == FAILS else _reached(fact.natural, fact.total, fact.needed)
    return reached == (fact.result != "miss")


def confirming(fact: ConfirmationResolved) -> Fraction | None:
    """Return the chance of a threat to be confirmed; None if a rule decided it in another way."""
    if _reached(fact.natural, fact.total, fact.needed) != fact.confirmed:
        return None
    return Fraction(_faces_reaching(fact.total - fact.natural, fact.needed), 20)


def succeeding(fact: CheckResolved, notation: str) -> Fraction | None:
    """Return the chance of a check or saving throw on a d20, or of a percentage check on a d100.

    None for other dice, and if a rule decided it in another way: a roll that cannot succeed, a reroll.
    """
    if notation == "1d100":
        chance = Fraction(max(0, min(100, fact.dc)), 100)
        # A percentage is a chance of success or, for arcane spell failure, of failure.
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
    """Return the number of faces of a d20 that reach `needed`."""
    return max(1 if twenty else 0, min(19 if one_fails else 20, 21 - (needed - bonus)))
