"""What the facts of a blow make of a row: attack roll, confirmation, miss chance, damage."""

from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Raw, Struct

from affray.events.facts import combat
from affray.events.facts.modifier import Modifier
from affray.projections.hit_chance import confirming, hitting, is_by_sums
from affray.replay.luck import thrown_for
from affray.replay.rows.spread import spread_of
from affray.replay.rows.standing import Standing

Cells = tuple[Any, ...]
Made = tuple[str, Cells]
"""The table that a row belongs to, and its cells behind those of its place."""

BY = "; "
"""What stands between several words in one cell."""
LEAST = "a hit deals at least"
"""How the record of damage begins that would have been less by its sums."""
_NONE = Raw(b"[]")


class _Parts(Struct, gc=False):
    """The lists of modifiers of an event as its bytes have them."""

    attack: Raw = _NONE
    defense: Raw = _NONE
    parts: Raw = _NONE
    opposed_parts: Raw = _NONE
    modifiers: Raw = _NONE


parts_of = msgspec.json.Decoder(_Parts).decode


def as_text(part: Raw) -> str:
    """Return a list of modifiers as the text of its bytes."""
    return bytes(part).decode()


def as_share(chance: Fraction | None) -> float | None:
    """Return a chance as a number of 0 to 1, if there is one."""
    return None if chance is None else float(chance)


def attack_row(at: Standing, fact: combat.AttackResolved, data: bytes) -> Made:
    """Make the row of an attack roll, whose armor class is known from then on."""
    if fact.against == "armor class":
        at.met[fact.target] = fact.needed
    chance = as_share(hitting(fact)) if at.d20(fact.key) and is_by_sums(fact) else None
    return "attacks", (
        *_blow(at, fact),
        fact.weapon,
        fact.mode,
        fact.against,
        fact.result,
        fact.result != "miss",
        *_sums(fact),
        fact.total - fact.needed,
        chance,
        thrown_for(fact, at.given),
        # A roll in a reaction has the reaction and who reacts in its key, where else the actor stands.
        f":{fact.attacker}/" in fact.key,
        fact.why,
        *_both_parts(data),
    )


def confirmation_row(at: Standing, fact: combat.ConfirmationResolved, data: bytes) -> Made:
    """Make the row of a roll that was to confirm a threat."""
    chance = as_share(confirming(fact)) if at.d20(fact.key) else None
    sums = (*_sums(fact), fact.total - fact.needed, chance)
    return "confirmations", (*_blow(at, fact), fact.confirmed, *sums, *_both_parts(data))


def miss_chance_row(at: Standing, fact: combat.MissChanceResolved, data: bytes) -> Made:
    """Make the row of a hit that concealment could avert."""
    return "miss_chances", (*_blow(at, fact), fact.percent, fact.rolled, fact.missed, fact.key, fact.why)


def damage_row(at: Standing, fact: combat.DamageResolved, data: bytes) -> Made:
    """Make the row of damage. `expected` is empty where a rule has halved it, or spared the target."""
    shown = sum([part.total for part in fact.dice])
    spread = spread_of(tuple([part.notation for part in fact.dice]))
    added = fact.multiplier * sum([part.value for part in fact.modifiers if not part.denied])
    added = added if fact.dice else fact.total
    by_sums = fact.total == shown + added or fact.why.startswith(LEAST)
    return "damage", (
        *_blow(at, fact),
        at.blows.get((fact.attacker, fact.target)),
        fact.weapon,
        fact.total,
        fact.reduced,
        fact.total - fact.reduced,
        shown,
        fact.multiplier,
        fact.nonlethal,
        BY.join(dict.fromkeys([part.kind for part in fact.dice])),
        BY.join([part.notation for part in fact.dice]),
        spread.mean + added if spread and by_sums else None,
        spread.at_least(shown) if spread else None,
        fact.why,
        as_text(parts_of(data).modifiers),
    )


def _blow(at: Standing, fact: Any) -> Cells:
    attacker, target = fact.attacker, fact.target
    return (attacker, target, *at.of(attacker), *at.of(target), at.apart(attacker, target))


def _sums(fact: Any) -> Cells:
    """Return what the d20 and both sides of the comparison came to, from `face` to `key`."""
    return (
        fact.natural,
        fact.total - fact.natural,
        fact.total,
        fact.needed,
        _sum_of_kind(fact.defense, "cover"),
        _sum_of_kind(fact.attack, "flanking"),
        fact.key,
    )


def _sum_of_kind(parts: tuple[Modifier, ...], kind: str) -> int:
    return sum([part.value for part in parts if part.kind == kind and not part.denied])


def _both_parts(data: bytes) -> Cells:
    lists = parts_of(data)
    return as_text(lists.attack), as_text(lists.defense)
