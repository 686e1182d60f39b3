"""What a way costs in Futurepath, and the rules of the squares that it leads through."""

from collections.abc import Iterator, Sequence
from typing import Final

from affray.engine.dialects.futurepath.contested import in_force
from affray.engine.dialects.futurepath.defense.things_as_cover import is_closed
from affray.engine.dialects.futurepath.gear.doors import stands_open
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import path_cost
from affray.engine.record.movement import Measure
from affray.engine.rules.movement.movement import sizes_apart
from affray.engine.rules.position.occupants import occupants
from affray.engine.steps import Refusal
from affray.projections.state import Combatant

SCALE: Final = "futurepath.grid.scale"
#: How many feet a square is, by either edition; the old one says it twice.
FEET: Final = {
    SCALE: ((SCALE, "inch_ft"), ("futurepath.grid.standard-scale", "square_ft")),
    "futurepath.grid.squares": (("futurepath.grid.squares", "square_ft"),),
}
ALLY: Final = "futurepath.movement.pass-through-ally"
UNRESISTING: Final = "futurepath.movement.pass-through-unresisting"


def measure_way(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return what it costs to go along squares, the first being where the mover stands.

    futurepath.grid.squares, futurepath.grid.scale, futurepath.movement.eight-directions.
    """
    cost = path_cost(fight.field, whole, side=mover.space, parity=mover.spent.get("diagonals", 0) % 2)
    scale = in_force(fight, SCALE, {})
    slanted = ("futurepath.movement.eight-directions",) if cost.diagonals else ()
    topics = dict.fromkeys((scale, *slanted, *rules_of_passing(fight, mover, whole[1:])))
    feet: list[int] = [fight.book.figure(*place) for place in FEET[scale]]
    return Measure(cost.squares * max(feet), cost.diagonals, fight.rules(*topics))


def rules_of_passing(fight: Fight, mover: Combatant, squares: Sequence[Square]) -> Iterator[str]:
    """Yield the rules by which a mover may be in squares that others hold.

    futurepath.movement.pass-through-ally, futurepath.movement.through-enemy-blocked,
    futurepath.movement.pass-through-unresisting, futurepath.movement.three-size-difference.
    """
    for square in squares:
        for other in occupants(fight, mover, square):
            if stands_open(other):
                yield "futurepath.action.manipulate-objects"
            elif other.side == mover.side:
                yield ALLY
            elif is_helpless(fight, other) or lets_pass(fight, mover, other):
                yield UNRESISTING
            elif sizes_apart(fight, mover, other):
                yield "futurepath.movement.three-size-difference"


def lets_pass(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Say whether an opponent who does not resist may be passed like a friend: by the old rules alone.

    futurepath.movement.pass-through-unresisting.
    """
    return "unresisting" in other.conditions and in_force(fight, UNRESISTING, {}) == UNRESISTING


def is_open_door(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Say whether what is in the way is a door that stands open."""
    return stands_open(other)


def is_no_closed_door(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Say whether what is in the way is none that lets nobody through, whatever its size.

    futurepath.assumed.ground.
    """
    return not is_closed(fight, other)


def refuse_running_through(fight: Fight, mover: Combatant, path: Sequence[Square]) -> None:
    """Refuse to sprint through a friend's square; by the old rules one runs through it.

    futurepath.movement.through-ally-no-sprint.
    """
    rule = in_force(fight, ALLY, {"movement": "sprint"})
    if rule == ALLY:
        return
    for square in path:
        for friend in occupants(fight, mover, square):
            if friend.side == mover.side and not stands_open(friend):
                raise Refusal(f"one cannot sprint through {friend.id}'s square", rule)
