"""Attacks from the saddle, of the rider and of the mount (srd35.mount.combat-trained)."""

from affray.engine.dialects.srd35.gear import ammunition, splash_weapons, splash_weapons_in_hand
from affray.engine.fight.fight import Fight
from affray.engine.rules.mounted import mounted_attacks
from affray.engine.rules.mounted.mounted_combat import after_blows, refuse_late_shot
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.projections.state import Combatant


def attack_by_rider_or_mount(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack, from the saddle too, or have the mount attack."""
    actor = fight.combatant(act.actor)
    if actor.mount:
        if splash_weapons.is_thrown(fight, actor, act):
            return rider_throws(fight, act, actor)
        return mounted_attacks.rider_attacks(fight, act, strike_or_hurl(fight, act))
    if actor.rider:
        mounted_attacks.refuse_to_send(fight, act)
        return mounted_attacks.mount_attacks(fight, act, strike_or_hurl(fight, act))
    return splash_weapons.attack_or_throw(fight, act)


def throw_flasks(fight: Fight, act: acts.FullAttack) -> acts.FullAttack:
    """Return a full attack whose blows with what splashes are throws."""
    actor = fight.combatant(act.actor)
    if splash_weapons_in_hand.has_flasks(fight, actor):
        return splash_weapons_in_hand.as_throws(fight, actor, act)
    return act


def rider_throws(fight: Fight, act: acts.Attack, rider: Combatant) -> Steps[None]:
    """Throw from the saddle what splashes."""
    refuse_late_shot(fight, rider, 1)
    yield from splash_weapons.attack_or_throw(fight, act)
    yield from after_blows(fight, rider, 0, 1)


def strike_or_hurl(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make the attack, once it is known that the saddle allows it."""
    yield from ammunition.attack_or_hurl(fight, act)
