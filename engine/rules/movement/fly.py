"""Flying: how a flier turns, climbs and dives by its maneuverability (srd35.move.fly-table).

Hover and Wingover lift some of its limits (srd35.feat.flyby-attack).
"""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.height import squares_above
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import level_of, squares_of
from affray.engine.steps import Refusal
from affray.projections.state import Combatant

#: The condition of the rider of a flier.
BORNE = "borne aloft"
#: Headings as they are told, clockwise by eighths of a turn.
HEADINGS: tuple[tuple[str, Square], ...] = (
    ("north", (0, -1)),
    ("north-east", (1, -1)),
    ("east", (1, 0)),
    ("south-east", (1, 1)),
    ("south", (0, 1)),
    ("south-west", (-1, 1)),
    ("west", (-1, 0)),
    ("north-west", (-1, -1)),
)
NAMES = {way: name for name, way in HEADINGS}
EIGHTHS = {name: place for place, (name, _) in enumerate(HEADINGS)}


def refuse_blocked_flight(
    fight: Fight, mover: Combatant, path: tuple[Square, ...], feet: int | None = None
) -> None:
    """Refuse to fly through walls, or to end where somebody is, `feet` up where heights count for that."""
    for square in path:
        if any(
            fight.field.at((square[0] + x, square[1] + y)) == "#"
            for x in range(mover.space)
            for y in range(mover.space)
        ):
            raise Refusal(f"a wall stands at {square[0]},{square[1]}", fight.rule("obstacle.blocking"))
    end = path[-1]
    others = occupants(fight, mover, end) if feet is None else crowding(fight, mover, end, feet // SQUARE_FT)
    if others:
        raise Refusal(f"{others[0].id} is at {end[0]},{end[1]}", fight.rule("pass.ending-movement"))


def crowding(fight: Fight, mover: Combatant, at: Square, level: int) -> list[Combatant]:
    """Return those in whose space a flier would be at `at`, so many squares above the ground."""
    squares = set(squares_of(mover, at))
    return [
        other
        for other in fight.state.combatants.values()
        if other is not mover
        and not other.mount
        and other.id != mover.mount
        and "dead" not in other.conditions
        and not squares_above(level, mover.space, level_of(other), other.space)
        and squares.intersection(squares_of(other))
    ]
