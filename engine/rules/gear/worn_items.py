"""What a combatant has on just now, armor and shields, and which weapons a shield's arm wields."""

from collections.abc import Iterator
from typing import Final

from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import wielded_in_two_hands
from affray.engine.rules.defense.force_armor import is_of_force
from affray.engine.rules.gear.held_weapons import OFF
from affray.events.facts.sheet import Sheet, Weapon, Worn
from affray.projections.state import Combatant

SHIELD: Final = "shield"


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


def borne_shields(combatant: Combatant) -> list[str]:
    """Return the names of the shields on a combatant's arms, worn or told as parts of its defense."""
    names = (part.source or SHIELD for part in combatant.sheet.armor if part.kind == SHIELD)
    borne = (
        name for name in names if combatant.items.get(name) not in (*OFF, "stowed") and not is_of_force(name)
    )
    return list(dict.fromkeys(borne))


def shields_of_row(sheet: Sheet, row: str, word: str) -> list[str]:
    """Return the names of the shields of a row of the table, or without one and with a word in the name."""
    rows = {one.name: one.table for one in sheet.worn}
    names = [part.source for part in sheet.armor if part.kind == SHIELD]
    return [name for name in names if rows.get(name) == row or (not rows.get(name) and word in name)]


def shields_struck_with(blow: Blow) -> list[str]:
    """Return the shields that a bash with a shield leaves without guard: the one of its name, else all."""
    borne = borne_shields(blow.attacker)
    return [name for name in borne if name == blow.weapon.name] or borne


def borne_of_row(combatant: Combatant, row: str, word: str) -> list[str]:
    """Return those of the shields of a row that a combatant has on its arms."""
    borne = borne_shields(combatant)
    return [name for name in shields_of_row(combatant.sheet, row, word) if name in borne]
