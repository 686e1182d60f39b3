"""The load that a combatant bears, where it is too much of one."""

from typing import Final

from affray.projections.state import Combatant

MEDIUM_LOAD: Final = "under a medium load"

HEAVY_LOAD: Final = "under a heavy load"

OVERLOADED: Final = "overloaded"

LOADS: Final = (MEDIUM_LOAD, HEAVY_LOAD, OVERLOADED)


def load_condition(combatant: Combatant) -> str:
    """Return the condition of a medium or heavier load that a combatant is in, "" for none."""
    return next((name for name in LOADS if name in combatant.conditions), "")
