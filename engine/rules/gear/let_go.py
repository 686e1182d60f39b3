"""Items that leave the hand, dropped or put away: what is unloaded then is unloaded when it is taken up."""

from collections.abc import Iterator
from typing import Final

from affray.events.facts.combat import ItemChanged
from affray.projections.state import Combatant

#: The state of a weapon that has been shot and not loaded since.
UNLOADED: Final = "unloaded"


def let_go(holder: Combatant, item: str, state: str, cites: tuple[str, ...]) -> ItemChanged:
    """Return that an item leaves the hand of its holder, "dropped" or "stowed", loaded or not as it is.

    srd35.weapons.reload, pf1.actions-table.move, futurepath.action.load-weapon.move,
    woa.items.manipulate-move.
    """
    unloaded = holder.items.get(item) == UNLOADED
    return ItemChanged(who=holder.id, item=item, state=state, unloaded=unloaded, cites=cites)


def drop_all(holder: Combatant, cites: tuple[str, ...]) -> Iterator[ItemChanged]:
    """Yield that all the holder has in hand falls to the ground."""
    for item in holder.held:
        yield let_go(holder, item, "dropped", cites)
