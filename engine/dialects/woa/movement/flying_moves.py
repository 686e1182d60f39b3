"""Flying as a way to move, and what forbids it (woa.fly.kinds)."""

from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.movement.aloft import BUOYANT, HOVER, height_aloft, is_flying, kind_of_flight
from affray.engine.dialects.woa.movement.fly import (
    FLEW,
    STALLED,
    at_height,
    cost_of_flight,
    hardest_part_of_flight,
    heading,
    keeps_flying,
    take_off,
)
from affray.engine.dialects.woa.position.room_to_share import steps_along
from affray.engine.fight.fight import Fight
from affray.engine.rules.movement.fly import refuse_blocked_flight
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant


def fly(fight: Fight, act: acts.Move) -> Steps[None]:
    """Fly along a path and `up` feet up, below 0 down, as a move action.

    A buoyant flyer goes any way at full speed. A powered one makes an Athletics check: it stalls and gets
    nowhere if that fails, and falls if it fails by much (woa.fly.buoyant.movement, .powered.athletics).
    """
    mover = fight.combatant(act.actor)
    buoyant = kind_of_flight(mover) == BUOYANT
    rule = fight.rule("woa.fly.buoyant.movement" if buoyant else "woa.fly.powered.athletics")
    refuse_flight(fight, mover, act, rule)
    what = HOVER if buoyant else hardest_part_of_flight(fight, mover, act.path, act.up)
    yield spending(fight, mover, "move", "fly", rule, fight.rule("woa.movement.swim-fly-special"))
    yield ActionSpent(who=mover.id, kind=FLEW, what=BUOYANT if buoyant else what, cites=(rule,))
    after = heading(mover, act.path, what)
    if not is_flying(mover):
        yield from take_off(fight, mover)
    if not buoyant and not (yield from keeps_flying(fight, mover, what, rule, why=f"to fly: {what}")):
        return
    if act.path and not (yield from fight.dialect.movement.walk(fight, mover, act.path, "fly", rule)):
        return
    yield from at_height(mover, height_aloft(mover) + act.up, after, rule)


def refuse_flight(fight: Fight, mover: Combatant, act: acts.Move, rule: str) -> None:
    """Refuse a flight that a creature cannot make."""
    refuse_unless_allowed(fight, mover, "move")
    movement.refuse_after_step(fight, mover)
    movement.refuse_lying(fight, mover)
    if not mover.sheet.fly:
        raise Refusal(f"{mover.id} cannot fly", fight.rule("woa.fly.kinds"))
    if STALLED in mover.conditions:
        raise Refusal(f"{mover.id} has stalled and cannot fly on", rule)
    if height_aloft(mover) + act.up < 0:
        raise Refusal(f"{mover.id} is {height_aloft(mover)} ft. up and cannot sink {-act.up} ft.", rule)
    if act.path:
        steps_along(mover.at, act.path, rule)
    feet = cost_of_flight(fight, mover, act.path, act.up)
    if feet > mover.sheet.fly:
        raise Refusal(f"the flight costs {feet} ft., {mover.id} flies {mover.sheet.fly} ft.", rule)
    if act.path:
        refuse_blocked_flight(fight, mover, act.path)
