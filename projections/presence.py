"""That facts are about combatants who have entered."""

from affray.events.facts.base import MOST_COMBATANTS
from affray.projections.state import Encounter


def there(state: Encounter, *several: tuple[str, ...]) -> None:
    """Raise LookupError for an id of somebody who never entered."""
    for ids in several:
        for id in ids:
            if id not in state.combatants:
                raise LookupError(f"{id!r} has never entered")


def in_order(state: Encounter, order: tuple[str, ...]) -> tuple[str, ...]:
    """Return an order of turns. Raises LookupError unless it names combatants who entered, each once."""
    once = set(order)
    if not once <= state.combatants.keys():
        there(state, order)
    if len(once) < len(order):
        raise LookupError("the order names a combatant twice")
    return order


def new(state: Encounter, id: str) -> None:
    """Raise LookupError for the id of a combatant who has entered before, and for one too many."""
    if len(state.combatants) >= MOST_COMBATANTS:
        raise LookupError(f"a fight holds at most {MOST_COMBATANTS} combatants")
    if id in state.combatants:
        raise LookupError(f"{id!r} has entered already")
