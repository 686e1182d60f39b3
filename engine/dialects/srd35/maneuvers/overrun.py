"""Overrun: past or over an opponent in the middle of a move (srd35.overrun.*)."""

from affray.engine.dialects.srd35.maneuvers.opposed_checks import (
    beats_opposed,
    refuse_too_big,
    strength_of,
)
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.record.maneuvers import Contest
from affray.engine.rules.attacks.charge import (
    begin_charge,
    refuse_hindered_line,
    refuse_short_or_rough,
    refuse_to_charge,
)
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.conditions.condition_rules import falls_prone, powerless
from affray.engine.rules.maneuvers.opposed_checks import footing_of
from affray.engine.rules.mounted.hooves import trample_by_mount
from affray.engine.rules.mounted.mounted_charge import lower_riders_guard
from affray.engine.rules.mounted.mounted_combat import refuse_ride_on
from affray.engine.rules.mounted.rider_and_mount import leader, mount_of
from affray.engine.rules.movement.displaced import moved, stepped
from affray.engine.rules.movement.footing import last_stop
from affray.engine.rules.movement.movement import (
    halted,
    refuse_after_step,
    refuse_crooked,
    refuse_path,
    refuse_prone,
    speed,
    tell_halt,
)
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

CHECK = "srd35.overrun.opposed-check"


def overrun(fight: Fight, act: acts.Overrun) -> Steps[None]:
    """Plow through an opponent's square: a standard action during the move, or part of a charge.

    The path leads up to the target, through its space and out again, within one's speed (or a charge's).
    """
    declarer, target = fight.combatant(act.actor), fight.combatant(act.target)
    # A rider has the mount run, and a mounted opponent is met where its mount stands.
    actor, target = mount_of(fight, declarer) or declarer, mount_of(fight, target) or target
    rule = fight.rule("srd35.overrun.action")
    if actor.spent.get("overrun", 0) >= fight.figure("srd35.overrun.once-per-round", "per_round"):
        raise Refusal(
            f"{actor.id} has tried to overrun this round", fight.rule("srd35.overrun.once-per-round")
        )
    if act.charge:
        kind, moving, feet = refuse_to_charge(fight, actor)
        if leader(fight, actor) is not actor:
            refuse_unless_allowed(fight, leader(fight, actor), "standard")
    else:
        kind, moving, feet = "move", fight.rule("srd35.move-action.move"), speed(fight, actor)
        refuse_standard_in_move(fight, actor)
    if leader(fight, actor) is not actor:
        refuse_ride_on(fight, leader(fight, actor), actor, len(act.path), act.charge)
    refuse_too_big(fight, actor, target, "srd35.overrun.action", "srd35.overrun.size-limit")
    if target.side == actor.side or is_helpless(fight, target) or "dead" in target.conditions:
        raise Refusal(f"{target.id} does not bar the way", rule)
    refuse_path(fight, actor, act.path, feet, moving, through=target)
    place = next((n for n, at in enumerate(act.path) if target in occupants(fight, actor, at)), None)
    if place is None:
        raise Refusal(f"the path does not lead through {target.id}", fight.rule("srd35.pass.overrun"))
    if act.charge:
        refuse_charging_over(fight, actor, target, act.path)
        yield from begin_charge(fight, actor, target, moving, kind)
        if leader(fight, actor) is not actor:
            yield from lower_riders_guard(fight, leader(fight, actor), target)
    else:
        yield ActionSpent(who=actor.id, kind=kind, what="move", cites=(moving,))
    how = "charge" if act.charge else "normal"
    legal = last_stop(fight, actor, (actor.at, *act.path[:place]))
    walk = fight.dialect.movement.walk
    if place and not (yield from walk(fight, actor, act.path[:place], how, moving, onward=True)):
        return
    if is_down(fight, target) or target not in occupants(fight, actor, act.path[place]):
        yield from walk(fight, actor, act.path[place:], how, moving, legal=legal)
        return
    if (yield from go_over(fight, actor, target, act.path[place], act.charge, legal)):
        on, rule = act.path[place + 1 :], fight.rule("srd35.overrun.success-continue")
        yield from walk(fight, actor, on, how, moving, rule, legal=legal)


