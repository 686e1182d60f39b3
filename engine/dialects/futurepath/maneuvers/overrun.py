"""Overrun: in a move or a charge, past or over an opponent, who avoids it or is tripped.

futurepath.overrun.*.
"""

from itertools import pairwise
from typing import Final

from affray.engine.dialects.futurepath.attacks.charge import (
    begin_rush,
    refuse_no_rush,
    refuse_short_or_swerving,
)
from affray.engine.dialects.futurepath.maneuvers.attack_in_move import refuse_attack_in_move, refuse_stepped
from affray.engine.dialects.futurepath.maneuvers.provoking import provokes_by_table, rules_of_table
from affray.engine.dialects.futurepath.maneuvers.sizes import refuse_unfit
from affray.engine.dialects.futurepath.maneuvers.trip import (
    FELLED,
    TRIPPED,
    touch_and_contend,
    tripper,
    tripping_blow,
)
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.conditions.condition_rules import falls_prone
from affray.engine.rules.movement.displaced import moved
from affray.engine.rules.movement.footing import last_stop
from affray.engine.rules.movement.movement import halted, refuse_path, speed, tell_halt
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.interruption import attack_is_lost
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

WHEN: Final = "futurepath.overrun.when"
APPROACH: Final = "futurepath.overrun.approach"
CHOICE: Final = "futurepath.overrun.choice"
BLOCKED: Final = "futurepath.overrun.blocked"
#: What a turn has spent that has gone into an overrun, and the kind of the trip in it.
SPENT: Final = "overrun"


def overrun_opponent(fight: Fight, act: acts.Overrun) -> Steps[None]:
    """Run over an opponent: an attack action in the midst of one's move, or part of a charge.

    The path leads up to the target, through its square and out again, within one's speed (or a charge's).
    """
    mover, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_stepped(fight, mover, "overrun")
    if act.charge:
        kind, rule, feet = refuse_no_rush(fight, mover)
    else:
        kind, rule, feet = "move", fight.rule(WHEN), speed(fight, mover)
        refuse_attack_in_move(fight, mover, "overrun")
    refuse_unfit(fight, mover, target, "overrun")
    if target.side == mover.side or is_helpless(fight, target):
        raise Refusal(f"{target.id} does not bar the way", fight.rule(CHOICE))
    tripper(fight, mover, act.weapon)
    place = refuse_other_ways(fight, mover, target, act.path)
    refuse_path(fight, mover, act.path, feet, rule, through=target)
    if act.charge:
        refuse_short_or_swerving(fight, mover, act.path)
        yield from begin_rush(fight, mover, target, kind, rule)
    else:
        yield spending(fight, mover, "move", "move", rule)
        yield spending(fight, mover, "standard", "overrun", rule)
    once = fight.rules(WHEN, "futurepath.overrun.once-per-action")
    yield ActionSpent(who=mover.id, kind=SPENT, what=SPENT, cites=once)
    how = "charge" if act.charge else "normal"
    legal = last_stop(fight, mover, (mover.at, *act.path[:place]))
    walk = fight.dialect.movement.walk
    if not (yield from walk(fight, mover, act.path[:place], how, rule, onward=True)):
        return
    if target in occupants(fight, mover, act.path[place]) and not is_down(fight, target):
        if not act.charge and not (yield from leave_openings(fight, mover, target)):
            yield from fight.dialect.movement.step_aside(fight, mover, legal)
            return
        came_from = mover.at
        if not (
            yield from walk(
                fight,
                mover,
                act.path[place : place + 1],
                how,
                fight.rule(APPROACH),
                legal=legal,
                onward=True,
            )
        ):
            return
        if not (yield from get_past(fight, mover, target, act.weapon, came_from, legal)):
            return
        place += 1
    yield from walk(fight, mover, act.path[place:], how, rule, legal=legal)


