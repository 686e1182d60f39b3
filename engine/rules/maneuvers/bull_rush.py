"""Bull rush: into an opponent's space, to push it straight back (srd35.bull-rush.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import obstructed
from affray.engine.rules.position.place import anchors_of
from affray.projections.state import Combatant


def straight_on(start: Square, attacker: Combatant, target: Combatant) -> Square:
    """Return the step, (dx, dy), that leads from one space straight on into the other."""
    dx = 2 * (target.at[0] - start[0]) + target.space - attacker.space
    dy = 2 * (target.at[1] - start[1]) + target.space - attacker.space
    return (direction_of(dx, dy), direction_of(dy, dx))


def direction_of(along: int, across: int) -> int:
    """Return -1, 0 or 1: the direction of a distance, 0 when the other one is more than twice as long."""
    return 0 if 2 * abs(along) < abs(across) or not along else along // abs(along)


def is_walled_off(fight: Fight, target: Combatant, there: Square) -> bool:
    """Say whether the ground keeps a target from being pushed to a place next to where it stands."""
    steps = zip(anchors_of(target), anchors_of(target, there), strict=True)
    return any(obstructed(fight.field, *step, target.space) for step in steps)
