"""Implement moving while holding or being held: dragging and being dragged (woa.grab.*)."""

from collections.abc import Mapping, Sequence

from affray.engine.dialects.woa.grapple.grab_modifiers import speed_divisor, strength_check_parts, strongest
from affray.engine.dialects.woa.grapple.grapple_checks import GRABBED, get_holders_of_combatant, holding
from affray.engine.dialects.woa.movement.movement import refuse_after_step, refuse_lying, speed_with_burdens
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import path_cost
from affray.engine.grid.lines_and_cover import can_be_put
from affray.engine.rules.classes.sheets import sizes_larger
from affray.engine.rules.conditions.conditions import cannot_act
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed
from affray.engine.rules.movement.movement import displaced, refuse_path
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.rules.turns.delay_and_ready import attack_is_lost, could_begin, what_is_done
from affray.engine.steps import Choice, Refusal, Steps, onward
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant


def move_with_holders(fight: Fight, act: acts.Act, moving: Steps[None]) -> Steps[None]:
    """Move; a held mover must get past holders that stop it, and drags the others along.

    woa.grab.restricted-movement, .actively-stop, .drag-attackers, .encumbrance
    """
    grappler = fight.state.combatants.get(act.actor)
    if grappler is None or GRABBED not in grappler.conditions or grappler.mount:
        yield from moving
        return
    spent = dict(grappler.spent)
    yield next(moving)
    holders = get_holders_of_combatant(fight, grappler)
    slower = speed_divisor(fight, grappler)
    if slower > 1:
        reading = f"grabbed_speed: {fight.option('grabbed_speed')}"
        told = f"held by {len(holders)}: speed divided by {slower} ({reading})"
        yield RuleApplied(who=grappler.id, what=told, cites=fight.rules("woa.grab.restricted-movement"))
    yield from note_weight_of_holders(fight, grappler, holders)
    start = grappler.at
    if lost := find_path_lost_to_weight(fight, grappler, act, spent):
        yield lost
    elif (yield from gets_past(fight, grappler, holders)):
        step = next(moving, None)
        if step is not None:
            yield from onward(moving, step)
    yield from move_tied_combatants(fight, grappler, start, holders, "woa.grab.drag-attackers")
    yield from end_weight_of_holders(fight, grappler)


def gets_past(fight: Fight, combatant: Combatant, holders: Sequence[Combatant]) -> Steps[bool]:
    """Let holders give up their move action to stop a victim, which must beat the strongest of them.

    woa.grab.actively-stop
    """
    topic = "woa.grab.actively-stop"
    rule = fight.rule(topic)
    stopping = []
    for one in holders:
        allowed = fight.dialect.turns.allowance(fight, one)
        used = one.spent.get("standard", 0) + one.spent.get("move", 0)
        if cannot_act(fight, one) or one.spent.get("full-round") or used >= allowed.total:
            continue
        question = f"{combatant.id} moves off: does {one.id} give up its move action to stop it?"
        if (yield Choice(one.id, "stop", question, ("stop", "let"), rule)) == "stop":
            kind = str(fight.figure(topic, "grabber_cost")).split()[0]
            yield ActionSpent(who=one.id, kind=kind, what=f"stop {combatant.id}", cites=(rule,))
            stopping.append(one)
    if not stopping:
        return True
    mine, theirs = (
        strength_check_parts(fight, combatant, topic),
        strength_check_parts(fight, strongest(fight, stopping), topic),
    )
    beaten = yield from roll_opposed(fight, "pull", mine, theirs, rule)
    return beaten > 0


def move_tied_combatants(
    fight: Fight, grappler: Combatant, start: Square, others: Sequence[Combatant], topic: str
) -> Steps[None]:
    """Move combatants tied to a mover by holds as far as it has moved."""
    way = (grappler.at[0] - start[0], grappler.at[1] - start[1])
    for one in others:
        if way == (0, 0):
            return
        there = (one.at[0] + way[0], one.at[1] + way[1])
        if not can_be_put(fight.field, grappler.at, grappler.space, there, one.space):
            there = grappler.at
        yield displaced(one, (there,), "dragged", *fight.rules(topic))


