"""Implement overrun and push."""

from collections.abc import Iterator
from functools import partial

from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.dialects.woa.grapple.grab import refuse_held_leg
from affray.engine.dialects.woa.maneuvers.maneuver_check import (
    RUN_DOWN,
    THROUGH,
    Check,
    attempt_maneuver,
    limit_passed,
    maneuver_blow,
    provoke_by_failure,
    refuse_by_size,
    spend_maneuver_action,
)
from affray.engine.dialects.woa.maneuvers.maneuvers_as_attacks import is_immune_to_tripping, stability
from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.movement.movement import (
    WINDED,
    leading_number,
    refuse_after_step,
    refuse_lying,
    refuse_out_of_sight,
    refuse_rush,
    refuse_slowed,
    refuse_winded,
    speed_with_burdens,
)
from affray.engine.dialects.woa.movement.walking import refuse_unnatural
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import (
    provoke_by_movement,
    strikes_at_entry,
    who_may_strike,
)
from affray.engine.dialects.woa.position.shared_space import steps_along
from affray.engine.dialects.woa.position.size import is_overhead
from affray.engine.fight.fight import Fight, is_down, is_helpless, rule_of
from affray.engine.grid.battlefield import SQUARE_FT, Square, bars_step
from affray.engine.grid.distance import obstructed
from affray.engine.grid.lines_and_cover import can_be_put
from affray.engine.kernel.places import distance
from affray.engine.record.blow import ARMOR_CLASS, Blow, Harm
from affray.engine.record.chapters import Attempt
from affray.engine.rules.attacks.attack_roll import build_blow, strike_and_settle, tallies
from affray.engine.rules.classes.sheets import has_feat, has_trait, size_step
from affray.engine.rules.gear.hands import natural_weapons, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.maneuvers.opposed_checks import charging_blow, straight_on
from affray.engine.rules.mounted.riding import mount_of
from affray.engine.rules.movement.movement import (
    displaced,
    fall_over,
    falls_at,
    find_halting_condition,
    halted,
    is_barred,
    last_stop,
    refuse_crooked,
    report_halt,
    stepped,
)
from affray.engine.rules.position.places import COMPASS, choose_way, occupants
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import ActionSpent, PlanMade, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- One opponent in the way of an overrun: it steps aside, is run down, or holds (woa.maneuver.overrun.*)

SEVERAL = "woa.maneuver.overrun.multiple-opponents"
ENTERING = "aoo.provoke.entering-space"


class Overrunning(Struct, gc=False):
    """An overrun in progress: the mover, the leader that decides (a rider for its mount), and the path.

    `penalties` are for opponents already overrun, whose ids are `behind`; `checks` counts the checks made,
    `ends_inside` is set when a lost check has ended the overrun in an opponent's space.
    """

    who: Combatant
    leader: Combatant
    path: tuple[Square, ...]
    charging: bool = False
    penalties: list[Modifier] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    checks: int = 0
    ends_inside: bool = False


def go_over(fight: Fight, way: Overrunning, target: Combatant, into: Square) -> Steps[bool]:
    """Resolve entering the space of an opponent; return whether the way is free.

    An opponent that steps aside needs no check; a success leaves it prone, a failure lets it strike and ends
    the overrun in its space (woa.maneuver.overrun.target-may-avoid, .success, .failure).
    """
    attacker = way.who
    spared = strikes_at_entry(target, attacker)
    if (yield from steps_aside(fight, way, target)):
        cites = fight.rules("woa.maneuver.overrun.target-may-avoid", *(free_entry() if spared else ()))
        yield RuleApplied(who=target.id, what=f"lets {attacker.id} by", cites=cites)
        return True
    way.checks += 1
    blow = maneuver_blow(fight, attacker, target, "overrun", weapon=bearing_down(fight, way), kind=RUN_DOWN)
    blow.attack_extra += way.penalties
    topics = ["woa.maneuver.overrun.attack-bonus"]
    if attacker is not way.leader:
        topics = ["woa.maneuver.overrun.mounted"]
        if fight.option("mounted_overrun_bonus") == "unarmed":
            topics.append("woa.maneuver.overrun.attack-bonus")
    if way.charging:
        topic = "woa.maneuver.overrun.charge"
        blow.attack_extra.append(fight.modifier(topic, "check", kind="circumstance", source="charging"))
    blow.defense_extra += stability(fight, target, "woa.maneuver.overrun.stability-bonus")
    here = attacker.at
    again = partial(refuse_if_gone, fight, attacker, target, into)
    result = yield from attempt_maneuver(fight, blow, *topics, again=again)
    if result is None:
        if is_in_way(fight, attacker, target, into) or halted(fight, attacker, here):
            return False
        way.checks -= 1  # an opponent that has moved out of the way has let the mover by
        return True
    if not result.won:
        yield from provoke_by_failure(fight, blow, "woa.maneuver.overrun.failure")
        if halted(fight, attacker, here):
            yield from report_halt(fight, attacker, "overrun")
        else:
            yield stepped(way.who, into, "overrun", fight.rule("woa.maneuver.overrun.failure"))
            way.ends_inside = True
        return False
    if spared:
        what = f"gives {target.id} no opening by entering its space"
        yield RuleApplied(who=attacker.id, what=what, cites=fight.rules(*free_entry()))
    yield from knock_down(fight, way, target)
    yield from fight.dialect.attacks.after_maneuver(fight, blow)
    way.behind.append(target.id)
    way.penalties.append(penalty_for_overrun(fight, attacker, target))
    return True


