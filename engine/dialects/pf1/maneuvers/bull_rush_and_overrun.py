"""Maneuvers that move the target or pass it: bull rush, drag, overrun, reposition."""

from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import Final

from msgspec import Struct

from affray.engine.dialects.pf1.maneuvers.maneuver_check import (
    GREATER,
    IMPROVED,
    MODES,
    Check,
    attempt_maneuver,
    choose_feet,
    feet_of,
    force,
    forced_feet,
    has_greater,
    has_improved,
    maneuver_blow,
    refuse_immovable,
    refuse_to_go,
    refuse_without_move,
    roll_maneuver,
    try_maneuver,
)
from affray.engine.dialects.pf1.maneuvers.trip_and_disarm import more_legs
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.kernel.places import distance, reaches, refuse_apart
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.chapters import Attempt
from affray.engine.rules.attacks.charge import (
    begin_charge,
    refuse_hindered_line,
    refuse_no_charge,
    refuse_short_or_rough,
    refuse_to_charge,
)
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.conditions.conditions import cannot_act, falls_prone
from affray.engine.rules.gear.hands import melee_band
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.maneuvers.opposed_checks import is_walled_off, straight_on
from affray.engine.rules.mounted.mounted_combat import lower_riders_guard, refuse_ride_on, trample_by_mount
from affray.engine.rules.mounted.riding import leader, mount_of
from affray.engine.rules.movement.movement import (
    falls_at,
    halted,
    is_barred,
    last_stop,
    refuse_after_step,
    refuse_path,
    refuse_prone,
    speed,
)
from affray.engine.rules.opportunity.threatened_squares import threatening, threatens
from affray.engine.rules.position.places import occupants
from affray.engine.rules.turns.actions import refuse_unless_allowed
from affray.engine.rules.turns.delay_and_ready import attack_is_lost, footing, goes_on, refuse_impeded
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Bull rush: an opponent pushed straight back, and creatures behind it (pf1.bull-rush.*)

NAME: Final = "bull rush"
BULL_RUSH_TOPIC: Final = "pf1.bull-rush"
CHAIN: Final = "pf1.bull-rush.chain"


class Push(Struct, frozen=True, gc=False):
    """A push: the direction, (dx, dy), the squares it went, and the feet that it was meant to go."""

    way: Square
    squares: int
    feet: int


