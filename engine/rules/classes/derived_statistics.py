"""Numbers that a sheet leaves to be worked out from class levels, and those that stay as printed."""

from collections.abc import Callable
from functools import wraps

from affray.engine.fight.fight import Fight
from affray.events.facts.sheet import Sheet

Reckoned = tuple[Sheet, tuple[str, ...]]
"""A sheet with what was reckoned, and the rules."""

#: What a sheet may name as left to be reckoned.
BASE_ATTACK = "base attack"


def as_printed(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return the sheet as it is: for dialects in which every number is printed."""
    return sheet, ()


def on_sheet_so_far(
    reckon: Callable[[Fight, Sheet], Reckoned],
) -> Callable[[Fight, Sheet, Reckoned], Reckoned]:
    """Return a stage that goes on from the sheet which the stages before have made, and adds its rules."""

    @wraps(reckon)
    def stage(fight: Fight, sheet: Sheet, found: Reckoned) -> Reckoned:
        made, cites = reckon(fight, found[0])
        return made, tuple(dict.fromkeys((*found[1], *cites)))

    return stage
