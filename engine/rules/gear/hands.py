"""Hands: how many a creature has, and what takes them."""

from typing import Final

from affray.engine.rules.gear.held_weapons import OFF, SPIKES, counted_arms
from affray.projections.state import Combatant

#: Shields that are strapped to the arm and leave its hand free, and shields that no hand holds.
STRAPPED: Final = ("buckler", "Two-Weapon Defense")


def hands_taken(combatant: Combatant, apart_from: str = "") -> int:
    """Return how many hands hold something or bear a shield; those on one item may be left out.

    A bow that does not shoot is held in one; a buckler takes none, nor do armor spikes.
    """
    weapons = {one.name: one for one in combatant.sheet.weapons}
    held = 0
    for name in combatant.held:
        weapon = weapons.get(name)
        bare = weapon is not None and (weapon.wield in ("natural", "unarmed") or weapon.table == SPIKES)
        if name == apart_from or bare:
            continue
        held += 1 if weapon is None or weapon.wield == "projectile" else max(1, weapon.hands)
    shields = sum(
        part.kind == "shield"
        and not any(name in part.source for name in STRAPPED)
        and combatant.items.get(part.source) not in OFF
        for part in combatant.sheet.armor
    )
    return held + shields


def hands_left(combatant: Combatant, item: str) -> int:
    """Return how many hands nothing takes but this item."""
    return counted_arms(combatant) - hands_taken(combatant, item)
