"""Who is in the water, how, and whether that hinders it (srd35.hazard.water-combat, pf1.hazard.water)."""

from typing import Final

from affray.projections.state import Combatant

COMBAT: Final = "hazard.water-combat"
"""srd35.hazard.water-combat, pf1.hazard.water."""

IN_WATER, OFF_BALANCE = "in water", "off balance"

#: How one is in the water: on firm ground, swimming, or neither.
FOOTING, SWIMMING, ADRIFT = "footing", "swimming", "no footing"

FREE: Final = "freedom of movement"

#: Kinds of damage that water takes the force from, whoever strikes.
SWUNG: Final = ("slashing", "bludgeoning")


def hindered_by_water(combatant: Combatant) -> bool:
    """Say whether water hinders somebody's blows."""
    return IN_WATER in combatant.conditions and FREE not in combatant.sheet.traits
