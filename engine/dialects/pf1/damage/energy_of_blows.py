"""Energy: damage reduction leaves it alone, vulnerability and resistance meet each type.

pf1.dr.rules, pf1.energy.resistance.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.conditions.immunities import spared_nonlethal, take_off_immune
from affray.engine.rules.damage.energies import energies_of, energy_left, reduce_by_best, resist_energy
from affray.engine.rules.damage.weapon_damage import shrugged_off

RESISTANCE: Final = "pf1.energy.resistance"


def deals_energy(fight: Fight, harm: Harm) -> bool:
    """Say whether some of a harm is energy, or all of it."""
    return bool(energies_of(harm))


def half_again(fight: Fight, harm: Harm, kind: str, amount: int) -> tuple[int, str]:
    """Return what an energy deals to its target, half again to the vulnerable (pf1.energy.resistance)."""
    if not has_trait(harm.target, f"vulnerability to {kind}"):
        return amount, ""
    harm.reduced_by += fight.rules(RESISTANCE)
    return int(amount * fight.figure(RESISTANCE, "vulnerability")), f"vulnerability to {kind}"


def reduce_apart(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what is left of harm whose energy damage reduction ignores, and what took the rest.

    Resistance is taken off the energy of its type, for each attack; to the vulnerable it is half again as
    much, before or after that (pf1.dr.rules, pf1.energy.resistance).
    """
    changed = shrugged_off(fight, harm)
    if spared := spared_nonlethal(fight, harm):
        return 0, spared
    immune = take_off_immune(fight, harm, energies_of(harm), apart=True)
    energies = energies_of(harm)
    physical = harm.amount - sum(energies.values())
    left, why = reduce_by_best(fight, harm, physical) if physical > 0 else (0, "")
    reasons = [changed, immune, why]
    for kind, amount in energies.items():
        kept, why = energy_left(fight, harm, kind, amount, half_again, resist_energy)
        left += kept
        reasons.append(why)
    return left, "; ".join(filter(None, reasons))