def is_in_way(fight: Fight, attacker: Combatant, target: Combatant, into: Square) -> bool:
    """Return whether a target occupies squares that the attacker would occupy at `into`."""
    return target in occupants(fight, attacker, into)


def refuse_if_gone(fight: Fight, attacker: Combatant, target: Combatant, into: Square) -> None:
    """Refuse to run down an opponent that is no longer in the way."""
    if not is_in_way(fight, attacker, target, into):
        rule = fight.rule("woa.maneuver.overrun.target-may-avoid")
        raise Refusal(f"{target.id} has got out of the way", rule)


def free_entry() -> tuple[str, ...]:
    """Return the topics by which an overrun does not provoke by entering a space."""
    return ("woa.maneuver.overrun.no-entry-aoo", "woa.aoo.avoid.overrun")


def steps_aside(fight: Fight, way: Overrunning, target: Combatant) -> Steps[bool]:
    """Ask an opponent whether it lets the mover by, unless it may not or cannot.

    Improved Overrun and a rider's Trample do not allow it, and a narrow place has no room for it
    (woa.maneuver.overrun.target-may-avoid, .trample-feat, .no-room-to-avoid).
    """
    rider = way.leader
    rule = fight.rule("woa.maneuver.overrun.target-may-avoid")
    if has_feat(rider, "improved overrun"):
        yield RuleApplied(who=target.id, what="may not step aside (Improved Overrun)", cites=(rule,))
        return False
    if rider is not way.who and has_feat(rider, "trample"):
        cites = fight.rules("woa.maneuver.overrun.trample-feat")
        yield RuleApplied(who=target.id, what="may not step aside (Trample)", cites=cites)
        return False
    if not has_room(fight, way, target):
        cites = fight.rules("woa.maneuver.overrun.no-room-to-avoid")
        yield RuleApplied(who=target.id, what="has no room to step aside", cites=cites)
        return False
    question = f"{way.who.id} overruns {target.id}: does {target.id} stand fast or step aside?"
    return bool((yield Choice(target.id, "overrun", question, ("stand", "step aside"), rule)) == "step aside")


def has_room(fight: Fight, way: Overrunning, target: Combatant) -> bool:
    """Return whether there is a free square next to a target, off the mover's path."""
    side, mover = way.who.space, way.who
    swept = {(x + dx, y + dy) for x, y in (mover.at, *way.path) for dx in range(side) for dy in range(side)}
    steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    for dx, dy in steps:
        there = (target.at[0] + dx, target.at[1] + dy)
        held = {(there[0] + x, there[1] + y) for x in range(target.space) for y in range(target.space)}
        if held & swept or not can_be_put(fight.field, target.at, target.space, there, target.space):
            continue
        if not [one for one in occupants(fight, target, there) if one is not mover]:
            return True
    return False


def bearing_down(fight: Fight, way: Overrunning) -> Weapon | None:
    """Return the weapon of the check: None, or a mount's hooves (option `mounted_overrun_bonus`)."""
    if way.who is way.leader or fight.option("mounted_overrun_bonus") == "unarmed":
        return None
    return hoof(way.who)


def hoof(steed: Combatant) -> Weapon | None:
    """Return a mount's hoof, otherwise its first natural weapon, None if it has none."""
    found = natural_weapons(steed)
    return next((one for one in found if "hoo" in one.name), found[0] if found else None)


