"""Objects in hand or worn: how big they are besides, and bonds (srd35.sunder.*, srd35.object.*)."""

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.item_hardness import durability, durability_of_armor
from affray.events.facts.sheet import SIZES
from affray.projections.state import Combatant

#: Handling classes that say how big a weapon is as an object.
HANDLED = ("light", "one-handed", "two-handed")

#: How big a net or bonds are, as something to strike at.
BONDS_SIZE = "small"


class Sturdiness(Struct, frozen=True, gc=False):
    """Size category, hardness and hit points of an object, and the rules that say so."""

    size: str
    hardness: int
    hp: int
    cites: tuple[str, ...]


def sturdiness(fight: Fight, holder: Combatant, item: str) -> Sturdiness | None:
    """Return how sturdy an object of a combatant is and how big, None for one of which no table speaks.

    A weapon is an object of a size by its handling (srd35.weapons.category-object-size); armor counts where
    it lies or hangs about (srd35.sunder.armor-hardness-material).
    """
    found = durability(fight, holder, item)
    if found is None:
        return armor_or_bonds(fight, holder, item)
    size, cites = holder.sheet.size, found.cites
    weapon = next((one for one in holder.sheet.weapons if one.name == item), None)
    if weapon is not None and weapon.wield in HANDLED:
        size = SIZES[
            max(0, SIZES.index(size) + fight.figure("srd35.weapons.category-object-size", weapon.wield))
        ]
        cites += fight.rules("srd35.weapons.category-object-size") if size != holder.sheet.size else ()
    return Sturdiness(size, found.hardness, found.hp, cites)


def armor_or_bonds(fight: Fight, holder: Combatant, item: str) -> Sturdiness | None:
    """Return how sturdy armor that is off is, or the net or bonds that hold a combatant."""
    armor = next((one for one in holder.sheet.worn if one.name == item and one.kind == "armor"), None)
    if armor is None:
        bonds = fight.dialect.grapple.bonds(fight, holder, item)
        return Sturdiness(BONDS_SIZE, bonds[0], bonds[1], (bonds[2],)) if bonds is not None else None
    found = durability_of_armor(fight, holder, armor)
    return Sturdiness(holder.sheet.size, found.hardness, found.hp, found.cites)
