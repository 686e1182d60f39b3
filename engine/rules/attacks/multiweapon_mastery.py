"""Creatures that fight with several weapons by nature, without a penalty.

srd35.assumed.weapon-mastery, pf1.two-weapon.
"""

from typing import Final

from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.projections.state import Combatant

#: Each arm has all attacks of the base attack bonus and its whole Strength.
SUPERIOR: Final = "superior two-weapon fighting"
#: Every off hand has its usual attack.
MASTERY: Final = "multiweapon mastery"


def is_superior(combatant: Combatant) -> bool:
    """Say whether each arm of a creature fights as if it were the only one."""
    return has_trait(combatant, SUPERIOR)


def pays_nothing(combatant: Combatant) -> bool:
    """Say whether a creature attacks with several weapons without a penalty."""
    return is_superior(combatant) or has_trait(combatant, MASTERY)
