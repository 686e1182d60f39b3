"""Overrun: a way forced past or over those who stand in it (woa.maneuver.overrun.*).

A rider has its mount overrun: the mount moves and makes the check, the rider spends the action.
"""

from collections.abc import Iterator
from functools import partial

from affray.engine.dialects.woa.grapple.grab_prohibitions import refuse_held_leg
from affray.engine.dialects.woa.maneuvers.maneuver_check import limit_passed, refuse_by_size
from affray.engine.dialects.woa.maneuvers.overrun_opponent import Way, go_over, provoke_by_entering
from affray.engine.dialects.woa.movement import terrain
from affray.engine.dialects.woa.movement.climb_and_burrow import refuse_unnatural
from affray.engine.dialects.woa.movement.double_move_and_run import WINDED, refuse_winded
from affray.engine.dialects.woa.movement.movement import (
    leading_number,
    refuse_after_step,
    refuse_lying,
    refuse_slowed,
    speed_with_burdens,
)
from affray.engine.dialects.woa.movement.rush_prohibitions import refuse_out_of_sight, refuse_rush
from affray.engine.dialects.woa.position.room_to_share import steps_along
from affray.engine.fight.fight import Fight, is_down, is_helpless, rule_of
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.rules.classes.ability_modifiers import has_feat, has_trait, size_step
from affray.engine.rules.gear.held_weapons import strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.maneuvers.special_attacks import charging_blow
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.rules.movement.displaced import stepped
from affray.engine.rules.movement.footing import last_stop
from affray.engine.rules.movement.movement import halted, refuse_crooked, tell_halt
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import ActionSpent, PlanMade, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

COST = "woa.maneuver.overrun.action-cost"
CHARGE = "woa.maneuver.overrun.charge"
#: The rows of the ways to overrun, by the action that each takes.
ROWS = {"standard": "standard action", "full-round": "full-round action"}


def overrun(fight: Fight, act: acts.Overrun) -> Steps[None]:
    """Move along a path through opponents' spaces, in a standard or full-round action or a charge.

    woa.maneuver.overrun.action-cost, .charge, .improved-overrun-charge.
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
    way = Way(actor, leader, act.path, act.charge)
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
        # Whoever is stopped while it passes somebody does not stay in that space.
        legal = last_stop(fight, actor, (start, *path_to(actor.at, act.path)))
        yield from fight.dialect.movement.step_aside(fight, actor, legal)
    if not way.checks and not act.charge:
        yield from give_action_back(fight, leader, kind)
    if there and weapon is not None and not is_down(fight, leader):
        yield from strike_at_the_end(fight, leader, fight.combatant(act.strike), weapon)


def moving_feet(fight: Fight, combatant: Combatant, kind: str) -> int:
    """Return how far an overrun leads without a charge (woa.maneuver.overrun.action-cost)."""
    words = str(fight.figure(COST, f"as={ROWS[kind]}", "max_move"))
    return (
        speed_with_burdens(fight, combatant) // 2
        if words.startswith("half")
        else speed_with_burdens(fight, combatant)
    )


def charging_feet(fight: Fight, actor: Combatant, act: acts.Overrun) -> int:
    """Return how far a charge leads. Refuses what forbids to charge (woa.charge.*)."""
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
        if terrain.is_rough(fight, actor, square) or terrain.is_obstacle(fight, actor, square):
            where = f"the ground at {square[0]},{square[1]} hinders a charge"
            raise Refusal(where, fight.rule("woa.charge.impeded"))
    return leading_number(fight, "max") * speed_with_burdens(fight, actor)


def weapon_at_end(fight: Fight, leader: Combatant, act: acts.Overrun) -> Weapon | None:
    """Return the weapon of an attack at the end, None for no attack.

    Refuses it but after a charge to who has Improved Overrun (woa.maneuver.overrun.charge,
    .improved-overrun-charge).
    """
    if not act.strike:
        return None
    fight.combatant(act.strike)
    if not act.charge or not has_feat(leader, "improved overrun"):
        reason = "an overrun leaves no attack at its end but in a charge with Improved Overrun"
        raise Refusal(reason, fight.rule(CHARGE))
    weapon = find_weapon(fight, leader, act.weapon)
    if not strikes_in_melee(weapon):
        raise Refusal(f"one cannot charge with the {weapon.name}", fight.rule("woa.charge.attack"))
    return weapon


def opponents_in_way(
    fight: Fight, combatant: Combatant, path: tuple[Square, ...], feet: int
) -> list[Combatant]:
    """Return the opponents in the way, in order. Refuses what cannot be passed, and a way too long.

    woa.maneuver.overrun.size-limits, .cannot-be-proned.
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
            # One may pass whom one runs down, but not stay in its space.
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
        raise Refusal(f"no opponent bars that way: {combatant.id} has nobody to overrun", rule)
    return found


