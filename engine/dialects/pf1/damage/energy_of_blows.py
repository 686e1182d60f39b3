"""Energy of a blow: damage reduction leaves it alone, resistance meets each type (pf1.dr.rules)."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.damage.energies import energies_of
from affray.engine.rules.damage.weapon_damage import reduce


def deals_energy(fight: Fight, harm: Harm) -> bool:
    """Say whether some of what a blow deals is energy, or all of it."""
    return harm.struck and bool(energies_of(harm))


def reduce_apart(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what is left of a blow whose energy damage reduction ignores, and what took the rest.

    Resistance is taken off the energy of its type, for each attack (pf1.dr.rules, pf1.energy.resistance).
    """
    energies = energies_of(harm)
    shares = [(harm.damage_type, harm.amount - sum(energies.values()), False)]
    shares += [(kind, amount, True) for kind, amount in energies.items()]
    left, why = 0, []
    for kind, amount, is_energy in shares:
        if amount > 0:
            share = replace(harm, amount=amount, damage_type=kind, energy=is_energy)
            share.energies, share.reduced_by = {}, ()
            kept, reason = reduce(fight, share)
            left += kept
            why += [reason] if reason and reason not in why else []
            harm.reduced_by += share.reduced_by
    return left, "; ".join(why)