def knock_down(fight: Fight, way: Overrunning, target: Combatant) -> Steps[None]:
    """Knock an overrun target prone, and let the mount of a rider with Trample strike it once.

    A target that cannot be knocked prone is passed without effect (woa.maneuver.overrun.success,
    .cannot-be-proned, .trample-feat).
    """
    attacker = way.who
    if is_immune_to_tripping(target):
        cites = fight.rules("woa.maneuver.overrun.cannot-be-proned")
        yield RuleApplied(who=target.id, what="is passed, but cannot be knocked prone", cites=cites)
        return
    if "prone" in target.conditions:
        cites = fight.rules("woa.maneuver.overrun.success")
        yield RuleApplied(who=target.id, what="is passed where it lies", cites=cites)
        return
    cites = fight.rules("woa.maneuver.overrun.success")
    yield ConditionGained(who=target.id, condition="prone", source=f"overrun by {attacker.id}", cites=cites)
    weapon = hoof(attacker)
    if attacker is not way.leader and has_feat(way.leader, "trample") and weapon is not None:
        feet = distance(attacker, target)
        blow = build_blow(fight, attacker, target, weapon, "trample", feet=feet)
        blow.cites += fight.rules("woa.maneuver.overrun.trample-feat")
        yield from strike_and_settle(fight, blow)


def penalty_for_overrun(fight: Fight, attacker: Combatant, target: Combatant) -> Modifier:
    """Return the penalty on further checks for one opponent overrun, by its size."""
    steps = size_step(target) - size_step(attacker)
    row = {0: "same", -1: "one category smaller"}.get(min(steps, 0), "two categories smaller")
    row = "larger" if steps > 0 else row
    path = (f"overrun_opponent_relative_size={row}", "penalty_each")
    return fight.modifier(SEVERAL, *path, kind="penalty", source=f"after overrunning {target.id}")


def provoke_by_entering(
    fight: Fight, way: Overrunning, targets: list[Combatant], into: Square
) -> Steps[None]:
    """Resolve attacks of opportunity against a step into opponents' spaces, except those for entering the
    spaces.
    """
    how = "charge" if way.charging else "normal"
    found = who_may_strike(fight, way.who, way.who.at, into, how)
    others = [one for one in found if not (one[2] == ENTERING and one[0] in targets)]
    if others:
        yield from provoke_by_movement(fight, way.who, others, "overrun")


# --- Overrun: forcing a way past or over opponents (woa.maneuver.overrun.*)
# A rider has its mount overrun: the mount moves and makes the check, the rider spends the action.

COST = "woa.maneuver.overrun.action-cost"
CHARGE = "woa.maneuver.overrun.charge"
#: The rows for the kinds of overrun, by the action that each takes.
ROWS = {"standard": "standard action", "full-round": "full-round action"}


def overrun(fight: Fight, act: acts.Overrun) -> Steps[None]:
    """Move along a path through opponents' spaces, in a standard or full-round action or a charge.

    woa.maneuver.overrun.action-cost, .charge, .improved-overrun-charge
    """
    leader = fight.combatant(act.actor)
    actor = mount_of(fight, leader) or leader
    kind = "full-round" if act.charge or act.whole else "standard"
    refuse_unless_allowed(fight, leader, kind)
    refuse_after_step(fight, actor)
    refuse_lying(fight, actor)
    feet = charging_feet(fight, actor, act) if act.charge else moving_feet(fight, actor, kind)
    targets = opponents_in_way(fight, actor, act.path, feet)
    if act.target and fight.combatant(act.target) not in targets:
        raise Refusal(
            f"the way does not lead through {act.target}", fight.rule("woa.maneuver.overrun.definition")
        )
    weapon = weapon_at_end(fight, leader, act)
    way = Overrunning(actor, leader, act.path, act.charge)
    yield spending(
        fight,
        leader,
        kind,
        "overrun",
        *fight.rules(COST, "woa.maneuver.overview", "woa.perform-combat-maneuver"),
    )
    if act.charge:
        yield from set_out_on_charge(fight, leader, actor, act)
    start = actor.at
    there = yield from go_along_path(fight, way)
    if not there and not way.ends_inside:
        # A mover stopped while passing a combatant does not stay in that space.
        legal = last_stop(fight, actor, (start, *path_to(actor.at, act.path)))
        yield from fight.dialect.movement.step_aside(fight, actor, legal)
    if not way.checks and not act.charge:
        yield from give_action_back(fight, leader, kind)
    if there and weapon is not None and not is_down(fight, leader):
        yield from strike_at_the_end(fight, leader, fight.combatant(act.strike), weapon)


def moving_feet(fight: Fight, combatant: Combatant, kind: str) -> int:
    """Return the distance in feet of an overrun without a charge (woa.maneuver.overrun.action-cost)."""
    words = str(fight.figure(COST, f"as={ROWS[kind]}", "max_move"))
    return (
        speed_with_burdens(fight, combatant) // 2
        if words.startswith("half")
        else speed_with_burdens(fight, combatant)
    )


