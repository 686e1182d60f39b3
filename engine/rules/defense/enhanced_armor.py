"""Enhancement bonuses of armor, shields and natural armor: each raises the bonus of what it is on."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight
from affray.engine.record.blow import Blow
from affray.events.facts.modifier import Modifier

ENHANCED: Final = "enhancement to "
#: Bonuses to Armor Class that an enhancement can raise.
RAISED: Final = ("armor", "shield", "natural")


def enhanced_armor(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class, each raised by its enhancement.

    A bonus of the kind "enhancement to armor" (shield, natural) and the armor's name raises that armor's own
    bonus; two armor bonuses do not add (srd35.bonus.enhancement-armor, pf1.ac.enhancement).
    """
    for part in parts:
        if part.kind.startswith(ENHANCED):
            return raised_by_enhancement(fight, parts)
    return parts


@per_fight("parts")
def raised_by_enhancement(fight: Fight, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts with every enhancement counted into the bonus that it raises, the best of several."""
    rule = fight.rule("bonus.enhancement-armor")
    made = []
    for part in parts:
        if part.kind.startswith(ENHANCED):
            continue
        plus = [
            one.value
            for one in parts
            if one.kind == f"{ENHANCED}{part.kind}" and one.source in (part.source, one.kind)
        ]
        if part.kind in RAISED and plus:
            source = f"{part.source} enhanced by {max(plus)}"
            part = Modifier(part.value + max(plus), part.kind, source, rule, part.denied)
        made.append(part)
    return tuple(made)
