"""The closest place that is free, for a combatant that stands where it may not stay."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import AROUND, Battlefield, Square
from affray.engine.grid.distance import corner_blocked
from affray.engine.grid.thin_walls import bars_step
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import CHASM, squares_of
from affray.engine.steps import Roll, Steps
from affray.projections.state import Combatant

#: So many squares around are looked at for room.
FAR: Final = 6


def has_ground(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Say whether a combatant can stand at a place, or lie there at the bottom of the chasm it is in."""
    if CHASM in mover.conditions:
        return all(fight.field.holds(one) and fight.field.at(one) == " " for one in squares_of(mover, at))
    return fight.field.passable(at, mover.space)


def make_room(fight: Fight, mover: Combatant) -> Steps[None]:
    """Put a combatant that stands in the place of another in the closest one where it may be.

    Of places equally near a die decides (srd35.special-move.illegal-space, srd35.distance.closest-tie,
    pf1.pass.end).
    """
    if not occupants(fight, mover, mover.at):
        return
    (x, y), topics = mover.at, ["special-move.illegal-space"]
    around = [(x + dx, y + dy) for dy in range(-FAR, FAR + 1) for dx in range(-FAR, FAR + 1)]
    free = [at for at in around if has_ground(fight, mover, at)]
    free = [at for at in free if at != mover.at and not occupants(fight, mover, at)]
    open_to = this_side_of_walls(fight.field, mover.at)
    # Only who is shut in with no room comes out beyond a wall.
    free = [at for at in free if at in open_to] or free
    for far in range(1, FAR + 1):
        near = [at for at in free if max(abs(at[0] - x), abs(at[1] - y)) == far]
        if not near:
            continue
        to = near[0]
        if len(near) > 1:
            rolled = yield Roll(mover.id, "closest", f"1d{len(near)}")
            to = near[rolled.total - 1]
            topics.append("place.closest-tie")
        yield displaced(mover, (to,), "to the closest legal place", *fight.rules(*topics))
        return


def this_side_of_walls(field: Battlefield, start: Square) -> set[Square]:
    """Return the squares around, at most FAR away, between which and `start` no wall shuts off every way."""
    found, ahead = {start}, [start]
    while ahead:
        here = ahead.pop()
        for dx, dy in AROUND:
            there = (here[0] + dx, here[1] + dy)
            if there in found or max(abs(there[0] - start[0]), abs(there[1] - start[1])) > FAR:
                continue
            if field.at(there) != "#" and not (
                corner_blocked(field, here, there) or bars_step(field, here, there)
            ):
                found.add(there)
                ahead.append(there)
    return found