def refuse_standard_in_move(fight: Fight, combatant: Combatant) -> None:
    """Refuse to those who have not both a move and a standard action left, or cannot walk.

    With a mount it is the mount that moves, and its rider who attempts the overrun.
    """
    refuse_unless_allowed(fight, leader(fight, combatant), "standard")
    refuse_unless_allowed(fight, combatant, "move")
    allowed = fight.dialect.turns.allowance(fight, combatant)
    used = combatant.spent.get("standard", 0) + combatant.spent.get("move", 0)
    both = leader(fight, combatant) is combatant and fight.readied != combatant.id
    if both and used + 2 > allowed.total:
        raise Refusal(
            f"{combatant.id} needs a move and a standard action", fight.rule("srd35.overrun.action")
        )
    refuse_after_step(fight, combatant)
    refuse_prone(fight, combatant)


def refuse_charging_over(
    fight: Fight, attacker: Combatant, target: Combatant, path: tuple[Square, ...]
) -> None:
    """Refuse a crooked or hindered charge; option `overrun_on_charge` may forbid it altogether."""
    rule = fight.rule("srd35.charge.line-test")
    if fight.option("overrun_on_charge") == "forbidden":
        raise Refusal(f"{target.id} stands in the line of the charge (overrun_on_charge: forbidden)", rule)
    refuse_crooked(attacker, path, rule)
    refuse_short_or_rough(fight, attacker, path)
    refuse_hindered_line(fight, attacker, target, path)


def go_over(
    fight: Fight, attacker: Combatant, target: Combatant, into: Square, charging: bool, legal: Square
) -> Steps[bool]:
    """Enter the defender's space and see what it does; return whether the way is free.

    Whoever is stopped there goes back to `legal`, the last place of its way where it may stay.

    It may strike first, then avoid or block; who blocks and loses lies prone, who wins may knock the
    attacker down, who goes back 5 feet in any case.
    """
    came_from = attacker.at
    rule = fight.rule("srd35.overrun.action")
    yield ActionSpent(
        who=attacker.id, kind="overrun", what="overrun", cites=fight.rules("srd35.overrun.once-per-round")
    )
    if threatens(fight, target, attacker):
        opportunity = f"overrun:{fight.declaration}"
        reason = f"enters the space of {target.id}"
        yield from fight.dialect.opportunity.provoke(
            fight, attacker, [target], reason, opportunity, fight.rule("srd35.overrun.aoo")
        )
        if halted(fight, attacker, came_from):
            yield from tell_halt(fight, attacker, "overrun")
            yield from fight.dialect.movement.step_aside(fight, attacker, legal)
            return False
    yield stepped(attacker, into, "overrun", *fight.rules("srd35.pass.overrun", "srd35.overrun.action"))
    yield from fight.dialect.movement.after_movement(fight, attacker)
    if halted(fight, attacker, into):
        yield from tell_halt(fight, attacker, "overrun")
        yield from fight.dialect.movement.step_aside(fight, attacker, legal)
        return False
    if target not in occupants(fight, attacker, into):
        return True  # it has got out of the way meanwhile
    if (yield from avoids(fight, attacker, target)):
        free = fight.rules(
            "srd35.overrun.avoid",
            "srd35.overrun.avoid-charge" if charging else "srd35.overrun.avoid-no-action",
        )
        yield RuleApplied(who=target.id, what=f"lets {attacker.id} by", cites=free)
        return True
    if not charging or leader(fight, attacker) is not attacker:
        yield ActionSpent(who=leader(fight, attacker).id, kind="standard", what="overrun", cites=(rule,))
    yield from fight.dialect.maneuvers.before_contest(fight, attacker, target)
    contest = yield from oppose(fight, attacker, target, charging)
    if contest.won:
        cites = fight.rules("srd35.overrun.win")
        yield from falls_prone(target, f"overrun by {attacker.id}", cites)
        yield from trample_by_mount(fight, attacker, target)
        return True
    felled = yield from knock_back(fight, target, attacker)
    yield from fall_back(fight, attacker, came_from, felled)
    return False