def charging_feet(fight: Fight, actor: Combatant, act: acts.Overrun) -> int:
    """Return the distance in feet of a charge. Refuse a combatant that cannot charge (woa.charge.*)."""
    rush = acts.Charge(actor=actor.id, target=act.target, path=act.path)
    refuse_unnatural(fight, actor, rush)
    refuse_rush(fight, actor, rush)
    refuse_held_leg(fight, actor)
    if WINDED in actor.conditions:
        refuse_winded(fight, actor, rush)
    refuse_slowed(fight, actor)
    if act.target:
        refuse_out_of_sight(fight, actor, fight.combatant(act.target))
    rule = fight.rule("woa.charge.distance")
    least = leading_number(fight, "min") * actor.space
    if len(act.path) < least:
        raise Refusal(f"a charge covers at least {least * SQUARE_FT} ft.", rule)
    refuse_crooked(actor, act.path, fight.rule("woa.charge.path"))
    for square in act.path:
        if movement.is_rough(fight, actor, square) or movement.is_obstacle(fight, actor, square):
            where = f"the ground at {square[0]},{square[1]} hinders a charge"
            raise Refusal(where, fight.rule("woa.charge.impeded"))
    return leading_number(fight, "max") * speed_with_burdens(fight, actor)


def weapon_at_end(fight: Fight, leader: Combatant, act: acts.Overrun) -> Weapon | None:
    """Return the weapon for an attack at the end, None if there is no attack.

    Such an attack is refused unless it ends a charge with Improved Overrun (woa.maneuver.overrun.charge,
    .improved-overrun-charge).
    """
    if not act.strike:
        return None
    fight.combatant(act.strike)
    if not act.charge or not has_feat(leader, "improved overrun"):
        reason = "an overrun ends with an attack only in a charge with Improved Overrun"
        raise Refusal(reason, fight.rule(CHARGE))
    weapon = find_weapon(fight, leader, act.weapon)
    if not strikes_in_melee(weapon):
        raise Refusal(f"the {weapon.name} cannot be used in a charge", fight.rule("woa.charge.attack"))
    return weapon


def opponents_in_way(
    fight: Fight, combatant: Combatant, path: tuple[Square, ...], feet: int
) -> list[Combatant]:
    """Return the opponents in the way, in order. Refuse opponents that cannot be passed and a path too long.

    woa.maneuver.overrun.size-limits, .cannot-be-proned
    """
    rule = fight.rule("woa.maneuver.overrun.definition")
    dialect, found = fight.dialect, list[Combatant]()
    for name in combatant.conditions:
        if not rule_of(fight, name).moves:
            raise Refusal(f"{combatant.id} is {name} and cannot move", fight.rule(rule_of(fight, name).topic))
    for here, there in steps_along(combatant.at, path, rule):
        barring = list(who_must_be_overrun(fight, combatant, there))
        last = there == path[-1]
        if len(barring) > 1 and not last:
            if obstructed(fight.field, here, there, combatant.space):
                reason = f"the way to {there[0]},{there[1]} is blocked"
                raise Refusal(reason, fight.rule("woa.terrain.obstacle.blocking"))
        else:
            # The mover may pass an opponent it runs down, but not stay in its space.
            through = barring[0] if barring and not last else None
            dialect.movement.refuse_step(fight, combatant, here, there, last, through, "normal")
        for one in barring:
            refuse_by_size(fight, combatant, one, "overrun")
            if has_trait(one, "fills its space"):
                rule = fight.rule("woa.maneuver.overrun.cannot-be-proned")
                raise Refusal(f"{one.id} fills its space and cannot be overrun", rule)
        found += [one for one in barring if one not in found]
    cost = dialect.movement.measure(fight, combatant, (combatant.at, *path), "normal")
    if cost.feet > feet:
        raise Refusal(f"the path costs {cost.feet} ft., {combatant.id} has {feet} ft.", fight.rule(COST))
    if not found:
        raise Refusal(f"no opponent bars that path: {combatant.id} has no one to overrun", rule)
    return found


def who_must_be_overrun(fight: Fight, combatant: Combatant, there: Square) -> Iterator[Combatant]:
    """Yield the opponents in a space that must be overrun: not the helpless, nor those three sizes different.

    woa.maneuver.overrun.three-size-difference
    """
    for other in occupants(fight, combatant, there):
        if other.side == combatant.side or is_helpless(fight, other):
            continue
        if is_overhead(combatant, other):
            continue
        if size_step(other) < size_step(combatant):
            passes = bool(limit_passed(fight, combatant, other, "overrun"))
        else:
            passes = fight.dialect.movement.may_pass(fight, combatant, other)
        if not passes:
            yield other


def set_out_on_charge(fight: Fight, leader: Combatant, actor: Combatant, act: acts.Overrun) -> Steps[None]:
    """Begin a charge: no short step, and -2 AC for the round."""
    cites = fight.rules("woa.charge.no-short-step")
    yield ActionSpent(who=leader.id, kind="rush", what="charge", cites=cites)
    until = Until("round-end", "", fight.state.round)
    for one in dict.fromkeys((leader.id, actor.id)):
        yield ConditionGained(
            who=one,
            condition="charging",
            source=act.target,
            until=until,
            cites=fight.rules(CHARGE, "woa.charge.attack"),
        )