def bull_rush(fight: Fight, act: acts.BullRush) -> Steps[None]:
    """Push an opponent back: a standard action, or at the end of a charge along `path`."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    if act.charge:
        yield from charge_into(fight, actor, target, act.path)
        return
    if act.path:
        raise Refusal("only a bull rush in a charge has a path", fight.rule(BULL_RUSH_TOPIC))
    blow = maneuver_blow(fight, actor, target, NAME)
    check = yield from try_maneuver(fight, blow, BULL_RUSH_TOPIC)
    yield from push_and_follow(fight, actor, target, check, None)


def charge_into(
    fight: Fight, attacker: Combatant, target: Combatant, path: tuple[Square, ...]
) -> Steps[None]:
    """Charge along a path and push at its end, with the bonus of a charge (pf1.charge.attack)."""
    refuse_immovable(fight, attacker, target, NAME, unarmed(fight, attacker))
    kind, rule, feet = refuse_to_charge(fight, attacker)
    cost, _ = refuse_path(fight, attacker, path, feet, rule)
    refuse_no_charge(fight, attacker, target, path, unarmed(fight, attacker))
    yield from begin_charge(fight, attacker, target, rule, kind)
    if not (yield from fight.dialect.movement.walk(fight, attacker, path, "charge", rule)):
        return
    try:
        attempt = Attempt(maneuver_blow(fight, attacker, target, NAME, kind="charge"), name=fight.declaration)
    except Refusal as lost:
        yield attack_is_lost(attacker, lost, "the bull rush")
        return
    rush = fight.modifier("charge.attack", "bull_rush", kind="circumstance", source="charging")
    attempt.blow.attack_extra.append(rush)
    check = yield from attempt_maneuver(fight, attempt, BULL_RUSH_TOPIC)
    yield from push_and_follow(fight, attacker, target, check, feet - cost)


def push_and_follow(
    fight: Fight, attacker: Combatant, target: Combatant, check: Check, left: int | None
) -> Steps[None]:
    """Push and go along; a charger has `left` feet for that, None means a move.

    An attacker that fails stays in front of its target.
    """
    if check.won:
        pushed = yield from push_straight(fight, attacker, target, check)
        yield from follow(fight, attacker, pushed.way, pushed.squares, left)


def push_straight(fight: Fight, attacker: Combatant, target: Combatant, check: Check) -> Steps[Push]:
    """Push a target straight back as far as a check allows and the attacker chooses; return the push."""
    way = straight_on(attacker.at, attacker, target)
    if not any(way):
        where = f"{attacker.id} stands where {target.id} does: no way leads straight back"
        yield RuleApplied(who=target.id, what=where, cites=fight.rules(BULL_RUSH_TOPIC))
        return Push(way, 0, 0)
    question = f"how many feet does {attacker.id} push {target.id}?"
    feet = yield from choose_feet(
        fight, attacker, feet_of(fight, check, BULL_RUSH_TOPIC, "push_ft"), BULL_RUSH_TOPIC, question
    )
    return Push(way, (yield from push_back(fight, attacker, target, way, feet)), feet)


def push_back(fight: Fight, attacker: Combatant, target: Combatant, way: Square, feet: int) -> Steps[int]:
    """Push the target the given feet, and creatures that it is pushed into; return by how many squares.

    Each has its own limit, and the least stops all. Walls and creatures that resist stop them too.
    """
    pushed, start, limits, squares = [target], {target.id: target.at}, {target.id: feet}, 0
    while True:
        there = {one.id: (one.at[0] + way[0], one.at[1] + way[1]) for one in pushed}
        if any(forced_feet(line(start[one.id], way, there[one.id])) > limits[one.id] for one in pushed):
            return squares
        if any(is_walled_off(fight, one, there[one.id]) for one in pushed):
            what = "something solid is in the way of the bull rush"
            yield RuleApplied(who=target.id, what=what, cites=fight.rules(CHAIN))
            return squares
        behind = [
            other
            for one in pushed
            for other in occupants(fight, one, there[one.id])
            if other is not attacker and other not in pushed
        ]
        if behind:
            further = yield from push_another(fight, attacker, behind[0], len(pushed))
            if not further:
                return squares
            pushed.append(behind[0])
            start[behind[0].id], limits[behind[0].id] = behind[0].at, further
            continue
        fallen = [one for one in pushed if falls_at(fight, one, one.at, there[one.id])]
        for one in reversed(pushed):
            yield from force(fight, attacker, one, there[one.id], NAME, *fight.rules(BULL_RUSH_TOPIC, CHAIN))
        if any(one.at != there[one.id] for one in pushed):
            return squares
        squares += 1
        pushed = [one for one in pushed if one not in fallen]
        if target in fallen:
            return squares


def line(start: Square, way: Square, end: Square) -> list[Square]:
    """Return the squares from one to another in a straight direction."""
    found = [start]
    while found[-1] != end:
        found.append((found[-1][0] + way[0], found[-1][1] + way[1]))
    return found


def push_another(fight: Fight, attacker: Combatant, other: Combatant, pushed: int) -> Steps[int]:
    """Try to push one more creature that is in the way; return how many feet it gives way, 0 for none.

    The new check has a penalty for each creature beyond the first (pf1.bull-rush.chain).
    """
    cites, means = fight.rules(CHAIN), unarmed(fight, attacker)
    try:
        refuse_immovable(fight, attacker, other, NAME, means)
    except Refusal as refused:
        yield RuleApplied(who=other.id, what=refused.reason, cites=(refused.rule, *cites))
        return 0
    intent = Intent("through", maneuver=NAME, against=f"CMD against {NAME}")
    blow = Blow(attacker, other, means, True, distance(attacker, other), intent)
    less = int(fight.figure(CHAIN, "extra_creature")) * pushed
    blow.attack_extra.append(Modifier(less, "penalty", f"{pushed} pushed already", cites[0]))
    if not (yield from provoke_in_the_way(fight, blow)):
        return 0
    check = yield from roll_maneuver(fight, blow, BULL_RUSH_TOPIC, CHAIN)
    return feet_of(fight, check, BULL_RUSH_TOPIC, "push_ft") if check.won else 0


def provoke_in_the_way(fight: Fight, blow: Blow) -> Steps[bool]:
    """Give a creature in the way its attack of opportunity, as the target of the new check.

    Its damage is taken off that check; return whether the push goes on (pf1.maneuver.provokes).
    """
    attacker, other, rule = blow.attacker, blow.target, fight.rule("pf1.maneuver.provokes")
    if has_improved(attacker, NAME) or not threatens(fight, other, attacker):
        return True
    stood, before = footing(fight, attacker, other), attacker.hp - attacker.nonlethal + attacker.temporary
    name = f"{NAME}:{fight.declaration}:{other.id}"
    yield from fight.dialect.opportunity.provoke(fight, attacker, [other], f"tries to {NAME}", name, rule)
    hurt = before - (attacker.hp - attacker.nonlethal + attacker.temporary)
    if hurt > 0:
        blow.attack_extra.append(Modifier(-hurt, "penalty", f"hurt by {other.id}", rule))
    return (yield from goes_on(fight, stood, partial(refuse_impeded, fight, attacker, False), "the push"))


def follow(fight: Fight, attacker: Combatant, way: Square, squares: int, left: int | None) -> Steps[None]:
    """Ask the attacker whether it goes along, as far as the rest of its charge, or a move, lasts.

    A rider stays in the saddle.
    """
    cites = fight.rules(BULL_RUSH_TOPIC)
    if attacker.mount:
        return
    if left is None:
        try:
            refuse_unless_allowed(fight, attacker, "move")
            refuse_after_step(fight, attacker)
        except Refusal:
            return
        if fight.readied == attacker.id:
            return
    feet = speed(fight, attacker) if left is None else left
    path = line(attacker.at, way, (attacker.at[0] + squares * way[0], attacker.at[1] + squares * way[1]))[1:]
    while path:
        with suppress(Refusal):
            refuse_to_go(fight, attacker, tuple(path))
            refuse_path(fight, attacker, path, feet, cites[0])
            break
        path.pop()
    if not path:
        return
    question = f"does {attacker.id} go along for {len(path) * SQUARE_FT} ft.?"
    if (yield Choice(attacker.id, "follow", question, ("follow", "stay"), cites[0])) != "follow":
        return
    if left is None:
        yield ActionSpent(who=attacker.id, kind="move", what="move", cites=cites)
    how = "normal" if left is None else "charge"
    yield from fight.dialect.movement.walk(fight, attacker, path, how, *cites)


# --- Drag: attacker and target go backwards, the target into the attacker's former space (pf1.drag)

DRAG_TOPIC: Final = "pf1.drag"


def drag(fight: Fight, act: acts.Drag) -> Steps[None]:
    """Drag an adjacent opponent along: a standard action, and a move for the distance."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(DRAG_TOPIC)
    blow = maneuver_blow(fight, actor, target, "drag")
    refuse_apart(target, actor, rule)
    refuse_without_move(fight, actor, rule)
    refuse_after_step(fight, actor)
    refuse_prone(fight, actor)
    check = yield from try_maneuver(fight, blow, DRAG_TOPIC)
    if not check.won:
        return
    way = straight_on(target.at, target, actor)
    question = f"how many feet does {actor.id} drag {target.id}?"
    feet = yield from choose_feet(fight, actor, feet_of(fight, check, DRAG_TOPIC), DRAG_TOPIC, question)
    yield ActionSpent(who=actor.id, kind="move", what="move", cites=(rule,))
    yield from draw_along(fight, actor, target, way, feet)


