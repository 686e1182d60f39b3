"""Energy dealt along with a blow: how much of it is of which type."""

from affray.engine.record.blow import Harm
from affray.engine.rules.damage.weapon_damage import ENERGY


def energies_of(harm: Harm) -> dict[str, int]:
    """Return how much of a harm is energy of which type: what an energy deals by itself is so wholly."""
    kind = harm.damage_type
    if not harm.energy and kind not in ENERGY:
        return harm.energies
    beside = sum(amount for other, amount in harm.energies.items() if other != kind)
    return {**harm.energies, kind: harm.amount - beside}
