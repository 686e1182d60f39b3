"""Kinds of weapons that rules speak of: how one is gripped, crossbows by size, those that unfold."""

from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def is_unfolded(holder: Combatant, weapon: Weapon) -> bool:
    """Say whether a net has been thrown, or was unfolded from the start, and not folded since."""
    started = int("unfolded" in weapon.traits)
    return started + holder.resources.get(f"throws of the {weapon.name}", 0) > 0


def crossbow_class(weapon: Weapon) -> str:
    """Return "hand", "light" or "heavy" for a crossbow, by its row or name, repeating or not."""
    name = weapon.table or weapon.name
    return next((size for size in ("hand", "heavy") if size in name), "light")


def grip_category(weapon: Weapon) -> str:
    """Return how a weapon is wielded where feats tell ways apart.

    "one-handed", "two-handed" (any but a light weapon in both hands), "light" or "unarmed_or_natural".
    """
    if weapon.wield in ("unarmed", "natural"):
        return "unarmed_or_natural"
    if weapon.wield == "light":
        return "light"
    return "two-handed" if weapon.hands == 2 or weapon.wield == "two-handed" else "one-handed"
