"""Substances that are thrown, by the rows of their table (srd35.gear.splash-table, pf1.gear.splash-ref)."""

from typing import Any, Final

from affray.engine.book import UnknownFigure
from affray.engine.fight.fight import Fight

TABLE: Final = "gear.splash-table"
#: The trait of weapons that break on impact and splash.
SPLASH: Final = "splash"
#: The state of what has been made ready to be thrown.
PREPARED: Final = "loaded"


def substance_row(fight: Fight, name: str) -> dict[str, Any]:
    """Return what the table says of a substance; an unlisted one splashes like acid, with its own damage."""
    try:
        row: dict[str, Any] = fight.figure(TABLE, f"item={name}")
    except UnknownFigure:
        return {}
    # Oil that burns is as bad as alchemist's fire.
    return {**fight.figure(TABLE, f"item={row['as']}"), **row} if "as" in row else row