def refuse_other_ways(fight: Fight, mover: Combatant, target: Combatant, path: tuple[Square, ...]) -> int:
    """Return after how many squares the path leads into the target's square. Refuses other ways.

    One that leads past it, over another opponent too, or not straight for the last 10 feet
    (futurepath.overrun.approach, futurepath.overrun.once-per-action).
    """
    rule = fight.rule(APPROACH)
    place = next((n for n, at in enumerate(path) if target in occupants(fight, mover, at)), None)
    if place is None:
        raise Refusal(f"the path does not lead through {target.id}", rule)
    for at in path:
        for other in occupants(fight, mover, at):
            passed = fight.dialect.movement.may_pass(fight, mover, other) or is_helpless(fight, other)
            if other is not target and other.side != mover.side and not passed:
                once = fight.rule("futurepath.overrun.once-per-action")
                raise Refusal(f"{other.id} would have to be overrun besides {target.id}", once)
    least = int(fight.figure(APPROACH, "min_ft")) // SQUARE_FT
    way = (mover.at, *path[: place + 1])
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(way)]
    if len(steps) < least or len(set(steps[-least:])) > 1:
        feet = least * SQUARE_FT
        raise Refusal(f"an overrun takes {feet} ft. in a straight line into {target.id}'s square", rule)
    return place


def leave_openings(fight: Fight, mover: Combatant, target: Combatant) -> Steps[bool]:
    """Let all who threaten strike at whoever overruns with an attack action, by the new table.

    Return whether it goes on (futurepath.action.combat-maneuver).
    """
    if not provokes_by_table(fight):
        return True
    here, name = mover.at, f"overrun:{fight.declaration}"
    cites = rules_of_table(fight, "attack", "overrun")
    enemies = threatening(fight, mover)
    yield from fight.dialect.opportunity.provoke(fight, mover, enemies, f"overruns {target.id}", name, *cites)
    if halted(fight, mover, here):
        yield from tell_halt(fight, mover, SPENT)
        return False
    return True


def get_past(
    fight: Fight, mover: Combatant, target: Combatant, weapon: str, came_from: Square, legal: Square
) -> Steps[bool]:
    """See what the target does, into whose square the mover has come; return whether the way is free.

    It may avoid, or block and be tripped. A mover that fails goes back 5 feet, or lies in the target's square
    if it is tripped in turn.
    """
    if target not in occupants(fight, mover, mover.at):
        return True  # it has got out of the way meanwhile
    question = f"{mover.id} overruns {target.id}: does {target.id} block or avoid?"
    rule = fight.rule(CHOICE)
    if (yield Choice(target.id, "overrun", question, ("block", "avoid"), rule)) == "avoid":
        yield RuleApplied(who=target.id, what=f"lets {mover.id} by", cites=(rule,))
        return True
    cites = fight.rules(BLOCKED)
    yield RuleApplied(who=target.id, what=f"blocks {mover.id}", cites=cites)
    try:
        attempt = Attempt(tripping_blow(fight, mover, target, weapon, SPENT), name=fight.declaration)
    except Refusal as lost:
        yield attack_is_lost(mover, lost, "the trip")
        end = ""
    else:
        end = yield from touch_and_contend(fight, attempt)
    if end == TRIPPED:
        return True
    if is_down(fight, mover):
        yield from fight.dialect.movement.step_aside(fight, mover, legal)
    elif end == FELLED:
        yield RuleApplied(who=mover.id, what=f"lies in the square of {target.id}", cites=cites)
    else:
        yield from thrown_back(fight, mover, came_from, *cites)
    return False


def thrown_back(fight: Fight, mover: Combatant, to: Square, *cites: str) -> Steps[None]:
    """Go back 5 feet the way one came, and fall prone there where somebody stands."""
    taken = occupants(fight, mover, to)
    diagonal = int(to[0] != mover.at[0] and to[1] != mover.at[1])
    feet = int(fight.figure(BLOCKED, "distance_ft"))
    yield moved(mover, (to,), feet, "thrown back", *cites, diagonals=diagonal)
    if taken:
        yield from falls_prone(mover, f"thrown back over {taken[0].id}", cites)
