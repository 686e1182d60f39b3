"""What a combatant has on and bears just now: armor and shields, and too much of a load."""

from collections.abc import Iterator
from typing import Final

from affray.engine.rules.gear.held_weapons import OFF
from affray.events.facts.sheet import Worn
from affray.projections.state import Combatant

MEDIUM_LOAD: Final = "under a medium load"

HEAVY_LOAD: Final = "under a heavy load"

OVERLOADED: Final = "overloaded"

LOADS: Final = (MEDIUM_LOAD, HEAVY_LOAD, OVERLOADED)


def worn_now(combatant: Combatant) -> Iterator[Worn]:
    """Yield the armor and shields that a combatant has on."""
    for one in combatant.sheet.worn:
        if not combatant.items or combatant.items.get(one.name) not in OFF:
            yield one


def load_condition(combatant: Combatant) -> str:
    """Return the condition of a medium or heavier load that a combatant is in, "" for none."""
    return next((name for name in LOADS if name in combatant.conditions), "")
