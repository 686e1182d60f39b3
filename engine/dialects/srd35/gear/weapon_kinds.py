"""Kinds of weapons that rules speak of: crossbows by their size, and those that unfold."""

from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def is_unfolded(who: Combatant, weapon: Weapon) -> bool:
    """Say whether a net has been thrown, or was unfolded from the start, and not folded since."""
    started = int("unfolded" in weapon.traits)
    return started + who.resources.get(f"throws of the {weapon.name}", 0) > 0


def crossbow_class(weapon: Weapon) -> str:
    """Return "hand", "light" or "heavy" for a crossbow, by its row or name, repeating or not."""
    name = weapon.table or weapon.name
    return next((size for size in ("hand", "heavy") if size in name), "light")
