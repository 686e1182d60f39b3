"""What is worn or borne in srd35: shields that hamper the arm, and loads."""

from typing import Final

from affray.projections.state import Combatant

MEDIUM_LOAD: Final = "under a medium load"

HEAVY_LOAD: Final = "under a heavy load"

OVERLOADED: Final = "overloaded"

#: The rows of bucklers and tower shields in the table, and what is in the name of one that has no row.
BUCKLER: Final = ("buckler", "buckler")
TOWER: Final = ("shield, tower", "tower shield")

LOADS: Final = (MEDIUM_LOAD, HEAVY_LOAD, OVERLOADED)


def load_condition(combatant: Combatant) -> str:
    """Return the condition of a medium or heavier load that a combatant is in, "" for none."""
    return next((name for name in LOADS if name in combatant.conditions), "")
