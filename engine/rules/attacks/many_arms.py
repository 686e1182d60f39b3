"""Creatures with more than two arms: one main hand, all others off hands.

srd35.feat.multiattack, pf1.feat.two-weapon.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.gear.held_weapons import counted_arms
from affray.projections.state import Combatant

TOPIC: Final = "feat.multiweapon-fighting"
FEAT: Final = "multiweapon fighting"
TWO: Final = 2


def arms_of(combatant: Combatant) -> int:
    """Return how many arms a creature can fight with: two, or as many as its trait "arms 4" says."""
    return max(TWO, counted_arms(combatant))


def many_armed(combatant: Combatant) -> bool:
    """Say whether a creature has more than two arms."""
    return arms_of(combatant) > TWO


def has_multiweapon_fighting(fight: Fight, combatant: Combatant) -> bool:
    """Say whether Multiweapon Fighting eases the penalties, in the place of Two-Weapon Fighting."""
    return masters(fight, combatant, FEAT)


def off_hand_weapons(combatant: Combatant, first: str, second: str) -> tuple[str, ...]:
    """Return the names of the weapons in the off hands: the second one, then all else that is held."""
    natural = {one.name for one in combatant.sheet.weapons if one.wield == "natural"}
    others = [name for name in combatant.held if name not in (first, second) and name not in natural]
    return (second, *others)
