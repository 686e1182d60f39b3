"""Files of sheets that several scenarios share."""

from functools import lru_cache
from pathlib import Path

from affray.engine.table.scenario_fields import Sheets
from affray.engine.table.scenario_text import BadScenario, converted, place_named, read_text, read_toml


def read_sheets(name: str, where: str, within: Path | None = None) -> Sheets:
    """Return the sheets of a file of sheets that the file `where` names (see `place_named`)."""
    path, folder = place_named(name, where, within)
    try:
        return _sheets_in(read_text(path, folder), str(path))
    except BadScenario as fault:
        raise BadScenario(f"{where}: sheets_from: {fault}") from None


@lru_cache(maxsize=4)
def _sheets_in(text: str, where: str) -> Sheets:
    # Tables that stand side by side name one file: its text is taken apart once.
    sheets: Sheets = converted(read_toml(text, where), Sheets, where)
    return sheets
