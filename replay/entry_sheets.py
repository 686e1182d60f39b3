"""Sheets of combatants who are to enter: those that ship with a dialect, and printed stat blocks."""

from collections.abc import Sequence

from affray.engine.statblock import PRINTED_FOR, Note, read
from affray.engine.table.scenario import sheet_of
from affray.engine.table.scenario_parts import Entrant, Scenario, packaged_sheets
from affray.events.facts.sheet import Sheet


def shipped(dialect: str) -> dict[str, str]:
    """Return the sheets that ship with a dialect: what each is called by the name that `use` takes."""
    return {name: str(sheet.get("name", name)) for name, sheet in packaged_sheets(dialect).items()}


def shipped_sheet(dialect: str, use: str) -> Sheet:
    """Return a sheet that ships with a dialect. Raises BadScenario for one that there is not."""
    holder = Scenario(map=(), combatants=(), dialect=dialect, name=f"sheets of {dialect}")
    return sheet_of(holder, Entrant(id=use, side="", at=(0, 0), use=use))


def printed_sheet(dialect: str, text: str) -> tuple[Sheet, Sequence[Note]]:
    """Return the sheet of a printed stat block, and what of it the sheet does not hold, or holds otherwise.

    Raises StatBlockError for a text that is none. Linear in the text.
    """
    block = read(text, dialect=dialect if dialect in PRINTED_FOR else "")
    return block.sheet, block.notes
