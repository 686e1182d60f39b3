"""Overrun: through an opponent's space in the middle of a move or a charge (pf1.overrun)."""

from typing import Final

from affray.engine.dialects.pf1.maneuvers.forced_movement import refuse_without_move
from affray.engine.dialects.pf1.maneuvers.maneuver_check import (
    MODES,
    attempt_maneuver,
    maneuver_blow,
    refuse_immovable,
)
from affray.engine.dialects.pf1.maneuvers.maneuver_feats import (
    GREATER,
    IMPROVED,
    has_greater,
    has_improved,
)
from affray.engine.dialects.pf1.maneuvers.trip import more_legs
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.attacks.charge import (
    begin_charge,
    refuse_hindered_line,
    refuse_short_or_rough,
    refuse_to_charge,
)
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.conditions.condition_rules import falls_prone, powerless
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.mounted.hooves import trample_by_mount
from affray.engine.rules.mounted.mounted_charge import lower_riders_guard
from affray.engine.rules.mounted.mounted_combat import refuse_ride_on
from affray.engine.rules.mounted.rider_and_mount import leader, mount_of
from affray.engine.rules.movement.footing import last_stop
from affray.engine.rules.movement.movement import (
    halted,
    refuse_after_step,
    refuse_path,
    refuse_prone,
    speed,
)
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.rules.turns.interruption import attack_is_lost, refuse_impeded
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

TOPIC: Final = "pf1.overrun"


def overrun(fight: Fight, act: acts.Overrun) -> Steps[None]:
    """Move through an opponent's space: a standard action in the middle of a move, or part of a charge.

    The path leads up to the target, through its space and out again. A rider has the mount make the attempt,
    by the mount's own check (pf1.feat.mounted).
    """
    declarer, target = fight.combatant(act.actor), fight.combatant(act.target)
    # A rider has the mount run, and a mounted opponent is met where its mount stands.
    actor, target = mount_of(fight, declarer) or declarer, mount_of(fight, target) or target
    rule, rider = fight.rule(TOPIC), leader(fight, actor)
    kind, moving, feet = "move", fight.rule("move-action.move"), speed(fight, actor)
    if act.charge:
        kind, moving, feet = refuse_to_charge(fight, actor)
    else:
        if rider is actor:
            refuse_without_move(fight, actor, rule)
        refuse_unless_allowed(fight, actor, kind)
        refuse_after_step(fight, actor)
        refuse_prone(fight, actor)
    if rider is not actor:
        refuse_unless_allowed(fight, rider, "standard")
        refuse_ride_on(fight, rider, actor, len(act.path), act.charge)
    refuse_immovable(fight, actor, target, "overrun", unarmed(fight, actor))
    if target.side == actor.side or is_helpless(fight, target) or "dead" in target.conditions:
        raise Refusal(f"{target.id} does not bar the way", rule)
    refuse_path(fight, actor, act.path, feet, moving, through=target)
    place = next((n for n, at in enumerate(act.path) if target in occupants(fight, actor, at)), None)
    if place is None:
        raise Refusal(f"the path does not lead through {target.id}", rule)
    how = "charge" if act.charge else "normal"
    if act.charge:
        refuse_short_or_rough(fight, actor, act.path)
        refuse_hindered_line(fight, actor, target, act.path)
        yield from begin_charge(fight, actor, target, moving, kind)
        if rider is not actor:
            yield from lower_riders_guard(fight, rider, target)
    else:
        yield ActionSpent(who=actor.id, kind=kind, what="move", cites=(moving,))
    walk = fight.dialect.movement.walk
    legal = last_stop(fight, actor, (actor.at, *act.path[:place]))
    if place and not (yield from walk(fight, actor, act.path[:place], how, moving, onward=True)):
        return
    in_the_way = not is_down(fight, target) and target in occupants(fight, actor, act.path[place])
    if in_the_way and not (yield from gets_through(fight, actor, target, act.charge)):
        yield from fight.dialect.movement.step_aside(fight, actor, legal)
        return
    yield from walk(fight, actor, act.path[place:], how, moving, rule, legal=legal)


def gets_through(fight: Fight, attacker: Combatant, target: Combatant, charging: bool) -> Steps[bool]:
    """Let the target step aside or make the attempt; return whether the attacker may go on through it.

    A rider who can do nothing any more has its mount attempt nothing.
    """
    rule, here, rider = fight.rule(TOPIC), attacker.at, leader(fight, attacker)
    try:
        refuse_impeded(fight, rider, False)
    except Refusal as lost:
        yield attack_is_lost(attacker, lost, "the overrun")
        return False
    if not charging or rider is not attacker:
        cites = fight.rules(TOPIC, MODES)
        yield ActionSpent(who=rider.id, kind="standard", what="overrun", cites=cites)
    if (yield from steps_aside(fight, attacker, target)):
        yield RuleApplied(who=target.id, what=f"lets {attacker.id} by", cites=(rule,))
        return True
    try:
        blow = maneuver_blow(fight, attacker, target, "overrun")
    except Refusal as lost:
        yield attack_is_lost(attacker, lost, "the overrun")
        return False
    blow.defense_extra += more_legs(fight, target, TOPIC)
    check = yield from attempt_maneuver(fight, Attempt(blow, name=fight.declaration), TOPIC)
    if check is None or not check.won:
        return False
    if check.margin >= fight.figure(TOPIC, "prone_by"):
        yield from knock_down(fight, attacker, target)
        yield from trample_by_mount(fight, attacker, target)
    return not halted(fight, attacker, here)


def steps_aside(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[bool]:
    """Ask the target whether it avoids the attacker, which Improved Overrun does not allow."""
    rule, rider = fight.rule(TOPIC), leader(fight, attacker)
    if rider is not attacker and has_feat(rider, "trample"):
        cites = fight.rules(TOPIC, "pf1.feat.mounted")
        yield RuleApplied(who=target.id, what=f"may not avoid {attacker.id}", cites=cites)
        return False
    if has_improved(rider, "overrun") or has_improved(attacker, "overrun"):
        cites = fight.rules(TOPIC, IMPROVED)
        yield RuleApplied(who=target.id, what="may not avoid the overrun", cites=cites)
        return False
    if powerless(fight, target):
        return False
    question = f"{attacker.id} overruns {target.id}: does {target.id} block or avoid?"
    return bool((yield Choice(target.id, "overrun", question, ("block", "avoid"), rule)) == "avoid")


def knock_down(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Have the target fall prone; by Greater Overrun it provokes from all who threaten it."""
    yield from falls_prone(target, f"overrun by {attacker.id}", fight.rules(TOPIC))
    if has_greater(fight, attacker, "overrun"):
        yield from fight.dialect.opportunity.provoke(
            fight,
            target,
            threatening(fight, target),
            "is overrun",
            f"overrun by:{fight.declaration}",
            fight.rule(GREATER),
        )
