"""Obstacles between squares, such as fences and ditches: which of them a step crosses."""

from collections.abc import Iterable

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_map
from affray.engine.fight.walled_field import WALL
from affray.engine.grid.battlefield import Square
from affray.engine.rules.classes.natures import FLYING, INCORPOREAL
from affray.events.facts.terrain import Barrier
from affray.projections.state import Combatant

#: Those whom no obstacle on the ground hampers.
AVOIDING = frozenset({FLYING, INCORPOREAL})


@per_map()
def barriers(fight: Fight) -> dict[frozenset[Square], Barrier]:
    """Return the obstacles between squares that can be crossed, by the two squares: no walls and doors."""
    return {frozenset((one.here, one.there)): one for one in fight.state.barriers if one.cover != WALL}


def barriers_crossed(fight: Fight, squares: Iterable[Square], here: Square, there: Square) -> list[Barrier]:
    """Return the obstacles between squares that a step from `here` to `there` crosses, off these squares.

    A diagonal step crosses one if both ways around the corner do.
    """
    if not fight.state.barriers:
        return []
    sides = barriers(fight)
    dx, dy = there[0] - here[0], there[1] - here[1]
    found = []
    for x, y in squares:
        end = (x + dx, y + dy)
        direct = sides.get(frozenset(((x, y), end)))
        ways = [] if direct else [((x + dx, y), end), ((x, y + dy), end)]
        around = [
            sides.get(frozenset(((x, y), corner))) or sides.get(frozenset((corner, end)))
            for corner, end in ways
        ]
        if direct is not None:
            found.append(direct)
        elif dx and dy and all(around):
            found += [one for one in around[:1] if one is not None]
    return found


def crossed_by(fight: Fight, mover: Combatant, here: Square, there: Square) -> list[Barrier]:
    """Return the obstacles between squares that a step of a mover crosses, with all of its space."""
    if not fight.state.barriers:
        return []
    side = range(mover.space)
    return barriers_crossed(fight, [(here[0] + dx, here[1] + dy) for dx in side for dy in side], here, there)


def covers_only(barrier: Barrier) -> str:
    """Return what of a barrier means nothing where no rule hampers its crossing, "" if nothing."""
    if barrier.check or barrier.dc:
        return "asks for a check, and no rule hampers its crossing"
    return "" if barrier.cover else "neither covers nor, by any rule, hampers its crossing"


def asks_for_check(barrier: Barrier) -> str:
    """Return what of a barrier means nothing where a check is asked for by the name of its skill."""
    return "has a DC, but no check" if barrier.dc and not barrier.check else ""
