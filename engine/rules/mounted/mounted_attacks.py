"""Attacks from the saddle, of the rider and of the mount (srd35.mount.*, pf1.mount.attack)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks import two_weapon_fighting
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.mounted.hands_and_reins import refuse_both_hands
from affray.engine.rules.mounted.mounted_combat import (
    STRIKES,
    after_blows,
    planned_blows,
    refuse_late_shot,
)
from affray.engine.rules.mounted.ride_skill import direct_to_fight
from affray.engine.rules.mounted.rider_and_mount import rider_of
from affray.engine.steps import Refusal, Steps, onward
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied


def rider_attacks(fight: Fight, act: acts.Attack, attacking: Steps[None]) -> Steps[None]:
    """Make one attack from the saddle: in melee as on foot, however fast the mount went."""
    actor = fight.combatant(act.actor)
    weapon = find_weapon(fight, actor, act.weapon)
    target = fight.combatant(act.target)
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    refuse_both_hands(fight, actor, [weapon])
    refuse_late_shot(fight, actor, int(not blow.melee))
    yield from attacking
    yield from after_blows(fight, actor, int(blow.melee), int(not blow.melee))


def rider_strikes(fight: Fight, act: acts.FullAttack, striking: Steps[None]) -> Steps[None]:
    """Make a full attack from the saddle: at range always, in melee if the mount has hardly moved.

    srd35.mount.single-attack-if-moved, srd35.mount.ranged-full-attack, pf1.mount.attack, pf1.mount.ranged.
    """
    actor = fight.combatant(act.actor)
    steed = fight.state.combatants[actor.mount]
    blows = planned_blows(fight, actor, act)
    shots = sum(not blow.melee for blow in blows)
    # A whirlwind strikes at all around.
    melee = len(act.strikes) - shots + (2 if act.whirlwind else 0)
    topic = "mount.single-attack-if-moved"
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
    yield from striking
    if shots and steed.spent.get("feet"):
        rule = fight.rule("mount.ranged-full-attack")
        yield RuleApplied(who=actor.id, what=f"shoots in full although {steed.id} moves", cites=(rule,))
    yield from after_blows(fight, actor, melee, shots, whole=True)


def refuse_to_send(fight: Fight, act: acts.Attack | acts.FullAttack) -> None:
    """Refuse to send a mount into the fight that combat frightens.

    srd35.mount.combat-trained, pf1.mount.control.
    """
    steed = fight.combatant(act.actor)
    if fight.dialect.mounted.frightened(fight, steed):
        raise Refusal(f"{steed.id} is not trained for combat", fight.rule("mount.combat-trained"))


def mount_attacks(fight: Fight, act: acts.Attack | acts.FullAttack, attacking: Steps[None]) -> Steps[None]:
    """Have a mount attack by a Ride check of its rider (srd35.skill.ride-table, pf1.skill.ride).

    What it may not attack with is refused before the check.
    """
    steed = fight.combatant(act.actor)
    rider = rider_of(fight, steed)
    assert rider is not None
    first = next(attacking)
    if (yield from direct_to_fight(fight, rider, steed)):
        yield from onward(attacking, first)