def draw_along(fight: Fight, attacker: Combatant, target: Combatant, way: Square, feet: int) -> Steps[None]:
    """Go the given feet with the target, as far as the attacker's speed lasts and nothing stops either.

    An attacker that flies over a chasm drags its target over the brink.
    """
    cites = fight.rules(DRAG_TOPIC)
    had = attacker.spent.get("feet", 0)
    gone = [attacker.at]
    while True:
        there = (attacker.at[0] + way[0], attacker.at[1] + way[1])
        if forced_feet((*gone, there)) > feet:
            return
        left = speed(fight, attacker) - (attacker.spent.get("feet", 0) - had)
        try:
            refuse_to_go(fight, attacker, (there,))
            refuse_path(fight, attacker, (there,), left, cites[0])
        except Refusal as refused:
            what = f"the drag ends: {refused.reason}"
            yield RuleApplied(who=attacker.id, what=what, cites=(*cites, refused.rule))
            return
        if not (yield from fight.dialect.movement.walk(fight, attacker, (there,), "normal", *cites)):
            return
        gone.append(there)
        behind = (target.at[0] + way[0], target.at[1] + way[1])
        if is_walled_off(fight, target, behind) or occupants(fight, target, behind):
            what = f"the drag ends: there is no room for {target.id}"
            yield RuleApplied(who=target.id, what=what, cites=cites)
            return
        if not (yield from force(fight, attacker, target, behind, "drag", *cites)):
            return


