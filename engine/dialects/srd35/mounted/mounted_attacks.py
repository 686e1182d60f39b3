"""Attacks from the saddle, of the rider and of the mount (srd35.mount.combat-trained)."""

from affray.engine.dialects.srd35.gear import ammunition
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear import splash_weapons
from affray.engine.rules.mounted import mounted_attacks
from affray.engine.steps import Steps
from affray.events.facts import acts


def attack_by_rider_or_mount(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack, from the saddle too, or have the mount attack."""
    actor = fight.combatant(act.actor)
    if splash_weapons.is_thrown(fight, act) and not actor.rider:
        return splash_weapons.throw_flask(fight, act)
    if actor.mount:
        return mounted_attacks.rider_attacks(fight, act, strike_or_hurl(fight, act))
    if actor.rider:
        mounted_attacks.refuse_to_send(fight, act)
        return mounted_attacks.mount_attacks(fight, act, strike_or_hurl(fight, act))
    return ammunition.attack_or_hurl(fight, act)


def strike_or_hurl(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make the attack, once it is known that the saddle allows it."""
    yield from ammunition.attack_or_hurl(fight, act)
