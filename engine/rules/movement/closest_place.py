"""The closest place that is free, for a combatant that stands where it may not stay."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.position.occupants import occupants
from affray.engine.steps import Roll, Steps
from affray.projections.state import Combatant

#: So many squares around are looked at for room.
FAR: Final = 6


def make_room(fight: Fight, mover: Combatant) -> Steps[None]:
    """Put a combatant that stands in the place of another in the closest one where it may be.

    Of places equally near a die decides (srd35.special-move.illegal-space, srd35.distance.closest-tie,
    pf1.pass.end).
    """
    if not occupants(fight, mover, mover.at):
        return
    (x, y), topics = mover.at, ["special-move.illegal-space"]
    for far in range(1, FAR + 1):
        near = [
            (x + dx, y + dy)
            for dy in range(-far, far + 1)
            for dx in range(-far, far + 1)
            if max(abs(dx), abs(dy)) == far and fight.field.passable((x + dx, y + dy), mover.space)
        ]
        near = [at for at in near if not occupants(fight, mover, at)]
        if not near:
            continue
        to = near[0]
        if len(near) > 1:
            rolled = yield Roll(mover.id, "closest", f"1d{len(near)}")
            to = near[rolled.total - 1]
            topics.append("place.closest-tie")
        yield displaced(mover, (to,), "to the closest legal place", *fight.rules(*topics))
        return
