"""Sheets for combatants to enter: the included ones of a dialect, and printed stat blocks."""

from collections.abc import Sequence

from affray.engine.record.blocks import Note
from affray.engine.stat_blocks import read_block
from affray.engine.table.scenario import sheet_of
from affray.engine.table.scenario_parts import Entrant, Scenario, packaged_sheets
from affray.events.facts.sheet import Sheet


def shipped(dialect: str) -> dict[str, str]:
    """Return the included sheets of a dialect: title by the name for `use`."""
    return {name: str(sheet.get("name", name)) for name, sheet in packaged_sheets(dialect).items()}


def shipped_sheet(dialect: str, use: str) -> Sheet:
    """Return an included sheet of a dialect. Raises BadScenario for an unknown one."""
    holder = Scenario(map=(), combatants=(), dialect=dialect, name=f"sheets of {dialect}")
    return sheet_of(holder, Entrant(id=use, side="", at=(0, 0), use=use))


def printed_sheet(dialect: str, text: str) -> tuple[Sheet, Sequence[Note]]:
    """Return the sheet of a printed stat block, and the parts of it that the sheet lacks or changes.

    Raises StatBlockError for an invalid text. Linear in the text.
    """
    block = read_block(text, dialect=dialect)
    return block.sheet, block.notes