def go_along_path(fight: Fight, way: Overrunning) -> Steps[bool]:
    """Move along the path, past one opponent after another; return whether the end was reached."""
    combatant = way.who
    met: set[str] = set()
    plain: list[Square] = []
    for there in way.path:
        start = plain[-1] if plain else combatant.at
        inside = {one.id for one in occupants(fight, combatant, start)}
        entered = [one for one in who_must_be_overrun(fight, combatant, there) if one.id not in met | inside]
        if not entered:
            yield from note_passed_by_size(fight, combatant, there, inside)
            plain.append(there)
            continue
        if plain and not (yield from walk_stretch(fight, way, plain)):
            return False
        plain, here = [], combatant.at
        yield from provoke_by_entering(fight, way, entered, there)
        for target in entered:
            met.add(target.id)
            if halted(fight, combatant, here):
                yield from report_halt(fight, combatant, "overrun")
                return False
            if not (yield from go_over(fight, way, target, there)):
                return False
        yield stepped(way.who, there, "overrun", fight.rule("woa.maneuver.overrun.definition"))
        yield from fight.dialect.movement.after_movement(fight, combatant)
        if halted(fight, combatant, there):
            yield from report_halt(fight, combatant, "overrun")
            return False
    return not plain or (yield from walk_stretch(fight, way, plain))


def note_passed_by_size(fight: Fight, combatant: Combatant, there: Square, inside: set[str]) -> Steps[None]:
    """Report the opponents that the mover passes because they differ by three sizes.

    woa.maneuver.overrun.three-size-difference
    """
    for other in occupants(fight, combatant, there):
        if other.id not in inside and other.side != combatant.side and not is_helpless(fight, other):
            cites = fight.rules("woa.maneuver.overrun.three-size-difference")
            yield RuleApplied(who=combatant.id, what=f"passes {other.id}, so different in size", cites=cites)


