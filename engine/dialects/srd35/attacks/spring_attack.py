"""Fighting on the move: Mobility, Spring Attack, Shot on the Run."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.rules.attacks.skirmish import SHOT, SPRING, move_and_strike
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.position.place import reaches_from
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def skirmish(fight: Fight, act: acts.Skirmish) -> Steps[None]:
    """Move, attack and move on within one's speed, as a move and a standard action together.

    Spring Attack goes at least 5 feet before and after a melee attack, whose target gets no attack of
    opportunity for it; not in heavy armor. Shot on the Run attacks at range
    (srd35.feat.spring-attack, srd35.feat.shot-on-the-run).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    weapon = find_weapon(fight, actor, act.weapon)
    melee = strikes_in_melee(weapon)
    feat = SPRING if melee else SHOT
    rule = refuse_without(fight, actor, feat)
    refuse_both_actions(fight, actor, rule)
    if melee and actor.sheet.armor_weight == "heavy":
        raise Refusal(f"{actor.id} wears heavy armor", rule)
    refuse_after_step(fight, actor)
    refuse_prone(fight, actor)
    moving = fight.rule("srd35.move-action.move")
    if act.path:
        refuse_path(fight, actor, act.path, speed(fight, actor), moving)
    refuse_path(fight, actor, (*act.path, *act.onward), speed(fight, actor), moving)
    if melee:
        refuse_no_spring(fight, actor, target, act, weapon)
    yield ActionSpent(who=actor.id, kind="move", what=feat, cites=(rule, moving))
    yield ActionSpent(
        who=actor.id,
        kind="standard",
        what=feat,
        cites=fight.rules(f"attack-action.{'melee' if melee else 'ranged'}"),
    )
    yield from move_and_strike(fight, act, weapon, feat, rule)


def refuse_both_actions(fight: Fight, combatant: Combatant, rule: str) -> None:
    """Refuse to those who have not both a move and a standard action left."""
    refuse_unless_allowed(fight, combatant, "standard")
    total = fight.dialect.turns.allowance(fight, combatant).total
    if combatant.spent.get("standard", 0) + combatant.spent.get("move", 0) + 2 > total:
        raise Refusal(f"{combatant.id} needs a move and a standard action", rule)


def refuse_no_spring(
    fight: Fight, attacker: Combatant, target: Combatant, act: acts.Skirmish, weapon: Weapon
) -> None:
    """Refuse a spring attack without 5 feet of movement on either side, or out of reach of its target."""
    topic = "srd35.feat.spring-attack"
    least = fight.figure(topic, "min_each_side_ft")
    if min(len(act.path), len(act.onward)) * SQUARE_FT < least:
        raise Refusal("one moves at least 5 ft. before and after the attack", fight.rule(topic))
    near, far = melee_band(attacker, weapon)
    if not reaches_from(attacker, act.path[-1], target, near, far):
        raise Refusal(f"{target.id} is out of reach there", fight.rule("srd35.attack-action.melee"))
