"""Energy of a blow: damage reduction leaves it alone, resistance meets each type (pf1.dr.rules)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.natures import nature_among
from affray.engine.rules.damage.energies import energies_of, reduce_by_best, resist_energy
from affray.engine.rules.damage.weapon_damage import shrugged_off


def deals_energy(fight: Fight, harm: Harm) -> bool:
    """Say whether some of what a blow deals is energy, or all of it."""
    return harm.struck and bool(energies_of(harm))


def reduce_apart(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what is left of a blow whose energy damage reduction ignores, and what took the rest.

    Resistance is taken off the energy of its type, for each attack (pf1.dr.rules, pf1.energy.resistance).
    """
    shrugged = shrugged_off(fight, harm)
    if shrugged is not None:
        return shrugged
    if harm.nonlethal and (nature := nature_among(harm.target, fight.figure("pf1.nonlethal.immune"))):
        harm.reduced_by += (fight.rule("pf1.nonlethal.immune"),)
        return 0, f"{nature} is immune to nonlethal damage"
    energies = energies_of(harm)
    physical = harm.amount - sum(energies.values())
    left, why = reduce_by_best(fight, harm, physical) if physical > 0 else (0, "")
    reasons = [why]
    for kind, amount in energies.items():
        kept, why = resist_energy(fight, harm, kind, amount)
        left += kept
        reasons.append(why)
    return left, "; ".join(filter(None, reasons))