def path_to(at: Square, path: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return the squares of a path up to one of its squares, or all of them if it is not on the path."""
    return path[: path.index(at) + 1] if at in path else path


def walk_stretch(fight: Fight, way: Overrunning, squares: list[Square]) -> Steps[bool]:
    """Walk a part of the path where no opponent is run down; return whether its end was reached.

    With Improved Overrun, opponents left behind get no attack of opportunity
    (woa.aoo.avoid.improved-overrun).
    """
    how = "charge" if way.charging else "normal"
    spared = tuple(way.behind) if has_feat(way.leader, "improved overrun") else ()
    rule = fight.rule("woa.maneuver.overrun.definition")
    reached = yield from fight.dialect.movement.walk(fight, way.who, squares, how, rule, spared=spared)
    return bool(reached)


def give_action_back(fight: Fight, leader: Combatant, kind: str) -> Steps[None]:
    """Return the action of an overrun for which every opponent made way; only the movement is used up.

    woa.maneuver.overrun.target-may-avoid
    """
    cites = fight.rules("woa.maneuver.overrun.target-may-avoid")
    what = "overrun: they made way"
    yield ActionSpent(who=leader.id, kind=kind, what=what, amount=-1, cites=cites)
    yield ActionSpent(who=leader.id, kind="move", what=what, cites=cites)
    if leader.plan:
        plan = (*leader.plan, ("standard", "overrun", ""))
        yield PlanMade(who=leader.id, actions=plan, cites=cites)


def strike_at_the_end(fight: Fight, leader: Combatant, target: Combatant, weapon: Weapon) -> Steps[None]:
    """Make the attack at the end of the charge (woa.maneuver.overrun.improved-overrun-charge)."""
    if "dead" in target.conditions:
        return
    rule = fight.rule("woa.maneuver.overrun.improved-overrun-charge")
    blow = yield from fight.dialect.attacks.blow_at_end(
        fight, leader, weapon, partial(charging_blow, fight, leader, target)
    )
    if blow is None:
        return
    blow.attack_extra.append(
        fight.modifier("woa.charge.attack", "attack_bonus", kind="circumstance", source="charging")
    )
    blow.cites.append(rule)
    yield from fight.dialect.attacks.deliver(fight, blow)


# --- Pushing: where the target goes, what is in the way, and what it strikes against
#
# woa.maneuver.push.distance, .follow, .into-obstacle, .into-hazard, .multiple-opponents.

ALONG = "pushed"


class Drive(Struct, gc=False):
    """A push in progress: the attack behind it, its direction, the total feet.

    `bonus` is what following adds to the margin, `left` the feet that the pusher may move (0: it stays).
    `pushed` lists the combatants being pushed, the nearest first.
    """

    blow: Blow
    way: Square
    feet: int
    bonus: int
    left: int
    pushed: list[Combatant] = field(default_factory=list)


def drive_target(fight: Fight, push: Drive) -> Steps[None]:
    """Push the target back square by square, until the feet are used up or something stops it."""
    attacker = push.blow.attacker
    push.pushed = [push.blow.target]
    penalties: list[Modifier] = []
    done = gone = 0
    stopped: Combatant | None = None
    while done < push.feet:
        front = push.pushed[-1]
        at = place_of(front, push.way, done - gone)
        if is_blocked_by_ground(fight, front, at, push.way):
            stopped = front
            break
        other = next((one for one in those_ahead(fight, push, front, at)), None)
        there = (at[0] + push.way[0], at[1] + push.way[1])
        if other is None and falls_at(fight, front, at, there):
            yield from move_pushed(fight, push, done - gone)
            gone = done
            yield from fall_over(fight, front, there, ALONG, *fight.rules("woa.maneuver.push.distance"))
            push.pushed.remove(front)
            if not push.pushed:
                break
            continue
        if other is None:
            done += SQUARE_FT
            continue
        if limit_passed(fight, attacker, other, "push") and size_step(other) > size_step(attacker):
            stopped = front
            break
        yield from move_pushed(fight, push, done - gone)
        gone = done
        penalties.append(penalty_of_weight(fight, attacker, front))
        if not (yield from push_too(fight, push, other, penalties)):
            break
    yield from move_pushed(fight, push, done - gone)
    if stopped is not None:
        yield from stop_at_obstacle(fight, push, stopped)
    if push.left and done:
        yield from go_along(fight, push, min(done, push.left))


def place_of(combatant: Combatant, way: Square, feet: int) -> Square:
    """Return the square of a combatant after it was pushed `feet` feet."""
    steps = feet // SQUARE_FT
    return (combatant.at[0] + way[0] * steps, combatant.at[1] + way[1] * steps)


def those_ahead(fight: Fight, push: Drive, front: Combatant, at: Square) -> list[Combatant]:
    """Return the combatants whose space the foremost would enter with one more step."""
    there = occupants(fight, front, (at[0] + push.way[0], at[1] + push.way[1]))
    already = [*occupants(fight, front, front.at), *push.pushed, push.blow.attacker]
    return [one for one in there if one not in already]


def is_blocked_by_ground(fight: Fight, front: Combatant, at: Square, way: Square) -> bool:
    """Return whether the ground stops the target at its next step."""
    return is_barred(fight, front, at, (at[0] + way[0], at[1] + way[1]))


def move_pushed(fight: Fight, push: Drive, feet: int) -> Steps[None]:
    """Move all pushed combatants `feet` feet, the foremost first; this is not their own movement."""
    cites = fight.rules("woa.maneuver.push.distance")
    for combatant in reversed(push.pushed if feet else ()):
        path = tuple(place_of(combatant, push.way, far) for far in range(SQUARE_FT, feet + 1, SQUARE_FT))
        yield displaced(combatant, path, ALONG, *cites)


def go_along(fight: Fight, push: Drive, feet: int) -> Steps[None]:
    """Move the pusher after its target, as far as the ground and its movement allow."""
    attacker = push.blow.attacker
    if halted(fight, attacker, attacker.at):
        yield from report_halt(fight, attacker, "push")
        return
    path: list[Square] = []
    at = attacker.at
    for _ in range(feet // SQUARE_FT):
        there = (at[0] + push.way[0], at[1] + push.way[1])
        if obstructed(fight.field, at, there, attacker.space) or is_pusher_blocked(fight, push, there):
            break
        path.append(there)
        at = there
    if path:
        yield from fight.dialect.movement.walk(
            fight, attacker, path, "normal", fight.rule("woa.maneuver.push.follow")
        )


def is_pusher_blocked(fight: Fight, push: Drive, there: Square) -> bool:
    """Return whether a combatant outside the pusher's space is in a square where the pusher would go."""
    attacker = push.blow.attacker
    already = occupants(fight, attacker, attacker.at)
    return any(one not in already for one in occupants(fight, attacker, there))


def penalty_of_weight(fight: Fight, combatant: Combatant, before: Combatant) -> Modifier:
    """Return the penalty for a combatant already being pushed, by its size.

    woa.maneuver.push.multiple-opponents
    """
    steps = size_step(before) - size_step(combatant)
    row = "larger" if steps > 0 else "same" if steps == 0 else "smaller"
    topic = "woa.maneuver.push.multiple-opponents"
    path = (f"preceding_opponent_relative_size={row}", "penalty_each")
    return fight.modifier(topic, *path, kind="penalty", source=f"pushing {before.id} already")


def push_too(fight: Fight, push: Drive, other: Combatant, penalties: list[Modifier]) -> Steps[bool]:
    """Make another check for a combatant in the way; return whether the push goes on.

    The lower result sets the distance; a failure stops the push and lets that combatant strike
    (woa.maneuver.push.multiple-opponents, .failure).
    """
    first = push.blow
    blow = maneuver_blow(fight, first.attacker, other, "push", kind=THROUGH)
    blow.attack_extra += [part for part in first.attack_extra if part.kind != "size"] + penalties
    result = yield from attempt_maneuver(
        fight, blow, "woa.maneuver.push.multiple-opponents", "woa.maneuver.push.attack-bonus"
    )
    if result is None:
        return False
    if not result.won:
        yield from provoke_by_failure(fight, blow, "woa.maneuver.push.failure")
        return False
    unit = first.attacker.space * SQUARE_FT
    step = fight.figure("woa.maneuver.push.distance", "margin_step")
    push.feet = min(push.feet, (1 + (result.margin + push.bonus) // step) * unit)
    push.pushed.append(other)
    return True


def stop_at_obstacle(fight: Fight, push: Drive, front: Combatant) -> Steps[None]:
    """Stop the foremost combatant at an obstacle, and deal damage as for a fall of twice the distance.

    At a brink and at the edge of the map there is no obstacle. The game master resolves a dangerous one
    (woa.maneuver.push.into-obstacle, .into-hazard).
    """
    if open_end := find_open_end_ahead(fight, front, push.way):
        cites = fight.rules("woa.maneuver.push.distance")
        yield RuleApplied(who=front.id, what=f"stops at {open_end}", cites=cites)
        return
    hazard, obstacle = fight.rules("woa.maneuver.push.into-hazard", "woa.maneuver.push.into-obstacle")
    question = f"{front.id} is pushed into something: is it a plain obstacle?"
    if (yield Choice("", "obstacle", question, ("plain", "dangerous"), hazard)) == "dangerous":
        yield RuleApplied(who=front.id, what="is pushed into a hazard of its own kind", cites=(hazard,))
        return
    feet = push.feet * fight.figure("woa.maneuver.push.into-obstacle", "fall_multiplier")
    most, die = (str(fight.figure("woa.falling.damage", name)).split("d") for name in ("max", "per_10ft"))
    count = min(feet // fight.figure("woa.falling.damage", "per_ft") * int(die[0]), int(most[0]))
    what = f"stops in front of it, as after a fall of {feet} ft."
    yield RuleApplied(who=front.id, what=what, cites=(obstacle,))
    if count:
        rolled = yield Roll(front.id, "collision", f"{count}d{die[1]}")
        cites = (obstacle, fight.rule("woa.falling.damage"))
        harm = Harm(front, rolled.total, "bludgeoning", "the collision", push.blow.attacker, cites=cites)
        yield from fight.dialect.damage.suffer(fight, harm)


def find_open_end_ahead(fight: Fight, front: Combatant, way: Square) -> str:
    """Return the open end before the next step: a brink, or the edge of the map; "" if neither."""
    field, side = fight.field, front.space
    x, y = place_of(front, way, SQUARE_FT)
    if bars_step(field, front.at, (x, y), side):
        return ""
    squares = [(x + dx, y + dy) for dx in range(side) for dy in range(side)]
    barred = [at for at in squares if not field.passable(at)]
    if not barred or any(at in field.covering for at in barred):
        return ""
    return "the brink" if any(field.holds(at) for at in barred) else "the edge of the map"


# --- Push: driving an opponent back, into things and into other combatants (woa.maneuver.push.*)

SMALLER = "woa.maneuver.push.much-smaller-opponents"


def push(fight: Fight, act: acts.Push) -> Steps[None]:
    """Push an opponent back as a standard action (woa.maneuver.push.action-cost)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "standard")
    planned = plan_push(fight, actor, target, "", "", "attack")
    yield spend_maneuver_action(
        fight, actor, "push", "woa.maneuver.push.action-cost", "woa.maneuver.push.definition"
    )
    yield from carry_out_push(fight, planned)


def plan_push(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to push.

    Refuse by size, and in place of an attack except against much smaller targets.

    At the end of a charge it replaces the attack; a target two or three sizes smaller in the pusher's space
    is knocked away with any unarmed attack (woa.maneuver.push.action-cost, .size-limits, .attack-bonus,
    .much-smaller-opponents).
    """
    if weapon not in ("", "unarmed strike"):
        raise Refusal(f"the {weapon} cannot be used to push", fight.rule("woa.maneuver.push.attack-bonus"))
    if kind == "charge" or not is_underfoot(fight, attacker, target):
        refuse_by_size(fight, attacker, target, "push")
        if kind not in ("attack", "charge"):
            rule = fight.rule("woa.maneuver.push.action-cost")
            raise Refusal("a push is a standard action, or the end of a charge", rule)
    return Attempt(maneuver_blow(fight, attacker, target, "push", kind=kind), name=fight.declaration)


def is_underfoot(fight: Fight, attacker: Combatant, target: Combatant) -> bool:
    """Return whether the target is a much smaller opponent within the attacker's space."""
    smaller = size_step(attacker) - size_step(target)
    least, most = (fight.figure(SMALLER, name) for name in ("min_smaller", "max_smaller"))
    return bool(least <= smaller <= most) and distance(attacker, target) == 0


def carry_out_push(fight: Fight, planned: Attempt) -> Steps[bool]:
    """Make the check; a success pushes the target back, a failure lets it strike."""
    blow = planned.blow
    small = (SMALLER,) if is_underfoot(fight, blow.attacker, blow.target) else ()
    result = yield from attempt_maneuver(fight, blow, "woa.maneuver.push.attack-bonus", *small)
    if result is None:
        return False
    if not result.won:
        yield from provoke_by_failure(fight, blow, "woa.maneuver.push.failure")
        return False
    way = yield from direction(fight, blow)
    yield from drive_back(fight, blow, result, way)
    if small and not is_down(fight, blow.attacker):
        yield from damage_small_target(fight, blow)
    return True


def direction(fight: Fight, blow: Blow) -> Steps[Square]:
    """Return the step, (dx, dy), of the target: straight back, or any direction from the attacker's own
    space.
    """
    attacker, target = blow.attacker, blow.target
    back = straight_on(attacker.at, attacker, target)
    if distance(attacker, target) or not any(back):
        if any(back):
            return back
        back = COMPASS["east"]
    ways = (back, *(way for way in COMPASS.values() if way != back))
    question = f"which way does {attacker.id} push {target.id}?"
    return (yield from choose_way(attacker.id, question, ways, fight.rule(SMALLER)))


def drive_back(fight: Fight, blow: Blow, result: Check, way: Square) -> Steps[None]:
    """Ask whether the pusher follows and how far it pushes, then push the target back.

    The distance is the width of the pusher's space, plus as much for every 5 points of margin; following adds
    5 points, within the movement that it has left (woa.maneuver.push.distance, .follow).
    """
    attacker, target = blow.attacker, blow.target
    rule = fight.rule("woa.maneuver.push.follow")
    left = movement_left(fight, blow)
    follows = False
    if left >= SQUARE_FT and distance(attacker, target):
        question = f"{attacker.id} pushes {target.id} back: does it follow?"
        follows = (yield Choice(attacker.id, "follow", question, ("stay", "follow"), rule)) == "follow"
    bonus = fight.figure("woa.maneuver.push.follow", "check") if follows else 0
    unit = attacker.space * SQUARE_FT
    most = (1 + further_spaces(fight, result.margin + bonus)) * unit
    feet = most
    if most > unit:
        options = tuple(str(far) for far in range(most, 0, -unit))
        question = f"how many feet does {attacker.id} push {target.id}?"
        feet = int(
            (yield Choice(attacker.id, "push", question, options, fight.rule("woa.maneuver.push.distance")))
        )
    yield from drive_target(fight, Drive(blow, way, feet, bonus, left if follows else 0))


def further_spaces(fight: Fight, margin: int) -> int:
    """Return the number of additional spaces that a margin lets a pusher drive its target."""
    return int(margin // fight.figure("woa.maneuver.push.distance", "margin_step"))


def movement_left(fight: Fight, blow: Blow) -> int:
    """Return the feet that a pusher may still move: its speed, in a charge twice that.

    It is 0 in a saddle, and for a pusher that is prone or held.
    """
    attacker = blow.attacker
    if attacker.mount or find_halting_condition(fight, attacker):
        return 0
    limit = speed_with_burdens(fight, attacker)
    if blow.intent.kind == "charge":
        limit *= int(str(fight.figure("woa.charge.distance", "max")).split()[0])
    return max(0, limit - attacker.spent.get("feet", 0))


def damage_small_target(fight: Fight, blow: Blow) -> Steps[None]:
    """Deal unarmed damage to a much smaller target if the check also beats its whole AC.

    woa.maneuver.push.much-smaller-opponents
    """
    blow.intent = replace(blow.intent, against=ARMOR_CLASS)
    _, against = tallies(fight, blow)
    if blow.outcome.total > against.total and "dead" not in blow.target.conditions:
        what = f"{blow.outcome.total} beats the whole AC {against.total} too"
        yield RuleApplied(who=blow.attacker.id, what=what, cites=fight.rules(SMALLER))
        yield from fight.dialect.damage.deal(fight, blow, False)
