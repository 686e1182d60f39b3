"""Wading: what water leaves of a speed (srd35.hazard.water-combat)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.environment.in_water import COMBAT, hindered_by_water
from affray.projections.state import Combatant


def wading_feet(fight: Fight, combatant: Combatant, feet: int) -> int:
    """Return what water leaves of a speed to who stands in it."""
    return int(feet * fight.figure(COMBAT, "footing_speed")) if hindered_by_water(combatant) else feet
