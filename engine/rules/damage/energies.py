"""Energy dealt along with a blow, and what resistance and damage reduction take off (pf1.dr.rules)."""

from collections.abc import Callable

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm

Against = Callable[[Fight, Harm, str, int], tuple[int, str]]
"""What a part of a creature's nature leaves of so much energy of a kind, and why."""

ENERGY = frozenset({"acid", "cold", "electricity", "fire", "sonic"})


def energies_of(harm: Harm) -> dict[str, int]:
    """Return how much of a harm is energy of which type: what an energy deals by itself is so wholly."""
    kind = harm.damage_type
    if not harm.energy and kind not in ENERGY:
        return harm.energies
    beside = sum(amount for other, amount in harm.energies.items() if other != kind)
    return {**harm.energies, kind: harm.amount - beside}


def resist_energy(fight: Fight, harm: Harm, kind: str, amount: int) -> tuple[int, str]:
    """Return what resistance leaves of so much energy of a kind, and what took the rest.

    srd35.energy.resistance, pf1.energy.resistance, futurepath.assumed.resistance.
    """
    resisted = min(amount, harm.target.sheet.resistances.get(kind, 0))
    if resisted:
        harm.reduced_by += (fight.rule("energy.resistance"),)
    return amount - resisted, f"resistance to {kind} {resisted}" if resisted else ""


def energy_left(
    fight: Fight, harm: Harm, kind: str, amount: int, worsen: Against, resist: Against
) -> tuple[int, str]:
    """Return what is left of an energy after resistance and vulnerability, in the order in force.

    The texts name no order: the option `vulnerability_order` says which comes first (srd35.energy.resistance,
    srd35.energy.vulnerability, pf1.energy.resistance).
    """
    steps = (
        (resist, worsen) if fight.option("vulnerability_order") == "resistance-first" else (worsen, resist)
    )
    reasons = []
    for step in steps:
        amount, why = step(fight, harm, kind, amount)
        reasons.append(why)
    return amount, "; ".join(filter(None, reasons))


def reduce_by_best(fight: Fight, harm: Harm, amount: int) -> tuple[int, str]:
    """Return what the best damage reduction that applies leaves of a blow, and what took the rest.

    pf1.dr.rules, futurepath.assumed.reduction.
    """
    best = 0
    kinds = (harm.damage_type, *(harm.weapon.traits if harm.weapon else ()))
    for reduction in harm.target.sheet.reductions if harm.struck else ():
        if any(kind in reduction.bypass for kind in kinds):
            continue
        if not fight.dialect.damage.overcomes(fight, harm, reduction):
            best = max(best, reduction.amount - fight.dialect.damage.pierced(fight, harm, reduction))
    if best:
        harm.reduced_by += (fight.rule("dr.basic"),)
        return max(0, amount - best), f"damage reduction {best}"
    return amount, ""
