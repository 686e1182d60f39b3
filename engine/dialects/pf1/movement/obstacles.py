"""Obstacles between squares: what they cost, whom they stop, and who is clear of them (pf1.terrain.*)."""

from collections.abc import Sequence
from itertools import pairwise

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import path_cost
from affray.engine.record.movement import Measure
from affray.engine.rules.classes.natures import nature_among
from affray.engine.rules.movement.barriers import AVOIDING, crossed_by
from affray.engine.rules.movement.obstacle_checks import overcome
from affray.engine.steps import Refusal, Steps
from affray.events.facts.terrain import Barrier
from affray.projections.state import Combatant

OBSTACLE = "pf1.terrain.obstacle"
#: Where the map has any, they count.
THERE = "fight.state.barriers"


def in_way(fight: Fight, mover: Combatant, here: Square, there: Square) -> list[Barrier]:
    """Return the obstacles that hamper a step; none those who fly or have no body."""
    return [] if nature_among(mover, AVOIDING) else crossed_by(fight, mover, here, there)


def measure_clear(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return what a way costs those whom the ground does not hamper (pf1.terrain.difficult)."""
    parity = mover.spent.get("diagonals", 0) % 2
    cost = path_cost(fight.field, whole, side=mover.space, doublings_of=lambda square: 0, parity=parity)
    rough = any(fight.field.doublings(square, mover.space) for square in whole[1:])
    return Measure(
        cost.squares * SQUARE_FT, cost.diagonals, fight.rules("pf1.terrain.difficult") if rough else ()
    )


def add_obstacles(
    fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, found: Measure
) -> Measure:
    """Return what a way costs, with 2 squares for each obstacle besides the square beyond it."""
    count = sum(bool(in_way(fight, mover, here, there)) for here, there in pairwise(whole))
    if not count:
        return found
    extra = count * int(fight.figure(OBSTACLE, "extra_squares")) * SQUARE_FT
    return Measure(found.feet + extra, found.diagonals, (*found.cites, fight.rule(OBSTACLE)))


def too_far(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, feet: int) -> str:
    """Return the rule by which a way is too long if it is an obstacle that cannot be crossed any more."""
    for count, (here, there) in enumerate(pairwise(whole), 2):
        if fight.dialect.movement.measure(fight, mover, whole[:count], how).feet > feet:
            return fight.rule(OBSTACLE) if in_way(fight, mover, here, there) else ""
    return ""


def refuse_charge_across(
    fight: Fight, mover: Combatant, path: Sequence[Square], what: str, rule: str
) -> None:
    """Refuse to charge across an obstacle (pf1.charge)."""
    for here, there in pairwise((mover.at, *path)):
        if what == "charge" and in_way(fight, mover, here, there):
            raise Refusal(f"an obstacle before {there[0]},{there[1]} hinders the charge", rule)


def step_needs_check(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Say whether an obstacle asks for a check before a step can be taken."""
    return any(barrier.check for barrier in in_way(fight, mover, here, there))


def check_before_step(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[bool]:
    """Make the skill check that an obstacle asks for; a failure ends the movement before it."""
    return overcome(fight, mover, in_way(fight, mover, here, there))
