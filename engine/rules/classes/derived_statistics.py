"""Numbers that a sheet leaves to be worked out from class levels, and those that stay as printed."""

from affray.engine.fight import Fight
from affray.events.facts.sheet import Sheet

#: What a sheet may name as left to be reckoned.
BASE_ATTACK = "base attack"


def as_printed(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet as it is: for dialects in which every number is printed."""
    return sheet, ()
