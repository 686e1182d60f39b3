"""What a combatant has on just now, armor and shields, and which weapons a shield's arm wields."""

from collections.abc import Iterator

from affray.engine.rules.classes.ability_modifiers import wielded_in_two_hands
from affray.engine.rules.gear.held_weapons import OFF
from affray.events.facts.sheet import Weapon, Worn
from affray.projections.state import Combatant


def worn_now(combatant: Combatant) -> Iterator[Worn]:
    """Yield the armor and shields that a combatant has on."""
    for one in combatant.sheet.worn:
        if not combatant.items or combatant.items.get(one.name) not in OFF:
            yield one


def uses_shield_arm(weapon: Weapon) -> bool:
    """Say whether the arm that bears a buckler wields the weapon; bows and crossbows are free of it.

    srd35.armor.buckler, pf1.armor.buckler.
    """
    both = weapon.off_hand or wielded_in_two_hands(weapon)
    return both and weapon.family not in ("bow", "crossbow")
