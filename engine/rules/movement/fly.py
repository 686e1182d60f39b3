"""Flying: where a flier is, how it turns, rises, sinks and lands (srd35.move.fly-table, pf1.skill.fly).

The condition's level is the height in feet, its source the heading.
"""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.height import squares_above
from affray.engine.rules.classes.natures import FLYING
from affray.engine.rules.movement.noticed import noticed
from affray.engine.rules.movement.unseen import met_at_end, run_into
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import level_of, squares_of
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant

#: The condition of the rider of a flier.
BORNE = "borne aloft"
DIVING, STALLED = "diving", "stalled"
#: What is over for a flier that comes to the ground.
IN_FLIGHT: Final = (FLYING, STALLED, DIVING)
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
    if others := noticed(fight, mover, others):
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


def rises_away(fight: Fight, mover: Combatant, path: tuple[Square, ...], up: int) -> bool:
    """Say whether a flier that gains height is within somebody's reach on its way unless it has risen."""
    return up > 0 and any(
        endangers(fight, enemy, mover, at) for enemy in fight.enemies(mover) for at in path[:-1]
    )


def change_height(fight: Fight, mover: Combatant, heading: str, height: int, rule: str) -> Steps[None]:
    """Let a flier, and whoever rides it, be at a height in feet."""
    yield ConditionGained(
        who=mover.id, condition=FLYING, source=heading, level=height, aloft=True, cites=(rule,)
    )
    if mover.rider:
        yield ConditionGained(
            who=mover.rider, condition=BORNE, source=mover.id, level=height, aloft=True, cites=(rule,)
        )


def start_aloft(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let a combatant enter in the air, as many feet up as the level of its flight says."""
    yield replace(fact, aloft=True)


def end_flight(fight: Fight, mover: Combatant, why: str, *cites: str) -> Steps[None]:
    """Let nobody fly any more who did, nor be borne by it."""
    for name in IN_FLIGHT:
        if name in mover.conditions:
            yield ConditionLost(who=mover.id, condition=name, why=why, cites=cites)
    if mover.rider and BORNE in fight.state.combatants[mover.rider].conditions:
        yield ConditionLost(who=mover.rider, condition=BORNE, why=why, cites=cites)


def height_flown(mover: Combatant) -> int:
    """Return how many feet a flier is above the ground."""
    return mover.conditions[FLYING].level if FLYING in mover.conditions else 0


def heading_of(way: tuple[Square, ...]) -> str:
    """Return the heading of a flier at the end of a way that begins where it was; one that stays hovers."""
    if len(way) < 2:
        return "hovering"
    last, end = way[-2:]
    return NAMES[end[0] - last[0], end[1] - last[1]]


def degrees_between(heading: str, other: str) -> int:
    """Return by how many degrees a flier turns from one heading to another; 0 from none."""
    eighths = abs(EIGHTHS[other] - EIGHTHS[heading]) if heading in EIGHTHS else 0
    return min(eighths, 8 - eighths) * 45


def fly_along(fight: Fight, mover: Combatant, path: tuple[Square, ...], up: int, rule: str) -> Steps[bool]:
    """Fly along a way that is allowed, `up` feet up; return whether its end was reached.

    Who gains height has it after its first square where somebody is in reach, else at the end of the way;
    at height 0 the flight is over. Where somebody is whom it did not perceive the flight ends before it.

    srd35.move.fly-table, pf1.skill.fly.
    """
    height = height_flown(mover) + up
    place = path[-1] if path else mover.at
    met = met_at_end(fight, mover, place, crowding(fight, mover, place, height // SQUARE_FT))
    if met is None:
        return (yield from fly_freely(fight, mover, path, up, rule))
    way = (mover.at, *path)
    ends = (n for n in reversed(range(len(way))) if not crowding(fight, mover, way[n], height // SQUARE_FT))
    free = next(ends, None)
    if free is None or (yield from fly_freely(fight, mover, path[:free], up, rule)):
        yield from run_into(fight, mover, met, "fly")
    return False


def fly_freely(fight: Fight, mover: Combatant, path: tuple[Square, ...], up: int, rule: str) -> Steps[bool]:
    """Fly along a way at whose end nobody is; return whether it was reached."""
    heading = heading_of((mover.at, *path))
    height = height_flown(mover) + up
    rising = rises_away(fight, mover, path, up)
    if path and not (
        yield from fight.dialect.movement.walk(
            fight, mover, path[:1] if rising else path, "fly", rule, onward=True
        )
    ):
        return False
    if rising:
        yield from change_height(fight, mover, heading, height, rule)
        if not (yield from fight.dialect.movement.walk(fight, mover, path[1:], "fly", rule, onward=True)):
            return False
    if height == 0:
        yield from end_flight(fight, mover, "lands", rule)
    elif not rising:
        yield from change_height(fight, mover, heading, height, rule)
    return True


def refuse_aloft(fight: Fight, mover: Combatant, rule: str) -> None:
    """Refuse to walk on the air (srd35.move.fly-table, pf1.skill.fly)."""
    if height_flown(mover):
        raise Refusal(f"{mover.id} is {height_flown(mover)} ft. up in the air and must fly", rule)
