"""Out of a grapple: the free space that a combatant moves into (srd35.grapple.escape-move)."""

from collections.abc import Sequence
from itertools import product

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import adjacent, distance_ft
from affray.engine.grid.line import can_be_put
from affray.engine.rules.movement.closest_place import make_room
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.rules.position.chosen_square import choose_square
from affray.engine.rules.position.occupants import occupants
from affray.engine.steps import Steps
from affray.projections.state import Combatant


def places_beside(fight: Fight, combatant: Combatant, holders: Sequence[Combatant]) -> list[Square]:
    """Return the free places next to those who held a combatant: the nearest, least threatened ones first."""
    x, y = combatant.at
    far = combatant.space + max(one.space for one in holders)
    free = [
        at
        for at in product(range(x - far, x + far + 1), range(y - far, y + far + 1))
        if all(adjacent(at, one.at, combatant.space, one.space) for one in holders)
        and can_be_put(fight.field, combatant.at, combatant.space, at, combatant.space)
        and not occupants(fight, combatant, at)
    ]
    enemies = fight.enemies(combatant)

    def usual(at: Square) -> tuple[int, int, Square]:
        dangers = sum(endangers(fight, enemy, combatant, at) for enemy in enemies)
        return distance_ft(combatant.at, at), dangers, at

    return sorted(free, key=usual)


def step_out(
    fight: Fight, combatant: Combatant, holders: Sequence[Combatant], path: Sequence[Square] = ()
) -> Steps[None]:
    """Move a combatant that is free into any space next to those who held it, as it said or chooses now.

    Where there is none, into the closest one that is free (srd35.grapple.escape-move,
    futurepath.grid.occupancy).
    """
    places = places_beside(fight, combatant, holders)
    if not places:
        yield from make_room(fight, combatant)
        return
    question = f"{combatant.id} is out of the grapple: where does it go?"
    rule = fight.rule("grapple.escape-move")
    to = path[-1] if path else (yield from choose_square(combatant.id, "out", question, places, rule))
    if to != combatant.at:
        yield displaced(combatant, (to,), "out of the grapple", rule)
