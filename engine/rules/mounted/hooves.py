"""Hooves for whom a ridden mount has run down (srd35.feat.trample, pf1.feat.mounted)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks.weapon_blow import build_blow, strike_and_settle
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.held_weapons import natural_weapons
from affray.engine.rules.mounted.rider_and_mount import leader
from affray.engine.rules.position.place import distance
from affray.engine.steps import Steps
from affray.projections.state import Combatant


def trample_by_mount(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Let the mount of a rider with Trample strike once with a hoof at whom it has knocked down.

    srd35.overrun.trample, srd35.feat.trample, pf1.feat.mounted.
    """
    rider = leader(fight, attacker)
    if rider is attacker or not has_feat(rider, "trample"):
        return
    found = natural_weapons(attacker)
    hoof = next((weapon for weapon in found if "hoof" in weapon.name or "hooves" in weapon.name), None)
    if hoof is None:
        return
    blow = build_blow(fight, attacker, target, hoof, "trample", feet=distance(attacker, target))
    blow.cites += fight.rules("overrun.trample", "feat.trample")
    yield from strike_and_settle(fight, blow)
