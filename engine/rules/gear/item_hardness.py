"""Objects: how hard they are and what they stand (srd35.sunder.table-hardness-hp, srd35.object.*)."""

from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def shield_of(holder: Combatant, item: str) -> bool:
    """Say whether an item is the shield of a combatant."""
    return any(bonus.kind == "shield" and (bonus.source or "shield") == item for bonus in holder.sheet.armor)


def weapon_row(weapon: Weapon) -> str:
    """Return the row of the table for a weapon: by handling, and by the trait "hafted" or "metal-hafted"."""
    if weapon.wield == "projectile":
        return "Projectile weapon"
    hands = {"two-handed": "Two-handed", "one-handed": "One-handed"}.get(weapon.wield, "Light")
    if "metal-hafted" in weapon.traits and hands != "Two-handed":
        return f"{hands} metal-hafted weapon"
    hafted = "hafted" in weapon.traits or "metal-hafted" in weapon.traits
    return f"{hands} hafted weapon" if hafted else f"{hands} blade"


def shield_row(name: str) -> str:
    """Return the row of the table for a shield by its name; steel unless the name says wooden."""
    if "buckler" in name:
        return "Buckler"
    if "tower" in name:
        return "Tower shield"
    weight = "Light" if "light" in name else "Heavy"
    return f"{weight} {'wooden' if 'wooden' in name else 'steel'} shield"


def is_held(holder: Combatant, item: str) -> bool:
    """Say whether an item is in its bearer's hands or on its arm, and not merely worn."""
    return item in holder.held or shield_of(holder, item)
