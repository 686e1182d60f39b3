"""Room beside who grapples: for whom it draws close, moves along or spits out (pf1.grapple.start)."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.line import can_be_put, line_of_effect
from affray.engine.rules.movement.brink import is_chasm
from affray.engine.rules.position.occupants import occupants
from affray.projections.state import Combatant


def squares_beside(
    fight: Fight, grappler: Combatant, target: Combatant, hazardous: bool = False
) -> list[Square]:
    """Return the places next to a grappler where its target finds room.

    With `hazardous` those above a chasm are among them.
    """
    (x, y), side, own = grappler.at, grappler.space, target.space
    found = []
    for at in ((x + dx, y + dy) for dx in range(-own, side + 1) for dy in range(-own, side + 1)):
        beside = at[0] in (x - own, x + side) or at[1] in (y - own, y + side)
        room = beside and (
            can_be_put(fight.field, grappler.at, side, at, own)
            or (
                hazardous
                and is_chasm(fight, target, at)
                and line_of_effect(fight.field, grappler.at, side, at, own)
            )
        )
        if room and not occupants(fight, target, at):
            found.append(at)
    return found
