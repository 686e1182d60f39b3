"""Shooting and casting on the way of a mount: at half of it, or where it is said (srd35.mount.*)."""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import path_cost
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.projections.state import Combatant


def half_way(fight: Fight, steed: Combatant, path: Sequence[Square]) -> int:
    """Return after how many squares a mount has done half of its movement."""
    whole = feet_of(fight, steed, path)
    return next(n for n in range(len(path) + 1) if 2 * feet_of(fight, steed, path[:n]) >= whole)


def feet_of(fight: Fight, steed: Combatant, path: Sequence[Square]) -> int:
    """Return the feet that a way costs a mount from where it stands."""
    parity = steed.spent.get("diagonals", 0) % 2
    scaled = fight.dialect.movement.scaled_diagonals
    cost = path_cost(fight.field, (steed.at, *path), side=steed.space, parity=parity, scaled=scaled)
    return int(cost.squares) * SQUARE_FT


def ride_on(
    fight: Fight, rider: Combatant, steed: Combatant, act: acts.Ride, part: tuple[int, int], topic: str
) -> Steps[bool]:
    """Have the mount go on along its way; return whether it carries its rider still, and the rider is up.

    `part` says how many squares of the way it has done and how many it shall have done. `topic` is the rule
    by which a mount moves when it does not run. Without a rider to guide it, it goes no further.
    """
    done, upto = part
    if rider.mount != steed.id or is_down(fight, rider):
        return False
    how, why = ("run", "run.action") if act.pace == "run" else ("normal", topic)
    path = act.path[done:upto]
    if not (yield from fight.dialect.movement.walk(fight, steed, path, how, fight.rule(why))):
        return False
    return rider.mount == steed.id and not is_down(fight, rider)
