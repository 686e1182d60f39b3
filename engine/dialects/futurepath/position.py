"""Position: combatants' squares, space and reach, size, shared and narrow places."""

from typing import Final

from affray.engine.dialects.futurepath.contested import in_force
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.events.facts.sheet import Sheet

# --- The squares that a combatant occupies, by the rules of the edition (futurepath.grid.occupancy)

SCALE: Final = "futurepath.grid.standard-scale"
#: The size that the old scale covers.
HUMAN: Final = "medium"


def human_space_and_reach(fight: Fight, sheet: Sheet) -> tuple[int, int]:
    """Return the squares along a side of a creature of human size and its reach in feet, as printed.

    It occupies one square, or by the old rules what the scale gives. Its reach is the threat range by the new
    rules, the reach of melee weapons by the old ones (futurepath.grid.occupancy,
    futurepath.grid.standard-scale, futurepath.threat.range-5-ft, futurepath.attack.melee.reach).
    """
    old = in_force(fight, SCALE, {}) == SCALE
    side = int(fight.figure(SCALE, "human_space_squares")) if old else 1
    if sheet.space is not None:
        side = max(1, int(sheet.space) // SQUARE_FT)
    if sheet.reach is not None:
        reach = sheet.reach
    elif old:
        reach = fight.figure("futurepath.attack.melee.reach", "reach_ft")
    else:
        reach = fight.book.figure("futurepath.threat.range-5-ft", "default_threat_range_ft")
    return side, int(reach)


def add_scale_rule(
    fight: Fight, sheet: Sheet, side: int, reach: int, found: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the rules for the space and reach of a newcomer, with the rule of the scale if it applies.

    futurepath.grid.occupancy, futurepath.grid.standard-scale
    """
    rule = in_force(fight, SCALE, {})
    spoken_of = sheet.size == HUMAN if rule == SCALE else side > 1
    return (rule, *found) if spoken_of else found
