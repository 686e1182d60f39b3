"""Fighting on the move in pf1: Spring Attack and Shot on the Run."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.rules.attacks.skirmish import SHOT, SPRING, move_and_strike
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.position.place import next_to, reaches_from
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def skirmish(fight: Fight, act: acts.Skirmish) -> Steps[None]:
    """Move up to one's speed with an attack on the way, as a full-round action.

    Spring Attack goes at least 10 feet before its attack in melee, at nobody next to whom one begins; Shot on
    the Run shoots at any point of the way (pf1.feat.spring-attack, pf1.feat.shot-on-the-run).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    weapon = find_weapon(fight, actor, act.weapon)
    feat = SPRING if strikes_in_melee(weapon) else SHOT
    rule = refuse_without(fight, actor, feat)
    refuse_after_step(fight, actor)
    refuse_prone(fight, actor)
    spent = spending(fight, actor, str(fight.figure(rule, "action")), feat, rule)
    if act.path:
        refuse_path(fight, actor, act.path, speed(fight, actor), rule)
    refuse_path(fight, actor, (*act.path, *act.onward), speed(fight, actor), rule)
    if feat == SPRING:
        refuse_no_spring(fight, actor, target, act, weapon)
    yield spent
    yield from move_and_strike(fight, act, weapon, feat, rule)


def refuse_no_spring(
    fight: Fight, attacker: Combatant, target: Combatant, act: acts.Skirmish, weapon: Weapon
) -> None:
    """Refuse a spring attack at whom one stands next to, too near one's start, or out of reach.

    pf1.feat.spring-attack.
    """
    topic = "pf1.feat.spring-attack"
    if next_to(attacker, target):
        raise Refusal(f"{attacker.id} begins next to {target.id}", fight.rule(topic))
    least = fight.figure(topic, "min_before_ft")
    if len(act.path) * SQUARE_FT < least:
        raise Refusal(f"one moves at least {least} ft. before the attack", fight.rule(topic))
    near, far = melee_band(attacker, weapon)
    if not reaches_from(attacker, act.path[-1], target, near, far):
        raise Refusal(f"{target.id} is out of reach there", fight.rule("pf1.attack-action.melee"))
