"""In the water: who stands, swims or drifts, and how it fights there (srd35.hazard.water-combat)."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow, Harm
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ConditionGained
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

COMBAT = "srd35.hazard.water-combat"

IN_WATER, OFF_BALANCE = "in water", "off balance"

#: How one is in the water: on firm ground, swimming, or neither.
FOOTING, SWIMMING, ADRIFT = "footing", "swimming", "no footing"

FREE = "freedom of movement"

#: Kinds of damage that water takes the force from.
SWUNG = ("slashing", "bludgeoning")


def immersed(fight: Fight, combatant: Combatant, degree: str) -> Steps[None]:
    """Put somebody in water: with firm footing, swimming, or without either off balance.

    srd35.hazard.water-combat.
    """
    rule = fight.rule(COMBAT)
    source = degree or FOOTING
    if source not in (FOOTING, SWIMMING, ADRIFT):
        raise Refusal(f"one is in water by {FOOTING}, {SWIMMING}, {ADRIFT}, not {degree!r}", rule)
    yield ConditionGained(who=combatant.id, condition=IN_WATER, source=source, cites=(rule,))
    if source == ADRIFT and not combatant.sheet.swim and FREE not in combatant.sheet.traits:
        yield ConditionGained(who=combatant.id, condition=OFF_BALANCE, source=ADRIFT, cites=(rule,))


def hindered_by_water(combatant: Combatant) -> bool:
    """Say whether water hinders somebody's blows."""
    return IN_WATER in combatant.conditions and FREE not in combatant.sheet.traits


def water_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what water does to an attack: swung weapons, missiles, and opponents off balance."""
    parts: list[Modifier] = []
    attacker, target = blow.attacker, blow.target
    if not (attacker.conditions or target.conditions):
        return parts
    rule = fight.rule(COMBAT)
    if IN_WATER in attacker.conditions:
        if blow.melee and hindered_by_water(attacker) and weighed_down(attacker, blow):
            parts.append(fight.modifier(COMBAT, "attack", kind="penalty", source="in water"))
        elif not blow.melee and blow.weapon.family != "spell":
            per = fight.figure(COMBAT, "ranged_per_5ft") * (blow.distance // SQUARE_FT)
            parts.append(Modifier(per, "penalty", f"through {blow.distance} ft. of water", rule))
    if OFF_BALANCE in target.conditions:
        parts.append(
            fight.modifier(COMBAT, "off_balance_vs", kind="circumstance", source=f"{target.id} off balance")
        )
    return parts


def weighed_down(attacker: Combatant, blow: Blow) -> bool:
    """Say whether a weapon is swung against the water; a tail is not, by those who have a swim speed."""
    if "tail" in blow.weapon.name and attacker.sheet.swim:
        return False
    return blow.weapon.damage_type in SWUNG


def water_cover(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the improved cover of those in the water against who stands on land."""
    if IN_WATER not in blow.target.conditions or IN_WATER in blow.attacker.conditions:
        return []
    if blow.target.conditions[IN_WATER].source == FOOTING:
        return []
    blow.cites.append(fight.rule(COMBAT))
    return [fight.modifier("srd35.cover.improved", "ac", kind="cover", source="half under water")]


def halved_in_water(fight: Fight, harm: Harm, found: tuple[int, str]) -> tuple[int, str]:
    """Return what is left of damage, and what took the rest: water takes half of a swung weapon's.

    srd35.hazard.water-combat.
    """
    attacker, weapon = harm.attacker, harm.weapon
    if attacker is None or weapon is None or not hindered_by_water(attacker) or weapon.wield == "projectile":
        return found
    if not weighed_down(attacker, Blow(attacker, harm.target, weapon, True, 0)):
        return found
    energy = sum(harm.energies.values())
    harm.amount = int((harm.amount - energy) * fight.figure(COMBAT, "damage")) + energy
    harm.reduced_by += (fight.rule(COMBAT),)
    return harm.amount, "half in water"


def wading_feet(fight: Fight, combatant: Combatant, feet: int) -> int:
    """Return what water leaves of a speed to who stands in it."""
    return int(feet * fight.figure(COMBAT, "footing_speed")) if hindered_by_water(combatant) else feet
