"""Fleeing: the way that leads farthest from somebody, and whether there is one."""

from collections.abc import Callable
from heapq import heappop, heappush

from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.grid.battlefield import AROUND, SQUARE_FT, Square
from affray.engine.grid.distance import distance_ft, obstructed, step_cost
from affray.engine.rules.classes.natures import CLEAR_OF_GROUND, nature_among
from affray.engine.rules.movement.movement import refuse_path, speed
from affray.engine.rules.position.occupants import occupants
from affray.engine.steps import Refusal
from affray.projections.state import Combatant


def feet_apart(mover: Combatant, at: Square, other: Combatant) -> int:
    """Return the feet between a combatant with its anchor at `at` and another one."""
    return distance_ft(at, other.at, mover.space, other.space)


def flight_path(fight: Fight, mover: Combatant, danger: Combatant) -> tuple[Square, ...]:
    """Return the path of one move that brings `mover` farthest from `danger`; () when none brings it farther.

    Of equally distant ends the one that costs least. O(squares within the speed).
    """
    if any(not rule_of(fight, name).moves for name in mover.conditions):
        return ()
    now = feet_apart(mover, mover.at, danger)
    feet = speed(fight, mover)
    came = reachable(fight, mover, feet // SQUARE_FT)
    ends = [
        (-feet_apart(mover, there, danger), cost, there)
        for there, (cost, _, _) in came.items()
        if feet_apart(mover, there, danger) > now
    ]
    for _, _, end in sorted(ends):
        path = [end]
        while (before := came[path[-1]][2]) != mover.at:
            path.append(before)
        path.reverse()
        try:
            refuse_path(fight, mover, tuple(path), feet, "")
        except Refusal:
            continue
        return tuple(path)
    return ()


def reachable(
    fight: Fight, mover: Combatant, squares: int, allowed: Callable[[Square], bool] | None = None
) -> dict[Square, tuple[int, int, Square]]:
    """Return what can be reached within a cost in squares: by square (cost, parity, the square before).

    Only by way of squares that are `allowed`, if that is given.
    """
    field = fight.field
    hampered = not nature_among(mover, CLEAR_OF_GROUND)
    parity = mover.spent.get("diagonals", 0) % 2
    found: dict[Square, tuple[int, int, Square]] = {mover.at: (0, parity, mover.at)}
    queue = [(0, mover.at)]
    while queue:
        cost, here = heappop(queue)
        if cost > found[here][0]:
            continue
        for dx, dy in AROUND:
            there = (here[0] + dx, here[1] + dy)
            if obstructed(field, here, there, mover.space) or (allowed is not None and not allowed(there)):
                continue
            if any(
                other.side != mover.side and not is_down(fight, other)
                for other in occupants(fight, mover, there)
            ):
                continue
            doublings = field.doublings(there, mover.space) if hampered else 0
            step = step_cost(
                bool(dx and dy), doublings, found[here][1], fight.dialect.movement.scaled_diagonals
            )
            whole = cost + step.squares
            if whole <= squares and (there not in found or whole < found[there][0]):
                found[there] = (whole, step.parity, here)
                heappush(queue, (whole, there))
    return found
