"""Obstacles between squares: whom they stop, and who is clear of them (pf1.terrain.obstacle)."""

from collections.abc import Sequence
from itertools import pairwise

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.classes.natures import nature_among
from affray.engine.rules.movement.barriers import AVOIDING, crossed_by
from affray.engine.rules.movement.obstacle_checks import overcome
from affray.engine.rules.position.squeezing import SQUEEZING
from affray.engine.steps import Refusal, Steps
from affray.events.facts.terrain import Barrier
from affray.projections.state import Combatant

OBSTACLE = "pf1.terrain.obstacle"


def in_way(fight: Fight, mover: Combatant, here: Square, there: Square) -> list[Barrier]:
    """Return the obstacles that hamper a step; none those who fly or have no body."""
    return [] if nature_among(mover, AVOIDING) else crossed_by(fight, mover, here, there)


def refuse_charge_across(
    fight: Fight, mover: Combatant, path: Sequence[Square], what: str, rule: str
) -> None:
    """Refuse to charge across an obstacle, and to those who squeeze (pf1.charge)."""
    if what == "charge" and SQUEEZING in mover.conditions:
        raise Refusal(f"{mover.id} squeezes and cannot charge", rule)
    for here, there in pairwise((mover.at, *path)):
        if what == "charge" and in_way(fight, mover, here, there):
            raise Refusal(f"an obstacle before {there[0]},{there[1]} hinders the charge", rule)


def step_needs_check(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Say whether an obstacle asks for a check before a step can be taken."""
    return any(barrier.check for barrier in in_way(fight, mover, here, there))


def check_before_step(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[bool]:
    """Make the skill check that an obstacle asks for; a failure ends the movement before it."""
    return overcome(fight, mover, in_way(fight, mover, here, there))