# --- Overrun: through an opponent's space during a move or a charge (pf1.overrun)

OVERRUN_TOPIC: Final = "pf1.overrun"


def overrun(fight: Fight, act: acts.Overrun) -> Steps[None]:
    """Move through an opponent's space: a standard action during a move, or part of a charge.

    The path leads up to the target, through its space and out again. A rider's mount makes the attempt, by
    the mount's own check (pf1.feat.mounted).
    """
    declarer, target = fight.combatant(act.actor), fight.combatant(act.target)
    # A rider's mount does the running, and a mounted opponent is met in its mount's space.
    actor, target = mount_of(fight, declarer) or declarer, mount_of(fight, target) or target
    rule, rider = fight.rule(OVERRUN_TOPIC), leader(fight, actor)
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

    The mount of a rider that can no longer act makes no attempt.
    """
    rule, here, rider = fight.rule(OVERRUN_TOPIC), attacker.at, leader(fight, attacker)
    try:
        refuse_impeded(fight, rider, False)
    except Refusal as lost:
        yield attack_is_lost(attacker, lost, "the overrun")
        return False
    if not charging or rider is not attacker:
        cites = fight.rules(OVERRUN_TOPIC, MODES)
        yield ActionSpent(who=rider.id, kind="standard", what="overrun", cites=cites)
    if (yield from steps_aside(fight, attacker, target)):
        yield RuleApplied(who=target.id, what=f"lets {attacker.id} by", cites=(rule,))
        return True
    try:
        blow = maneuver_blow(fight, attacker, target, "overrun")
    except Refusal as lost:
        yield attack_is_lost(attacker, lost, "the overrun")
        return False
    blow.defense_extra += more_legs(fight, target, OVERRUN_TOPIC)
    check = yield from attempt_maneuver(fight, Attempt(blow, name=fight.declaration), OVERRUN_TOPIC)
    if not check.won:
        return False
    if check.margin >= fight.figure(OVERRUN_TOPIC, "prone_by"):
        yield from knock_down(fight, attacker, target)
        yield from trample_by_mount(fight, attacker, target)
    return not halted(fight, attacker, here)


def steps_aside(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[bool]:
    """Ask the target whether it avoids the attacker, which Improved Overrun does not allow."""
    rule, rider = fight.rule(OVERRUN_TOPIC), leader(fight, attacker)
    if rider is not attacker and has_feat(rider, "trample"):
        cites = fight.rules(OVERRUN_TOPIC, "pf1.feat.mounted")
        yield RuleApplied(who=target.id, what=f"may not avoid {attacker.id}", cites=cites)
        return False
    if has_improved(rider, "overrun") or has_improved(attacker, "overrun"):
        cites = fight.rules(OVERRUN_TOPIC, IMPROVED)
        yield RuleApplied(who=target.id, what="may not avoid the overrun", cites=cites)
        return False
    if cannot_act(fight, target):
        return False
    question = f"{attacker.id} overruns {target.id}: does {target.id} block or avoid?"
    return bool((yield Choice(target.id, "overrun", question, ("block", "avoid"), rule)) == "avoid")


def knock_down(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Make the target fall prone; by Greater Overrun it provokes from all who threaten it."""
    yield from falls_prone(target, f"overrun by {attacker.id}", fight.rules(OVERRUN_TOPIC))
    if has_greater(fight, attacker, "overrun"):
        yield from fight.dialect.opportunity.provoke(
            fight,
            target,
            threatening(fight, target),
            "is overrun",
            f"overrun by:{fight.declaration}",
            fight.rule(GREATER),
        )


