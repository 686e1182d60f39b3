"""Kinds of weapons that rules speak of: how one is gripped, crossbows by size."""

from affray.events.facts.sheet import Weapon


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
