"""Jumping: long, high, up onto something, down (srd35.skill.jump, pf1.skill.jump)."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import path_cost
from affray.engine.grid.reach import space
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.saves_and_checks import check, check_by, skill_parts
from affray.engine.rules.movement.displaced import moved
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.movement.unseen import known_occupants, met_at_end, run_into
from affray.engine.rules.movement.walk_on import is_stopped
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC = "skill.jump"


class Leaping(Struct, frozen=True):
    """By which skill and ability a rulebook has one jump, how a leap down ends, and what the Run feat adds.

    running: the topic and path of what the Run feat adds after a run-up; None for nothing.
    """

    skill: str
    ability: str
    down: Callable[[Fight, Combatant, acts.Jump], Steps[None]]
    running: tuple[str, str] | None = None


def leap(fight: Fight, act: acts.Jump, by: Leaping) -> Steps[None]:
    """Jump as part of a move action; the distance counts against the speed.

    Without a run-up (of 20 ft. in srd35, of 10 ft. in pf1) the DC is doubled; faster creatures jump better,
    slower ones worse.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    if act.feet < 0 or not 0 <= act.takeoff <= len(act.path):
        raise Refusal("height and run-up cannot be negative, the run-up no longer than the way", rule)
    if act.kind == "long":
        yield from long_jump(fight, mover, act, by)
    elif act.kind == "down":
        yield spending(fight, mover, "move", "jump down", rule)
        yield from by.down(fight, mover, act)
    else:
        yield from jump_up(fight, mover, act, by)


def long_jump(fight: Fight, mover: Combatant, act: acts.Jump, by: Leaping) -> Steps[None]:
    """Leap over squares: DC 1 per foot. Who fails comes down short, at the last square it can reach.

    So does who finds somebody at the end of the leap whom it did not perceive.
    """
    rule = fight.rule(TOPIC)
    run, leap = act.path[: act.takeoff], act.path[act.takeoff :]
    if not leap:
        raise Refusal("the path has no square to leap over", rule)
    start = run[-1] if run else mover.at
    refuse_leap(fight, mover, start, leap)
    if run:
        refuse_path(fight, mover, run, speed(fight, mover), rule)
    far = feet_of_leap(fight, mover, (start, *leap))
    whole = feet_in_all(fight, mover, run, leap)
    if whole > speed(fight, mover):
        raise Refusal(f"run-up and leap take {whole} ft., {mover.id} has {speed(fight, mover)} ft.", rule)
    running = run_up(mover, act.path, act.takeoff) >= fight.figure(TOPIC, "run_up_ft")
    yield spending(fight, mover, "move", "jump", rule)
    if pace := fight.dialect.movement.speed_told(fight, mover):
        yield pace
    if run and not (yield from fight.dialect.movement.walk(fight, mover, run, "run-up", rule)):
        return
    times = 1 if running else fight.figure(TOPIC, "no_run_up")
    dc = far * times
    margin = yield from check_by(fight, mover, by.skill, jump_parts(fight, mover, running, by), dc, rule)
    landed = leap
    if margin < 0:
        yield RuleApplied(who=mover.id, what="comes down short", cites=(rule,))
    else:
        margin = 0
    while landed and (
        feet_of_leap(fight, mover, (start, *landed)) * times > dc + margin
        or not can_stand_in(fight, mover, landed[-1])
    ):
        landed = landed[:-1]
    met = None if margin < 0 else met_at_end(fight, mover, leap[-1], occupants(fight, mover, leap[-1]))
    if landed and not (yield from leave_ground(fight, mover, start, landed, rule)):
        return
    if met is not None:
        yield from run_into(fight, mover, met, "jump")


def feet_of_leap(fight: Fight, mover: Combatant, squares: Sequence[Square], diagonals: int = 0) -> int:
    """Return how many feet a leap measures: every second diagonal counts twice, what lies below nothing.

    As part of a movement it goes on after so many `diagonals`.
    """
    parity = diagonals % 2
    cost = path_cost(fight.field, squares, side=mover.space, doublings_of=lambda square: 0, parity=parity)
    return cost.squares * SQUARE_FT


def feet_in_all(fight: Fight, mover: Combatant, run: tuple[Square, ...], leap: tuple[Square, ...]) -> int:
    """Return what run-up and leap take of a move (srd35.distance.diagonals)."""
    before, way = mover.spent.get("diagonals", 0), (mover.at, *run)
    cost = fight.dialect.movement.measure(fight, mover, way, "run-up")
    return cost.feet + feet_of_leap(fight, mover, (way[-1], *leap), before + cost.diagonals)


