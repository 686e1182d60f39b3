"""Damage reduction that the enhancement of a weapon overcomes (pf1.dr.enhancement, pf1.dr.rules)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.damage.magic_weapons import strikes_as_magic
from affray.events.facts.sheet import Reduction

TOPIC: Final = "pf1.dr.enhancement"
#: What each figure of the rule stands for among what bypasses a damage reduction.
KINDS: Final = {
    "cold iron/silver": frozenset({"cold iron", "silver"}),
    "adamantine": frozenset({"adamantine"}),
    "alignment": frozenset({"good", "evil", "lawful", "chaotic"}),
}


def overcome_by_enhancement(fight: Fight, harm: Harm, reduction: Reduction) -> bool:
    """Say whether a weapon's enhancement stands for the material or alignment that bypasses a reduction.

    pf1.dr.enhancement.
    """
    if harm.weapon is None:
        return False
    bonus = max((one.value for one in harm.weapon.attack if one.kind == "enhancement"), default=0)
    found = any(
        bonus >= fight.figure(TOPIC, figure) and not kinds.isdisjoint(reduction.bypass)
        for figure, kinds in KINDS.items()
    )
    if found:
        harm.reduced_by += fight.rules(TOPIC)
    return found


def overcome_as_magic(fight: Fight, harm: Harm, reduction: Reduction) -> bool:
    """Say whether a reduction gives way to magic and the weapon counts as such (pf1.dr.rules)."""
    if harm.weapon is None or "magic" not in reduction.bypass:
        return False
    found = strikes_as_magic(fight, harm.attacker, harm.weapon)
    if found:
        harm.reduced_by += fight.rules("pf1.dr.rules")
    return found
