"""Flying: the Fly skill, what asks for it in the air, and what a failure costs (pf1.skill.fly)."""

from itertools import pairwise
from math import atan2, degrees
from typing import Final

from affray.engine.dialects.pf1.movement.fall import plummet
from affray.engine.dialects.pf1.movement.fly_checks import TOPIC, check_flight, has_wings
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import path_cost
from affray.engine.rules.classes.natures import FLYING
from affray.engine.rules.movement.closest_place import make_room
from affray.engine.rules.movement.fly import (
    NAMES,
    change_height,
    degrees_between,
    end_flight,
    fly_along,
    height_flown,
    refuse_aloft,
    refuse_blocked_flight,
)
from affray.engine.rules.movement.movement import (
    left_by_conditions,
    refuse_after_step,
    refuse_held_fast,
    refuse_prone,
)
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

HEIGHT: Final = "height"
"""Under this name a turn counts the feet that a flier has gone up or down beyond those it has gone along."""
BACK: Final = 180


def fly(fight: Fight, act: acts.Move) -> Steps[None]:
    """Fly along a path as a move action, `up` feet up, or down if below 0.

    Turns of more than 45 degrees and a climb steeper than that take Fly checks. A turn that fails ends the
    flight before it, a climb that fails gains no height (pf1.skill.fly).
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    refuse_flight(fight, mover, act)
    turns = turns_within(fight, mover, act.path)
    level = level_feet(fight, mover, act.path)
    yield spending(fight, mover, "move", "fly", rule)
    if FLYING not in mover.conditions:
        yield from change_height(fight, mover, "", 0, rule)
    up = act.up
    steep = degrees(atan2(up, level)) > fight.figure(TOPIC, "angle")
    if steep and not (yield from check_flight(fight, mover, "climb", "to climb steeply")):
        yield RuleApplied(who=mover.id, what="gains no height", cites=(rule,))
        up = 0
    begun = 0
    for place, angle in turns:
        if place > begun:
            if not (yield from fly_along(fight, mover, act.path[begun:place], 0, rule)):
                return
            begun = place
        figure = "reverse" if angle == BACK else "tight_turn"
        if not (yield from check_flight(fight, mover, figure, f"to turn {angle} degrees")):
            yield RuleApplied(who=mover.id, what="flies no further", cites=(rule,))
            return
    if abs(up) > level:
        yield ActionSpent(who=mover.id, kind=HEIGHT, what="up or down", amount=abs(up) - level, cites=(rule,))
    yield from fly_along(fight, mover, act.path[begun:], up, rule)


def refuse_flight(fight: Fight, mover: Combatant, act: acts.Move) -> None:
    """Refuse a flight to those who cannot fly or not so far, through walls, and into the ground."""
    rule = fight.rule(TOPIC)
    refuse_after_step(fight, mover)
    if not mover.sheet.fly:
        raise Refusal(f"{mover.id} cannot fly", rule)
    refuse_prone(fight, mover)
    refuse_held_fast(fight, mover)
    if not act.path and not act.up:
        raise Refusal(f"{mover.id} hovers by staying where it is until its turn ends", rule)
    height = height_flown(mover)
    if height + act.up < 0:
        raise Refusal(f"{mover.id} is {height} ft. up and cannot sink {-act.up} ft.", rule)
    for here, there in pairwise((mover.at, *act.path)):
        if (there[0] - here[0], there[1] - here[1]) not in NAMES:
            raise Refusal(f"no step leads from {here[0]},{here[1]} to {there[0]},{there[1]}", rule)
    cost = max(level_feet(fight, mover, act.path), abs(act.up))
    cost += max(0, act.up) * (int(fight.figure(TOPIC, "rise_cost")) - 1)
    most = flying_speed(fight, mover) - fight.dialect.movement.forfeit(fight, mover)
    if cost > most:
        raise Refusal(f"the flight costs {cost} ft., {mover.id} flies {most} ft.", rule)
    refuse_blocked_flight(fight, mover, act.path or (mover.at,), height + act.up)


def flying_speed(fight: Fight, mover: Combatant) -> int:
    """Return how many feet a creature flies with a move action, after what conditions leave of that."""
    return left_by_conditions(fight, mover, mover.sheet.fly)


def level_feet(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> int:
    """Return how many feet a way is long in the air, where no ground hampers it."""
    parity = mover.spent.get("diagonals", 0) % 2
    whole = (mover.at, *path)
    return path_cost(fight.field, whole, doublings_of=lambda square: 0, parity=parity).squares * SQUARE_FT


def turns_within(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> list[tuple[int, int]]:
    """Return after how many squares of a way a flier turns by more than 45 degrees, and by how many.

    What it has flown in the same turn counts; with a new turn it sets out in any direction.
    """
    found = []
    free = int(fight.figure(TOPIC, "angle"))
    under_way = FLYING in mover.conditions and mover.spent.get("feet")
    heading = mover.conditions[FLYING].source if under_way else ""
    for place, (here, there) in enumerate(pairwise((mover.at, *path))):
        name = NAMES[there[0] - here[0], there[1] - here[1]]
        angle = degrees_between(heading, name)
        if angle > free:
            found.append((place, angle))
        heading = name
    return found


def refuse_on_foot(fight: Fight, mover: Combatant, act: acts.Move | acts.Run | acts.Withdraw) -> None:
    """Refuse to walk on the air (pf1.skill.fly)."""
    if not (isinstance(act, acts.Move) and act.how == "fly"):
        refuse_aloft(fight, mover, fight.rule(TOPIC))


def stay_up(fight: Fight, mover: Combatant) -> Steps[None]:
    """Check whether a flier stays up that ends its turn having flown less than half its speed, or not at all.

    Who fails falls, and nothing averts that (pf1.skill.fly).
    """
    if not height_flown(mover) or is_down(fight, mover):
        return
    flown = mover.spent.get("feet", 0) + mover.spent.get(HEIGHT, 0)
    if flown >= flying_speed(fight, mover) * fight.figure(TOPIC, "slow_share"):
        return
    figure, why = ("slow", f"having flown {flown} ft.") if flown else ("hover", "to hover")
    if not (yield from check_flight(fight, mover, figure, why)):
        yield from drop_out_of_air(fight, mover, "falls")


def lose_height_when_hurt(fight: Fight, mover: Combatant) -> Steps[None]:
    """Check whether a winged flier that is hurt keeps its height, or loses 10 ft. of it (pf1.skill.fly)."""
    height = height_flown(mover)
    if not height or is_down(fight, mover) or not has_wings(mover):
        return
    if (yield from check_flight(fight, mover, "hurt", "hurt in flight")):
        return
    left = max(0, height - int(fight.figure(TOPIC, "lost_ft")))
    rule = fight.rule(TOPIC)
    if left:
        yield from change_height(fight, mover, mover.conditions[FLYING].source, left, rule)
    else:
        yield from end_flight(fight, mover, "sinks to the ground", rule)


def fall_limp(fight: Fight, mover: Combatant) -> Steps[None]:
    """Let a flier fall that is out of the fight, or that cannot beat its wings any more (pf1.skill.fly)."""
    down = is_down(fight, mover)
    if down or has_wings(mover):
        yield from drop_out_of_air(fight, mover, "falls" if down else "cannot beat its wings")


def drop_out_of_air(fight: Fight, mover: Combatant, why: str) -> Steps[None]:
    """End a flight by a fall to the ground."""
    height = height_flown(mover)
    yield from end_flight(fight, mover, why, fight.rule(TOPIC))
    if height:
        yield from plummet(fight, mover, height)
        yield from make_room(fight, mover)