def can_stand_in(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Say whether somebody can stand in a square."""
    return fight.field.passable(at, mover.space) and not occupants(fight, mover, at)


def refuse_leap(fight: Fight, mover: Combatant, start: Square, leap: tuple[Square, ...]) -> None:
    """Refuse a leap that is crooked, leads into a wall, or ends where nobody can stand."""
    rule = fight.rule(TOPIC)
    ways = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise((start, *leap))}
    if len(ways) > 1 or any(max(abs(x), abs(y)) != 1 for x, y in ways):
        raise Refusal("a leap goes straight from square to square", rule)
    if any(fight.field.at(one) == "#" for square in leap for one in space(square, mover.space)):
        raise Refusal("a wall stands in the way of the leap", fight.rule("obstacle.blocking"))
    end = leap[-1]
    if not fight.field.passable(end, mover.space) or known_occupants(fight, mover, end):
        raise Refusal(f"{mover.id} cannot land at {end[0]},{end[1]}", fight.rule("pass.ending-movement"))


def leave_ground(
    fight: Fight, mover: Combatant, start: Square, landed: tuple[Square, ...], rule: str
) -> Steps[bool]:
    """Fly through the air: squares left provoke as always. Return whether the mover came down as meant."""
    dialect = fight.dialect
    opportunity = dialect.opportunity.opportunity_name(fight, mover)
    enemies = [
        enemy
        for here, there in pairwise((start, *landed))
        for enemy in dialect.movement.leaving(fight, mover, here, there, "jump")
        if opportunity not in enemy.opportunities
    ]
    once = list({enemy.id: enemy for enemy in enemies}.values())
    if once:
        aoo = fight.rule("aoo.triggers")
        yield from fight.dialect.opportunity.provoke(
            fight, mover, once, "leaves a threatened square", opportunity, aoo
        )
        if (yield from is_stopped(fight, mover, start, "jump")):
            return False
    feet = feet_of_leap(fight, mover, (start, *landed), mover.spent.get("diagonals", 0))
    diagonals = sum(1 for a, b in pairwise((start, *landed)) if a[0] != b[0] and a[1] != b[1])
    yield moved(mover, landed, feet, "jump", rule, diagonals=diagonals)
    yield from dialect.movement.after_movement(fight, mover)
    return True


def jump_up(fight: Fight, mover: Combatant, act: acts.Jump, by: Leaping) -> Steps[None]:
    """Jump straight up, DC 4 per foot, or hop up onto something waist-high, DC 10."""
    rule = fight.rule(TOPIC)
    if act.path:
        refuse_path(fight, mover, act.path, speed(fight, mover), rule)
    running = run_up(mover, act.path, len(act.path)) >= fight.figure(TOPIC, "run_up_ft")
    if act.kind == "hop":
        dc = fight.figure(TOPIC, "hop_dc")
    else:
        dc = act.feet * fight.figure(TOPIC, "high_per_ft")
        dc *= 1 if running else fight.figure(TOPIC, "no_run_up")
    yield spending(fight, mover, "move", "jump", rule)
    if act.path and not (yield from fight.dialect.movement.walk(fight, mover, act.path, "run-up", rule)):
        return
    parts = jump_parts(fight, mover, running, by)
    goal = "onto what is waist-high" if act.kind == "hop" else f"{act.feet} ft. up"
    if (yield from check(fight, mover, by.skill, parts, dc, rule, why=goal)):
        yield RuleApplied(who=mover.id, what=f"jumps {goal}", cites=(rule,))


def run_up(mover: Combatant, path: tuple[Square, ...], takeoff: int) -> int:
    """Return the feet of run-up that lead straight up to the leap, in its direction."""
    ways = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise((mover.at, *path))]
    if not ways:
        return 0
    wanted = ways[min(takeoff, len(ways) - 1)]
    feet = 0
    for way in reversed(ways[:takeoff]):
        if way != wanted:
            break
        feet += SQUARE_FT
    return feet


def jump_parts(fight: Fight, mover: Combatant, running: bool, by: Leaping) -> list[Modifier]:
    """Return the parts of a check to jump: the skill, the speed, and the Run feat after a run-up."""
    rule = fight.rule(TOPIC)
    parts = skill_parts(fight, mover, by.skill, by.ability, rule)
    feet = speed(fight, mover)
    normal, per = fight.figure(TOPIC, "normal_ft"), fight.figure(TOPIC, "per_ft")
    if feet != normal:
        way = "above_30" if feet > normal else "below_30"
        value = fight.figure(TOPIC, way) * (abs(feet - normal) // per)
        if value:
            parts.append(Modifier(value, "speed", f"speed {feet} ft.", rule))
    if by.running is not None and running and has_feat(mover, "run"):
        parts.append(fight.modifier(*by.running, kind="feat", source="Run"))
    return parts
