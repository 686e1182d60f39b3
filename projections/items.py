"""What becomes of the items of a combatant, fact by fact: in hand, put away, lying somewhere, unloaded."""

from msgspec.structs import replace

from affray.events.facts.base import Square
from affray.events.facts.combat import ItemChanged
from affray.projections.handlers import folds
from affray.projections.state import Combatant, Encounter


@folds(ItemChanged, touches="combatants")
def follow(state: Encounter, fact: ItemChanged) -> None:
    """Note that an item is held, stowed, dropped, loaded, unloaded, broken or gone, and where it lies."""
    combatant = state.combatants[fact.who]
    others = tuple(item for item in combatant.held if item != fact.item)
    if fact.state in ("loaded", "unloaded"):
        combatant.items[fact.item] = fact.state
        return
    combatant.held = (*others, fact.item) if fact.state == "held" else others
    if fact.at is not None:
        lay(state.combatants[fact.of] if fact.of else combatant, fact, fact.at)
    if fact.of:
        taken(state.combatants[fact.of], combatant, fact)
    if fact.unloaded:
        combatant.unloaded = (*combatant.unloaded, fact.item)
    if fact.state == "held" and fact.item in combatant.unloaded:
        combatant.unloaded = tuple(item for item in combatant.unloaded if item != fact.item)
        combatant.items[fact.item] = "unloaded"
    elif fact.state == "held":
        combatant.items.pop(fact.item, None)
    else:
        combatant.items[fact.item] = fact.state


def taken(owner: Combatant, taker: Combatant, fact: ItemChanged) -> None:
    """Note that an item of one is another's, whose sheet knows the weapon from now on: a single one.

    Its missiles stay where they are, it is in one hand where that is enough, and made for its owner's size.
    """
    if owner.items.get(fact.item) == "dropped" and fact.item not in owner.lying:
        owner.items[fact.item] = "gone"
    found = next((one for one in owner.sheet.weapons if one.name == fact.item), None)
    if found is None or fact.unwieldy or any(one.name == fact.item for one in taker.sheet.weapons):
        return
    size = found.size or (owner.sheet.size if owner.sheet.size != taker.sheet.size else "")
    left = 0 if found.wield == "projectile" and found.ammunition is not None else None
    hands = 1 if found.wield in ("light", "one-handed") else found.hands
    single = replace(found, size=size, ammunition=left, hands=hands, off_hand=False)
    taker.sheet = replace(taker.sheet, weapons=(*taker.sheet.weapons, single))


def lay(combatant: Combatant, fact: ItemChanged, at: Square) -> None:
    """Note where an item has come to lie, or that it does not lie there any more."""
    places = combatant.lying.pop(fact.item, ())
    if fact.state == "dropped":
        places = (*places, at)
    elif at in places:
        taken = places.index(at)
        places = (*places[:taken], *places[taken + 1 :])
    if places:
        combatant.lying[fact.item] = places
