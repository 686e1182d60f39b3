"""Attacks from the saddle, of the rider and of the mount (srd35.mount.combat-trained)."""

from affray.engine.dialects.srd35.gear import ammunition, splash_weapons, splash_weapons_in_hand
from affray.engine.dialects.srd35.mounted.mounted_combat import (
    STRIKES,
    after_blows,
    planned_blows,
    refuse_late_shot,
)
from affray.engine.dialects.srd35.mounted.ride_skill import direct_to_fight, refuse_both_hands
from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks import two_weapon_fighting
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.mounted.ride_skill import is_frightened
from affray.engine.rules.mounted.rider_and_mount import rider_of
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.rules.turns.interruption import attack_is_lost
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def attack_by_rider_or_mount(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack, from the saddle too, or have the mount attack."""
    actor = fight.combatant(act.actor)
    if actor.mount:
        return rider_attacks(fight, act, actor)
    if actor.rider:
        return mount_attacks(fight, act, actor)
    return splash_weapons.attack_or_throw(fight, act)


def full_attack_by_rider_or_mount(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Make a full attack, from the saddle too, or have the mount make it."""
    actor = fight.combatant(act.actor)
    if splash_weapons_in_hand.has_flasks(fight, actor):
        act = splash_weapons_in_hand.as_throws(fight, actor, act)
    if actor.mount:
        return rider_strikes(fight, act, actor)
    if actor.rider:
        return mount_attacks(fight, act, actor)
    return ammunition.full_attack_and_rend(fight, actor, act)


def rider_attacks(fight: Fight, act: acts.Attack, actor: Combatant) -> Steps[None]:
    """Make one attack from the saddle: in melee as on foot, however fast the mount went."""
    if splash_weapons.is_thrown(fight, actor, act):
        refuse_late_shot(fight, actor, 1)
        yield from splash_weapons.attack_or_throw(fight, act)
        yield from after_blows(fight, actor, 0, 1)
        return
    weapon = find_weapon(fight, actor, act.weapon)
    target = fight.combatant(act.target)
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    refuse_both_hands(fight, actor, [weapon])
    refuse_late_shot(fight, actor, int(not blow.melee))
    yield from ammunition.attack_or_hurl(fight, act)
    yield from after_blows(fight, actor, int(blow.melee), int(not blow.melee))


def rider_strikes(fight: Fight, act: acts.FullAttack, actor: Combatant) -> Steps[None]:
    """Make a full attack from the saddle: at range always, in melee if the mount has hardly moved.

    srd35.mount.single-attack-if-moved, srd35.mount.ranged-full-attack.
    """
    steed = fight.state.combatants[actor.mount]
    blows = planned_blows(fight, actor, act)
    shots = sum(not blow.melee for blow in blows)
    # A whirlwind strikes at all around.
    melee = len(act.strikes) - shots + (2 if act.whirlwind else 0)
    topic = "srd35.mount.single-attack-if-moved"
    most = fight.figure(topic, "threshold_ft")
    if melee and melee + actor.spent.get(STRIKES, 0) > 1 and steed.spent.get("feet", 0) > most:
        raise Refusal(
            f"{steed.id} has moved more than {most} ft.: {actor.id} has time for one melee attack",
            fight.rule(topic),
        )
    refuse_both_hands(
        fight, actor, [blow.weapon for blow in blows], two_weapon_fighting.second_weapon(fight, actor, act)
    )
    refuse_late_shot(fight, actor, shots)
    yield from ammunition.full_attack_and_rend(fight, actor, act)
    if shots and steed.spent.get("feet"):
        rule = fight.rule("srd35.mount.ranged-full-attack")
        yield RuleApplied(who=actor.id, what=f"shoots in full although {steed.id} moves", cites=(rule,))
    yield from after_blows(fight, actor, melee, shots, whole=True)


def mount_attacks(fight: Fight, act: acts.Attack | acts.FullAttack, steed: Combatant) -> Steps[None]:
    """Have a mount attack: only one that combat does not frighten, by a Ride check of its rider.

    srd35.mount.combat-trained, srd35.skill.ride-table.
    """
    rider = rider_of(fight, steed)
    assert rider is not None
    if is_frightened(fight, steed):
        raise Refusal(f"{steed.id} is not trained for combat", fight.rule("srd35.mount.combat-trained"))
    planned_blows(fight, steed, act)
    refuse_unless_allowed(fight, steed, "standard" if isinstance(act, acts.Attack) else "full-round")
    if isinstance(act, acts.FullAttack):
        # What is amiss with a special attack among the blows is refused before the rider's check.
        ammunition.full_attack_and_rend(fight, steed, act).close()
    if not (yield from direct_to_fight(fight, rider, steed)):
        return
    try:
        if isinstance(act, acts.Attack):
            yield from ammunition.attack_or_hurl(fight, act)
        else:
            yield from ammunition.full_attack_and_rend(fight, steed, act)
    except Refusal as lost:
        yield attack_is_lost(steed, lost)
