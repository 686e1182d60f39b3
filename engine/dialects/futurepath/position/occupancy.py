"""The squares that a combatant takes up, by the rules of the edition (futurepath.grid.occupancy)."""

from typing import Final

from affray.engine.dialects.futurepath.contested import in_force
from affray.engine.fight.fight import Fight
from affray.events.facts.sheet import Sheet

SCALE: Final = "futurepath.grid.standard-scale"
#: The size that the old scale speaks of.
HUMAN: Final = "medium"


def by_edition(fight: Fight, sheet: Sheet, found: tuple[int, int]) -> tuple[int, int]:
    """Return the squares along a side of a combatant and its reach in feet.

    By the old rules the scale says what a human-size creature takes up, else the size does. How far one of
    that size strikes is a threat range by the new rules, the reach of its weapon by the old ones
    (futurepath.grid.occupancy, futurepath.grid.standard-scale, futurepath.threat.range-5-ft,
    futurepath.attack.melee.reach).
    """
    side, reach = found
    if sheet.size != HUMAN:
        return side, reach
    old = in_force(fight, SCALE, {}) == SCALE
    if sheet.space is None and old:
        side = int(fight.figure(SCALE, "human_space_squares"))
    if sheet.reach is None and old:
        reach = int(fight.figure("futurepath.attack.melee.reach", "reach_ft"))
    elif sheet.reach is None:
        reach = int(fight.book.figure("futurepath.threat.range-5-ft", "default_threat_range_ft"))
    return side, reach


def also_by_scale(
    fight: Fight, sheet: Sheet, side: int, reach: int, found: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the rules that space and reach of a newcomer follow from, where more than one square is meant.

    futurepath.grid.occupancy, futurepath.grid.standard-scale.
    """
    rule = in_force(fight, SCALE, {})
    spoken_of = sheet.size == HUMAN if rule == SCALE else side > 1
    return (rule, *found) if spoken_of else found
