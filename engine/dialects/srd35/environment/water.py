"""What only 3.5 says of water: missiles through it, cover from land (srd35.hazard.water-combat)."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.environment.in_water import COMBAT, FOOTING, IN_WATER, SWUNG
from affray.engine.rules.environment.water import loses_half
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def shot_through_water(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what water takes off a missile that is shot in it: more the farther it goes."""
    if blow.weapon.family == "spell":
        return []
    per = fight.figure(COMBAT, "ranged_per_5ft") * (blow.distance // SQUARE_FT)
    return [Modifier(per, "penalty", f"through {blow.distance} ft. of water", fight.rule(COMBAT))]


def drags(fight: Fight, attacker: Combatant, weapon: Weapon) -> bool:
    """Say whether a weapon is swung against the water; a tail is not, by those who have a swim speed."""
    if weapon.wield == "projectile" or ("tail" in weapon.name and attacker.sheet.swim):
        return False
    return weapon.damage_type in SWUNG


def halved_in_water(fight: Fight, harm: Harm, found: tuple[int, str]) -> tuple[int, str]:
    """Return what is left of damage, and what took the rest: water takes half of that of a swung weapon."""
    return (harm.amount, "half in water") if loses_half(fight, harm) else found


def water_cover(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the improved cover of those in the water against who stands on land."""
    if IN_WATER not in blow.target.conditions or IN_WATER in blow.attacker.conditions:
        return []
    if blow.target.conditions[IN_WATER].source == FOOTING:
        return []
    blow.cites.append(fight.rule(COMBAT))
    return [fight.modifier("srd35.cover.improved", "ac", kind="cover", source="half under water")]
