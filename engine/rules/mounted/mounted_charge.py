"""Charging on a mount: the guard of both, what it multiplies, and riding by (srd35.mount.charge)."""

from collections.abc import Callable

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.charge import lower_guard
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.weapons_in_hand import is_lance
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def lower_riders_guard(fight: Fight, rider: Combatant, target: Combatant) -> Steps[None]:
    """Lower the rider's guard as its mount charges (srd35.mount.charge)."""
    rule = fight.rule("mount.charge")
    yield from lower_guard(fight, rider, target, rule, rule)


def ride_by_spares(past: tuple[Square, ...], target: Combatant) -> Callable[[int, Combatant], bool]:
    """Return what spares a rider who rides by the blow of its target (srd35.feat.ride-by-attack)."""
    return lambda step, enemy: bool(past) and enemy is target


def multiply_mounted_charge(fight: Fight, blow: Blow) -> Steps[None]:
    """Multiply the damage of a mounted charge: by two with a lance; Spirited Charge by two, a lance by three.

    srd35.charge.lance, srd35.mount.charge-lance, srd35.feat.spirited-charge, pf1.charge.lance-brace,
    pf1.mount.attack, pf1.feat.mounted.
    """
    lance = is_lance(blow.weapon)
    if has_feat(blow.attacker, "spirited charge"):
        factor = fight.figure("feat.spirited-charge", "lance" if lance else "melee")
        blow.damage.multipliers += ((factor, fight.rule("feat.spirited-charge")),)
    elif lance:
        factor = fight.figure("charge.lance", "multiplier")
        blow.damage.multipliers += ((factor, fight.rule("charge.lance")),)
        couched = f"couches the {blow.weapon.name} on a charging mount"
        yield RuleApplied(who=blow.attacker.id, what=couched, cites=fight.rules("mount.charge-lance"))
