"""Leaping from the saddle: the mount carries its rider over what lies in the way."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.mounted.mounted_combat import refuse_ride_on
from affray.engine.rules.mounted.riding import come_off, ride_parts
from affray.engine.rules.mounted.stay_mounted import land_hard
from affray.engine.rules.movement.displaced import moved
from affray.engine.rules.movement.footing import refuse_crowded
from affray.engine.rules.movement.jump import can_stand_in, feet_of_leap
from affray.engine.rules.movement.movement import refuse_after_step, refuse_crooked, speed
from affray.engine.rules.movement.unseen import met_at_end, run_into
from affray.engine.rules.movement.walk_on import is_stopped
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

JUMP: Final = "skill.jump"


def leap_from_saddle(
    fight: Fight,
    rider: Combatant,
    steed: Combatant,
    path: tuple[Square, ...],
    skill: str,
    jumping: list[Modifier],
) -> Steps[None]:
    """Have the mount leap straight along the path, as part of its movement.

    A Ride check keeps the rider in the saddle, who falls hard otherwise. How far the mount leaps is a check
    of its jumping `skill` with the lower of the rider's Ride and its own parts of `jumping`, against the feet
    of the leap, more without a run-up; short of that it balks.

    srd35.skill.ride-table, srd35.skill.ride-details, srd35.skill.jump, pf1.skill.ride, pf1.skill.jump.
    """
    rules = fight.rules("skill.ride-table", "skill.ride-details")
    refuse_mounts_leap(fight, rider, steed, path)
    feet = feet_of_leap(fight, steed, (steed.at, *path))
    run_up = steed.spent.get("feet", 0) >= fight.figure(JUMP, "run_up_ft")
    yield spending(fight, steed, "move", "leap", rules[-1])
    dc = fight.figure("skill.ride-table", "leap")
    riding = ride_parts(fight, rider, steed, rules[0])
    seated = yield from check(fight, rider, "ride", riding, dc, *rules, why="to stay on a leaping mount")
    cites = (rules[-1], fight.rule(JUMP))
    goal = feet if run_up else fight.figure(JUMP, "no_run_up") * feet
    lower = min(riding, jumping, key=lambda parts: sum(part.value for part in parts))
    done = yield from check(fight, steed, skill, lower, goal, *cites)
    if not done:
        yield RuleApplied(who=steed.id, what="balks at the leap", cites=cites)
    if not seated:
        yield from come_off(fight, rider, steed, "falls", *rules)
        yield from land_hard(fight, rider)
    if not done:
        return
    start = steed.at
    opportunity = fight.dialect.opportunity.opportunity_name(fight, steed)
    enemies = fight.dialect.movement.leaving(fight, steed, start, path[0], "leap")
    cite = fight.rule("aoo.triggers")
    yield from fight.dialect.opportunity.provoke(
        fight, steed, enemies, "leaves a threatened square", opportunity, cite
    )
    if steed.rider:
        yield from fight.dialect.mounted.left_squares(fight, steed, enemies)
    if (yield from is_stopped(fight, steed, start, "leap")):
        return
    met = met_at_end(fight, steed, path[-1], occupants(fight, steed, path[-1]))
    if met is not None:
        path = free_part_of_leap(fight, steed, path)
        feet = feet_of_leap(fight, steed, (start, *path))
    if path:
        yield from land_leap(fight, steed, path, feet, cites)
    if met is not None:
        yield from run_into(fight, steed, met, "leap")


def free_part_of_leap(fight: Fight, steed: Combatant, path: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return as much of a leap as ends where nobody is, seen or not; () if somebody is everywhere."""
    while path and not can_stand_in(fight, steed, path[-1]):
        path = path[:-1]
    return path


def land_leap(
    fight: Fight, steed: Combatant, path: tuple[Square, ...], feet: int, cites: tuple[str, ...]
) -> Steps[None]:
    """Come down at the end of a leap."""
    start = steed.at
    diagonal = path[0][0] != start[0] and path[0][1] != start[1]
    yield moved(steed, path[-1:], feet, "leap", *cites, diagonals=len(path) if diagonal else 0)
    yield from fight.dialect.movement.after_movement(fight, steed)


def refuse_mounts_leap(fight: Fight, rider: Combatant, steed: Combatant, path: tuple[Square, ...]) -> None:
    """Refuse a leap that is no straight line to a free place within the mount's speed."""
    rule = fight.rule("skill.ride-details")
    refuse_after_step(fight, steed)
    if not path:
        raise Refusal("a leap needs a path", rule)
    steps = [max(abs(b[0] - a[0]), abs(b[1] - a[1])) for a, b in zip((steed.at, *path), path, strict=False)]
    if any(one != 1 for one in steps):
        raise Refusal("a leap goes from square to square", rule)
    refuse_crooked(steed, path, rule)
    if feet_of_leap(fight, steed, (steed.at, *path)) > speed(fight, steed):
        far = feet_of_leap(fight, steed, (steed.at, *path))
        raise Refusal(f"the leap takes {far} ft., {steed.id} has {speed(fight, steed)} ft.", rule)
    if any(not fight.field.holds(square, steed.space) for square in path):
        raise Refusal("a leap does not leave the map", rule)
    walled = {"#", "T"}
    held = [(x + dx, y + dy) for x, y in path for dx in range(steed.space) for dy in range(steed.space)]
    if any(fight.field.at(square) in walled for square in held) or not fight.field.passable(
        path[-1], steed.space
    ):
        raise Refusal(f"{steed.id} cannot land there", rule)
    refuse_crowded(fight, steed, path[-1], True)
    refuse_ride_on(fight, rider, steed, len(path), False)
