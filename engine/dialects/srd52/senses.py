"""Senses: who sees whom."""

from affray.engine.dialects.srd52.position import crosses
from affray.engine.fight.fight import Fight
from affray.engine.grid.lines_and_cover import corners
from affray.projections.state import Combatant


def in_sight(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether a line from a corner of one space to a corner of the other meets no wall."""
    walls = fight.field.walls
    return not walls or any(
        not crosses(start, end, walls)
        for start in corners(combatant.at, combatant.space)
        for end in corners(other.at, other.space)
    )


def sees(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether a combatant sees another: it has sight, the other is not concealed, no wall between.

    The blinded see nothing, the unconscious are unaware, and the invisible are concealed
    (srd52.conditions.blinded-sight, srd52.conditions.unconscious-unaware,
    srd52.conditions.invisible-concealed).
    """
    if combatant.id == other.id:
        return True
    if any(one in combatant.conditions for one in ("blinded", "unconscious", "petrified", "dead")):
        return False
    return "invisible" not in other.conditions and in_sight(fight, combatant, other)