def drag(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Move and drag held opponents along; against resistance the dragger goes a quarter, half or all of the
    way.

    woa.grab.drag-opponent, woa.grab.drag-multiple
    """
    grappler = fight.combatant(act.actor)
    topic = "woa.grab.drag-opponent"
    rule = fight.rule(topic)
    refuse_unless_allowed(fight, grappler, "move")
    refuse_after_step(fight, grappler)
    refuse_lying(fight, grappler)
    held = holding(fight, grappler)
    if not held:
        raise Refusal(f"{grappler.id} holds no opponent", rule)
    feet = speed_with_burdens(fight, grappler)
    refuse_path(fight, grappler, act.path, feet, rule)
    yield spending(fight, grappler, "move", "drag", rule)
    yield from note_weight_of_holders(fight, grappler, held)
    feet = min(feet, speed_with_burdens(fight, grappler))
    resisting = []
    for one in held:
        if cannot_act(fight, one):
            continue
        question = f"{grappler.id} drags {one.id} along: does {one.id} resist?"
        if (yield Choice(one.id, "resist", question, ("resist", "go along"), rule)) == "resist":
            resisting.append(one)
    if resisting:
        cites = fight.rules(topic, *(("woa.grab.drag-multiple",) if len(resisting) > 1 else ()))
        mine, theirs = (
            strength_check_parts(fight, grappler, topic),
            strength_check_parts(fight, strongest(fight, resisting), topic),
        )
        beaten = yield from roll_opposed(fight, "drag", mine, theirs, *cites)
        feet = speed_of_dragger(fight, beaten, feet)
        yield RuleApplied(who=grappler.id, what=f"can drag {feet} ft. of the way", cites=(rule,))
    path = path_within(fight, grappler, act.path, feet)
    for square in path:
        start = grappler.at
        there = yield from fight.dialect.movement.walk(fight, grappler, (square,), "drag", rule)
        yield from move_tied_combatants(fight, grappler, start, held, topic)
        if not there:
            break
    yield from end_weight_of_holders(fight, grappler)


def speed_of_dragger(fight: Fight, beaten: int, feet: int) -> int:
    """Return the share of its speed, in feet, for a dragger that beat the resistance by `beaten`."""
    share = 0
    for row in fight.figure("woa.grab.drag-opponent"):
        if beaten >= row["beat_by"]:
            share = int(row["speed"] * 100)
    return feet * share // 100


def path_within(fight: Fight, combatant: Combatant, path: Sequence[Square], feet: int) -> tuple[Square, ...]:
    """Return the longest start of a path that costs at most `feet` feet."""
    parity = combatant.spent.get("diagonals", 0) % 2
    for count in range(len(path), 0, -1):
        whole = (combatant.at, *path[:count])
        cost = path_cost(fight.field, whole, side=combatant.space, parity=parity, scaled=True)
        if cost.squares * SQUARE_FT <= feet:
            return tuple(path[:count])
    return ()


def note_weight_of_holders(fight: Fight, grappler: Combatant, others: Sequence[Combatant]) -> Steps[None]:
    """Ask whether smaller holders hang off the mover so that their weight slows it (woa.grab.encumbrance)."""
    rule = fight.rule("woa.grab.encumbrance")
    for one in others:
        if sizes_larger(grappler, one) < 1 or "weighed down" in grappler.conditions:
            continue
        question = f"does the weight of {one.id}, off the ground, slow {grappler.id} down?"
        if (yield Choice("", "weight", question, ("no", "yes"), rule)) == "yes":
            yield ConditionGained(who=grappler.id, condition="weighed down", source=one.id, cites=(rule,))


def find_path_lost_to_weight(
    fight: Fight, grappler: Combatant, act: acts.Act, spent: Mapping[str, int]
) -> RuleApplied | None:
    """Return that a weighed-down mover cannot go its declared path, None if it can.

    The path is measured again, with the actions spent before it; a path too long for the reduced speed, or
    barred to the slowed, is lost (woa.grab.encumbrance).
    """
    if "weighed down" not in grappler.conditions:
        return None
    grappler.spent, now = dict(spent), grappler.spent
    try:
        refused = could_begin(fight, act)
    finally:
        grappler.spent = now
    return None if refused is None else attack_is_lost(grappler, refused, what_is_done(act))


def end_weight_of_holders(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End the effect of holders' weight after the movement."""
    if "weighed down" in combatant.conditions:
        rule = fight.rule("woa.grab.encumbrance")
        yield ConditionLost(who=combatant.id, condition="weighed down", why="the way is over", cites=(rule,))
