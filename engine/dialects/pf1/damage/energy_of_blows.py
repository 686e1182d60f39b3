"""Energy of a blow: damage reduction leaves it alone, resistance meets each type (pf1.dr.rules)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.damage.energies import energies_of, reduce_by_best, resist_energy
from affray.engine.rules.damage.weapon_damage import spared_from


def deals_energy(fight: Fight, harm: Harm) -> bool:
    """Say whether some of what a blow deals is energy, or all of it."""
    return harm.struck and bool(energies_of(harm))


def reduce_apart(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what is left of a blow whose energy damage reduction ignores, and what took the rest.

    Resistance is taken off the energy of its type, for each attack (pf1.dr.rules, pf1.energy.resistance).
    """
    spared = spared_from(fight, harm)
    if spared is not None:
        return spared
    energies = energies_of(harm)
    physical = harm.amount - sum(energies.values())
    left, why = reduce_by_best(fight, harm, physical) if physical > 0 else (0, "")
    reasons = [why]
    for kind, amount in energies.items():
        kept, why = resist_energy(fight, harm, kind, amount)
        left += kept
        reasons.append(why)
    return left, "; ".join(filter(None, reasons))
