"""Fighting in the water: what it does to blows, shots and sight (woa.water.*)."""

from affray.engine.dialects.woa.environment import water
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The trait of weapons that are like spears and crossbows in the water.
THRUSTS = "like a spear"


def is_unslowed_by_water(fight: Fight, weapon: Weapon) -> bool:
    """Say whether water takes nothing off a weapon: spears, crossbows and the like.

    woa.water.piercing-exception.
    """
    listed = fight.figure("woa.water.piercing-exception")
    name = weapon.name.casefold()
    return THRUSTS in weapon.traits or any(name.endswith(one) or weapon.family == one for one in listed)


def is_aquatic_attack(combatant: Combatant, weapon: Weapon) -> bool:
    """Say whether a creature of the water strikes with its natural weapon (woa.water.aquatic-creatures)."""
    return bool(combatant.sheet.swim) and weapon.wield == "natural"


def water_on_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what chest-high water or more does to an attack, in melee or at range."""
    attacker = blow.attacker
    if not water.depth_of(attacker):
        return []
    if is_aquatic_attack(attacker, blow.weapon):
        blow.cites.append(fight.rule("woa.water.aquatic-creatures"))
        return []
    return [fight.modifier("woa.water.attack-penalty", "attack", kind="penalty", source="in water")]


def range_parts(fight: Fight, blow: Blow, penalties: list[Modifier]) -> list[Modifier]:
    """Return what makes the range penalties of spears and crossbows double (woa.water.range-penalty)."""
    wet = water.depth_of(blow.attacker) or water.is_under(blow.target)
    if not penalties or not wet or not is_unslowed_by_water(fight, blow.weapon):
        return []
    topic = "woa.water.range-penalty"
    times = fight.figure(topic, "factor") - 1
    return [
        Modifier(part.value * times, part.kind, "range through water", fight.rule(topic))
        for part in penalties
    ]


def refuse_useless(fight: Fight, blow: Blow) -> None:
    """Refuse missiles that would have to pass through more than some inches of water.

    Only spears, crossbows and the like do; others strike who is at the surface, shot by who is not under
    it (woa.water.other-ranged).
    """
    if blow.melee or blow.weapon.family == "spell":
        return
    through = water.is_under(blow.attacker) or water.is_under(blow.target)
    if through and not is_unslowed_by_water(fight, blow.weapon):
        raise Refusal(
            f"the {blow.weapon.name} is of no use through water", fight.rule("woa.water.other-ranged")
        )


def damage_share_in_water(fight: Fight, blow: Blow) -> tuple[float, str]:
    """Return the share of damage that a blow made in the water deals, and the rule; 1 and "" for all of it.

    woa.water.half-damage, .piercing-exception, .aquatic-creatures.
    """
    attacker = blow.attacker
    if not water.depth_of(attacker) or blow.weapon.family == "spell":
        return 1, ""
    if is_aquatic_attack(attacker, blow.weapon):
        return 1, fight.rule("woa.water.aquatic-creatures")
    if is_unslowed_by_water(fight, blow.weapon):
        return 1, fight.rule("woa.water.piercing-exception")
    topic = "woa.water.half-damage"
    return fight.figure(topic, "factor"), fight.rule(topic)


def are_both_under_water(blow: Blow) -> bool:
    """Say whether up and down mean nothing between two: both under water (woa.water.no-high-ground)."""
    return water.is_under(blow.attacker) and water.is_under(blow.target)
