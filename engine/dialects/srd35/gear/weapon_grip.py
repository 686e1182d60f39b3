"""How a weapon is gripped."""

from affray.events.facts.sheet import Weapon


def grip(weapon: Weapon) -> str:
    """Return how a weapon is wielded where feats tell ways apart.

    "one-handed", "two-handed" (any but a light weapon in both hands), "light" or "unarmed_or_natural".
    """
    if weapon.wield in ("unarmed", "natural"):
        return "unarmed_or_natural"
    if weapon.wield == "light":
        return "light"
    return "two-handed" if weapon.hands == 2 or weapon.wield == "two-handed" else "one-handed"
