"""Push: an opponent driven back, into things and into others (woa.maneuver.push.*)."""

from msgspec.structs import replace

from affray.engine.dialects.woa.maneuvers.maneuver_check import (
    Check,
    attempt_maneuver,
    maneuver_blow,
    provoke_by_failure,
    refuse_by_size,
    spend_maneuver_action,
)
from affray.engine.dialects.woa.maneuvers.push_results import Drive, drive_target
from affray.engine.dialects.woa.movement.movement import speed_with_burdens
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.record.blow import ARMOR_CLASS, Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.attacks.attack_roll import tallies
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.maneuvers.bull_rush import straight_on
from affray.engine.rules.movement.movement import what_halts
from affray.engine.rules.position.chosen_square import COMPASS, choose_way
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

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
    """Return the attempt to push. Refuses by size, and in place of an attack all but what is much smaller.

    At the end of a charge it takes the place of the attack; who is two or three sizes smaller and within
    the pusher's space is knocked away with any unarmed attack (woa.maneuver.push.action-cost, .size-limits,
    .attack-bonus, .much-smaller-opponents).
    """
    if weapon not in ("", "unarmed strike"):
        raise Refusal(f"one does not push with the {weapon}", fight.rule("woa.maneuver.push.attack-bonus"))
    if kind == "charge" or not is_underfoot(fight, attacker, target):
        refuse_by_size(fight, attacker, target, "push")
        if kind not in ("attack", "charge"):
            rule = fight.rule("woa.maneuver.push.action-cost")
            raise Refusal("to push is a standard action, or the end of a charge", rule)
    return Attempt(maneuver_blow(fight, attacker, target, "push", kind=kind), name=fight.declaration)


def is_underfoot(fight: Fight, attacker: Combatant, target: Combatant) -> bool:
    """Say whether a much smaller opponent is within one's own space."""
    smaller = size_step(attacker) - size_step(target)
    least, most = (fight.figure(SMALLER, name) for name in ("min_smaller", "max_smaller"))
    return bool(least <= smaller <= most) and distance(attacker, target) == 0


def carry_out_push(fight: Fight, planned: Attempt) -> Steps[bool]:
    """Make the check; a success drives the target back, a failure lets it strike."""
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
        yield from hurt_too(fight, blow)
    return True


def direction(fight: Fight, blow: Blow) -> Steps[Square]:
    """Return the step, (dx, dy), by which the target goes: straight back, out of one's own space any way."""
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
    """Ask whether the pusher goes along and how far it pushes; then drive the target back.

    Its own space's width, and once more for every 5 points of margin; 5 points better for who goes along,
    within the movement that it has left (woa.maneuver.push.distance, .follow).
    """
    attacker, target = blow.attacker, blow.target
    rule = fight.rule("woa.maneuver.push.follow")
    left = movement_left(fight, blow)
    follows = False
    if left >= SQUARE_FT and distance(attacker, target):
        question = f"{attacker.id} pushes {target.id} back: does it go along?"
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
    """Return how many more times its space's width a margin lets a pusher drive."""
    return int(margin // fight.figure("woa.maneuver.push.distance", "margin_step"))


def movement_left(fight: Fight, blow: Blow) -> int:
    """Return the feet that a pusher may still move: its speed's, in a charge twice that.

    None in a saddle, nor for one that lies or is held.
    """
    attacker = blow.attacker
    if attacker.mount or what_halts(fight, attacker):
        return 0
    limit = speed_with_burdens(fight, attacker)
    if blow.intent.kind == "charge":
        limit *= int(str(fight.figure("woa.charge.distance", "max")).split()[0])
    return max(0, limit - attacker.spent.get("feet", 0))


def hurt_too(fight: Fight, blow: Blow) -> Steps[None]:
    """Deal unarmed damage to who is much smaller if the check also beats its whole AC.

    woa.maneuver.push.much-smaller-opponents.
    """
    blow.intent = replace(blow.intent, against=ARMOR_CLASS)
    _, against = tallies(fight, blow)
    if blow.outcome.total > against.total and "dead" not in blow.target.conditions:
        what = f"{blow.outcome.total} beats the whole AC {against.total} too"
        yield RuleApplied(who=blow.attacker.id, what=what, cites=fight.rules(SMALLER))
        yield from fight.dialect.damage.deal(fight, blow, False)
