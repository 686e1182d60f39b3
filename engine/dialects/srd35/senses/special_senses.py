"""Senses: how far darkvision, blindsight and their like reach (srd35.darkvision, srd35.blindsight)."""

import re

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.sheet_names import details_of
from affray.engine.rules.position.place import distance
from affray.projections.state import Combatant

_FEET = re.compile(r"\d+")
DARKVISION, BLINDSIGHT = "darkvision", "blindsight"


def sense_range(fight: Fight, combatant: Combatant, sense: str) -> int:
    """Return how many feet a sense of the sheet reaches, 0 for one that it lacks.

    A sheet that names no feet has the common range of darkvision.
    """
    for detail in details_of(sense, combatant.sheet.traits):
        found = _FEET.search(detail)
        return int(found.group()) if found else int(fight.figure(DARKVISION, "range_ft"))
    return 0


def is_within_range(feet: int, figure: int) -> bool:
    """Say whether a distance lies within a range of the rules: the first square out of it is one further."""
    return feet < figure + SQUARE_FT


def is_sensed(fight: Fight, combatant: Combatant, other: Combatant, sense: str) -> bool:
    """Say whether one is within the range of another's sense."""
    if not combatant.sheet.traits:
        return False
    feet = sense_range(fight, combatant, sense)
    return feet > 0 and is_within_range(distance(combatant, other), feet)
