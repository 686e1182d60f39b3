"""What classes and size make of a sheet (woa.size.table)."""

from affray.engine.dialects.woa.gear import equip
from affray.engine.dialects.woa.position import size_table
from affray.engine.fight import Fight
from affray.events.facts.sheet import Sheet


def reckoned(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet with what classes and size say of it, and the rules."""
    sheet, by_class = equip.reckoned(fight, sheet)
    sheet, by_size = size_table.reckoned(fight, sheet)
    return sheet, (*by_class, *by_size)
