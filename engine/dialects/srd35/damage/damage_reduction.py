"""What a creature shrugs off: damage reduction, energy resistance, regeneration; and what hurts it more.

srd35.dr.*, srd35.energy.*, srd35.regeneration, srd35.damage.types.
"""

import re

from affray.engine.dialects.srd35.classes.monk_levels import at_level
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.levels import class_level
from affray.engine.rules.conditions.immunities import immunity_to, spared_nonlethal
from affray.engine.rules.damage.energies import energies_of, energy_left
from affray.engine.rules.damage.weapon_damage import shrugged_off
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import ResourceSpent

#: Whoever is immune to the one is vulnerable to the other.
OPPOSITE = {"fire": "cold", "cold": "fire"}
_JOINED = re.compile(r" and | or ")


def reduce_by_nature(fight: Fight, harm: Harm, found: tuple[int, str]) -> tuple[int, str]:
    """Return what the nature of the target leaves of damage, and all that has taken the rest."""
    left, why = reduce(fight, harm)
    return left, "; ".join(filter(None, (found[1], why)))


def reduce(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what is left of damage, and what took the rest.

    A blow itself meets damage reduction, the best that applies; a fall or a fire does not. Energy dealt along
    with a blow meets immunity, vulnerability and resistance of its own type. All damage to a regenerating
    creature is nonlethal but that of the kinds which it cannot grow back from (srd35.dr.basic,
    srd35.energy.*, srd35.regeneration).
    """
    sheet = harm.target.sheet
    why = [shrugged_off(fight, harm)]
    if spared := spared_nonlethal(fight, harm):
        return 0, spared
    energies = energies_of(harm)
    physical = harm.amount - sum(energies.values())
    if physical > 0 and sheet.traits and (immunity := immunity_to(fight, harm.target, harm.damage_type)):
        harm.reduced_by += (immunity.rule,)
        why.append(f"immunity to {harm.damage_type}")
        physical = 0
    kinds = kinds_of(harm)
    own = own_reduction(fight, harm) if sheet.classes else 0
    if (sheet.reductions or own) and physical > 0 and harm.struck:
        physical, reason = reduced_by_best(fight, harm, physical, kinds, own)
        harm.soaked = physical == 0
        why.append(reason)
    left = {}
    for kind, amount in energies.items():
        left[kind], reason = against_energy(fight, harm, kind, amount)
        why.append(reason)
    if sheet.regeneration:
        lethal = physical if any(kind in sheet.lethal for kind in kinds) else 0
        lethal += sum(amount for kind, amount in left.items() if kind in sheet.lethal)
        harm.lethal = 0 if harm.nonlethal else lethal
        if harm.lethal < physical + sum(left.values()):
            harm.nonlethal = True
            harm.reduced_by += (fight.rule("srd35.regeneration"),)
            why.append("nonlethal to a regenerating creature")
    return physical + sum(left.values()), "; ".join(filter(None, why))


def kinds_of(harm: Harm) -> tuple[str, ...]:
    """Return what a blow counts as: all the types of damage that it joins, and what its weapon is."""
    return (*_JOINED.split(harm.damage_type), *(harm.weapon.traits if harm.weapon else ()))


def reduced_by_best(
    fight: Fight, harm: Harm, amount: int, kinds: tuple[str, ...], own: int
) -> tuple[int, str]:
    """Return what damage reduction leaves of a blow: the best one that it does not pass counts.

    `own` is one that nothing passes and that the sheet does not list (srd35.dr.basic, srd35.dr.no-stack).
    """
    reductions = harm.target.sheet.reductions
    apply = [one.amount for one in reductions if not any(kind in one.bypass for kind in kinds)]
    if _JOINED.search(harm.damage_type) and any(one.bypass for one in reductions):
        harm.reduced_by += (fight.rule("srd35.damage.types"),)
    if own > max(apply, default=0):
        harm.reduced_by += fight.rules("srd35.class.barbarian-dr", "srd35.dr.basic")
        return max(0, amount - own), f"damage reduction {own}/-"
    if not apply or not max(apply):
        return amount, ""
    harm.reduced_by += (fight.rule("srd35.dr.basic"),)
    if len(apply) > 1:
        harm.reduced_by += (fight.rule("srd35.dr.no-stack"),)
    best = max(apply)
    return max(0, amount - best), f"damage reduction {best}"


def against_energy(fight: Fight, harm: Harm, kind: str, amount: int) -> tuple[int, str]:
    """Return what is left of energy damage of a type, after immunity, resistance and vulnerability."""
    if immunity := immunity_to(fight, harm.target, kind):
        harm.reduced_by += (immunity.rule,)
        return 0, f"immunity to {kind}"
    return energy_left(fight, harm, kind, amount, half_again, resist)


def half_again(fight: Fight, harm: Harm, kind: str, amount: int) -> tuple[int, str]:
    """Return what an energy deals to its target, half again to the vulnerable.

    srd35.energy.vulnerability.
    """
    traits, other = harm.target.sheet.traits, OPPOSITE.get(kind)
    if f"vulnerability to {kind}" not in traits and (not other or f"immunity to {other}" not in traits):
        return amount, ""
    harm.reduced_by += (fight.rule("srd35.energy.vulnerability"),)
    more = int(amount * fight.figure("srd35.energy.vulnerability", "multiplier"))
    return more, f"vulnerability to {kind}"


def resist(fight: Fight, harm: Harm, kind: str, amount: int) -> tuple[int, str]:
    """Return what resistance leaves of an energy, and what took the rest (srd35.energy.resistance)."""
    resistance = harm.target.sheet.resistances.get(kind, 0)
    if resistance and fight.option("energy_resistance_scope") == "each-round":
        resistance = max(0, resistance - harm.target.resources.get(name_for_round(fight, kind), 0))
        harm.resisted[kind] = min(amount, resistance)
    resisted = min(amount, resistance)
    if resisted:
        harm.reduced_by += (fight.rule("srd35.energy.resistance"),)
    return amount - resisted, f"resistance to {kind} {resisted}" if resisted else ""


def name_for_round(fight: Fight, kind: str) -> str:
    """Return the name under which what resistance to an energy took off in this round is counted."""
    return f"resistance to {kind}, round {fight.state.round}"


def note_resistance_used(fight: Fight, harm: Harm) -> Steps[None]:
    """Note what resistance has taken off, where it counts once a round (energy_resistance_scope)."""
    for kind, amount in harm.resisted.items():
        if amount:
            name = name_for_round(fight, kind)
            cites = (fight.rule("srd35.energy.resistance"),)
            yield ResourceSpent(who=harm.target.id, resource=name, amount=amount, cites=cites)


def chosen_kind(fight: Fight, blow: Blow) -> Steps[str]:
    """Return the type of damage that the wielder chooses where a weapon has one or the other.

    It is asked only where something about the target may depend on it (srd35.damage.types).
    """
    kinds = tuple(blow.weapon.damage_type.split(" or "))
    if not (blow.target.sheet.reductions or blow.target.sheet.regeneration):
        return blow.weapon.damage_type
    answer = yield Choice(
        blow.attacker.id,
        "damage-type",
        f"does the {blow.weapon.name} deal {' or '.join(kinds)} damage?",
        kinds,
        fight.rule("srd35.damage.types"),
    )
    return answer if answer in kinds else kinds[0]


def own_reduction(fight: Fight, harm: Harm) -> int:
    """Return the damage reduction that a barbarian has of his own, whatever strikes; 0 for none.

    srd35.class.barbarian-dr.
    """
    level = class_level(harm.target, "barbarian")
    if not level:
        return 0
    return int(at_level(fight.figure("srd35.class.barbarian-dr"), level) or 0)