def avoids(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[bool]:
    """Ask the defender whether it steps aside, which Improved Overrun or a rider's Trample does not allow."""
    rider = leader(fight, attacker)
    if rider is not attacker and has_feat(rider, "trample"):
        cites = fight.rules("srd35.overrun.trample", "srd35.feat.trample")
        yield RuleApplied(who=target.id, what=f"may not avoid {attacker.id}", cites=cites)
        return False
    if rider is not attacker and has_feat(rider, "improved overrun"):
        cites = fight.rules("srd35.overrun.improved", "srd35.feat.improved-overrun")
        yield RuleApplied(who=target.id, what="may not avoid the overrun", cites=cites)
        return False
    if has_feat(attacker, "improved overrun"):
        cites = fight.rules("srd35.overrun.improved", "srd35.feat.improved-overrun")
        yield RuleApplied(who=target.id, what="may not avoid the overrun", cites=cites)
        return False
    question = f"{attacker.id} overruns {target.id}: does {target.id} block or avoid?"
    answer = yield Choice(
        target.id, "overrun", question, ("block", "avoid"), fight.rule("srd35.overrun.avoid")
    )
    return bool(answer == "avoid")


def oppose(fight: Fight, attacker: Combatant, target: Combatant, charging: bool) -> Steps[Contest]:
    """Oppose Strength with the defender's Strength or Dexterity."""
    rider = leader(fight, attacker)
    feat = fight.rules("srd35.feat.improved-overrun") if has_feat(rider, "improved overrun") else ()
    rush = fight.rules("srd35.charge.strength-check-bonus") if charging else ()
    mounted = fight.rules("srd35.overrun.mounted") if rider is not attacker else ()
    mine = strength_of(fight, attacker, CHECK, feat="improved overrun", charging=charging)
    if rider is not attacker and has_feat(rider, "improved overrun"):
        topic, source = "srd35.feat.improved-overrun", "Improved Overrun"
        mine.parts.append(fight.modifier(topic, "check", kind="feat", source=source))
    return (
        yield from beats_opposed(
            fight,
            "overrun",
            mine,
            footing_of(fight, target, CHECK),
            fight.rule(CHECK),
            *feat,
            *rush,
            *mounted,
        )
    )


def knock_back(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[bool]:
    """Let the defender try to knock the attacker down, by Strength and size alone; return whether it did."""
    rule = fight.rule("srd35.overrun.lose-counter")
    if powerless(fight, attacker):
        return False
    question = f"{attacker.id} held its ground: does it try to knock {target.id} prone?"
    if (yield Choice(attacker.id, "counter-overrun", question, ("try", "decline"), rule)) != "try":
        return False
    contest = yield from beats_opposed(
        fight,
        "counter-overrun",
        strength_of(fight, attacker, CHECK, whole=False),
        footing_of(fight, target, CHECK, whole=False),
        rule,
    )
    return contest.won


def fall_back(fight: Fight, combatant: Combatant, to: Square, felled: bool) -> Steps[None]:
    """Go back 5 feet the way one came; knocked down, or where the space is occupied, one lies prone there."""
    topic = "srd35.overrun.fail-prone" if felled else "srd35.overrun.fail-standing"
    cites = fight.rules(topic)
    taken = occupants(fight, combatant, to)
    diagonal = int(to[0] != combatant.at[0] and to[1] != combatant.at[1])
    feet = int(fight.figure(topic, "distance_ft"))
    yield moved(combatant, (to,), feet, "thrown back", *cites, diagonals=diagonal)
    if felled or taken:
        why = "knocked down in its overrun" if felled else f"thrown back over {taken[0].id}"
        yield from falls_prone(combatant, why, cites)
