"""Damage reduction that the enhancement of a weapon overcomes (pf1.dr.enhancement)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
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