def who_must_be_overrun(fight: Fight, combatant: Combatant, there: Square) -> Iterator[Combatant]:
    """Yield the opponents in a place who must be overrun: not the helpless, nor those three sizes apart.

    woa.maneuver.overrun.three-size-difference.
    """
    for other in occupants(fight, combatant, there):
        if other.side == combatant.side or is_helpless(fight, other):
            continue
        if size_step(other) < size_step(combatant):
            passes = bool(limit_passed(fight, combatant, other, "overrun"))
        else:
            passes = fight.dialect.movement.may_pass(fight, combatant, other)
        if not passes:
            yield other


def set_out_on_charge(fight: Fight, leader: Combatant, actor: Combatant, act: acts.Overrun) -> Steps[None]:
    """Set out on a charge: no short step, and -2 AC for the round."""
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


def go_along_path(fight: Fight, way: Way) -> Steps[bool]:
    """Go along the path, over or past one opponent after the other; return whether its end was reached."""
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
                yield from tell_halt(fight, combatant, "overrun")
                return False
            if not (yield from go_over(fight, way, target, there)):
                return False
        yield stepped(way.who, there, "overrun", fight.rule("woa.maneuver.overrun.definition"))
        yield from fight.dialect.movement.after_movement(fight, combatant)
        if halted(fight, combatant, there):
            yield from tell_halt(fight, combatant, "overrun")
            return False
    return not plain or (yield from walk_stretch(fight, way, plain))


def note_passed_by_size(fight: Fight, combatant: Combatant, there: Square, inside: set[str]) -> Steps[None]:
    """Note whom a difference of three sizes lets one pass (woa.maneuver.overrun.three-size-difference)."""
    for other in occupants(fight, combatant, there):
        if other.id not in inside and other.side != combatant.side and not is_helpless(fight, other):
            cites = fight.rules("woa.maneuver.overrun.three-size-difference")
            yield RuleApplied(who=combatant.id, what=f"passes {other.id}, so different in size", cites=cites)


def path_to(at: Square, path: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return the squares of a path up to one of them, all if it is none of them."""
    return path[: path.index(at) + 1] if at in path else path


def walk_stretch(fight: Fight, way: Way, squares: list[Square]) -> Steps[bool]:
    """Walk a part of the way where nobody is run down; return whether its end was reached.

    With Improved Overrun those left behind have no opening (woa.aoo.avoid.improved-overrun).
    """
    how = "charge" if way.charging else "normal"
    spared = tuple(way.behind) if has_feat(way.leader, "improved overrun") else ()
    rule = fight.rule("woa.maneuver.overrun.definition")
    reached = yield from fight.dialect.movement.walk(fight, way.who, squares, how, rule, spared=spared)
    return bool(reached)


def give_action_back(fight: Fight, leader: Combatant, kind: str) -> Steps[None]:
    """Let an overrun that everybody made way for cost its movement only; the action is still there.

    woa.maneuver.overrun.target-may-avoid.
    """
    cites = fight.rules("woa.maneuver.overrun.target-may-avoid")
    what = "overrun: they made way"
    yield ActionSpent(who=leader.id, kind=kind, what=what, amount=-1, cites=cites)
    yield ActionSpent(who=leader.id, kind="move", what=what, cites=cites)
    if leader.plan:
        plan = (*leader.plan, ("standard", "overrun", ""))
        yield PlanMade(who=leader.id, actions=plan, cites=cites)


def strike_at_the_end(fight: Fight, leader: Combatant, target: Combatant, weapon: Weapon) -> Steps[None]:
    """Make the attack of the charge all the same (woa.maneuver.overrun.improved-overrun-charge)."""
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
