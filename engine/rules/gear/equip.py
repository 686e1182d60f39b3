"""What a combatant brings along: arms and armor named by the rulebook's tables, as parts of the sheet."""

from affray.engine.fight.fight import Fight
from affray.engine.steps import Refusal
from affray.events.facts.sheet import Sheet


def as_given(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return a sheet as it was given: for dialects without tables. Refuses what only names a row of one.

    futurepath.assumed.space-and-reach.
    """
    rule = fight.rule("size.table-space-reach")
    for table in (*(one.table for one in sheet.weapons), *(one.table for one in sheet.worn)):
        if table:
            raise Refusal(f"{fight.dialect.name} has no tables of arms to find a {table} in", rule)
    return sheet, ()