# --- Reposition: an opponent forced to another place around the attacker (pf1.reposition)

REPOSITION_TOPIC: Final = "pf1.reposition"


def reposition(fight: Fight, act: acts.Reposition) -> Steps[None]:
    """Force an opponent along a path within reach, as a standard action.

    It goes as far as the result allows.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    blow = maneuver_blow(fight, actor, target, "reposition")
    refuse_way(fight, blow, act.path)
    check = yield from try_maneuver(fight, blow, REPOSITION_TOPIC)
    if not check.won:
        return
    feet, gone, cites = feet_of(fight, check, REPOSITION_TOPIC), [target.at], fight.rules(REPOSITION_TOPIC)
    for there in act.path:
        gone.append(there)
        if forced_feet(gone) > feet:
            return
        if is_walled_off(fight, target, there) or occupants(fight, target, there):
            yield RuleApplied(who=target.id, what="there is no room for it any more", cites=cites)
            return
        if falls_at(fight, target, target.at, there):
            yield RuleApplied(who=target.id, what=danger_at(there), cites=cites)
            return
        if not (yield from force(fight, actor, target, there, "reposition", *cites)):
            return


def danger_at(there: Square) -> str:
    """Return why a target cannot be repositioned above a chasm."""
    return f"{there[0]},{there[1]} is above a chasm: a reposition cannot lead into danger"


def refuse_way(fight: Fight, blow: Blow, path: tuple[Square, ...]) -> None:
    """Refuse a path with gaps, into solid or occupied squares, or out of reach before its last 5 feet.

    A chasm is refused as well, as a danger to all who do not fly.
    """
    attacker, target, rule = blow.attacker, blow.target, fight.rule(REPOSITION_TOPIC)
    if not path:
        raise Refusal("no path to move the target along is named", rule)
    least, most = melee_band(attacker, blow.weapon)
    for here, there in pairwise((target.at, *path)):
        if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
            raise Refusal(f"no step leads from {here[0]},{here[1]} to {there[0]},{there[1]}", rule)
    for here, there in pairwise((target.at, *path)):
        far = most + SQUARE_FT if there == path[-1] else most
        if not reaches(attacker, target, least, far, there):
            raise Refusal(f"{there[0]},{there[1]} is out of {attacker.id}'s reach", rule)
        if falls_at(fight, target, here, there):
            raise Refusal(danger_at(there), rule)
        if occupants(fight, target, there) or is_barred(fight, target, here, there):
            raise Refusal(f"there is no room at {there[0]},{there[1]}", rule)
