"""Areas of effect: the squares of each shape, what they keep out, and areas that stay on the map.

A square is in an area if its centre is (the reading `center-covered`). Spheres and cylinders have a corner of
squares as their point of origin; cones, lines and cubes that start from a creature begin at the edge of its
space, towards the square that is aimed at; an emanation is measured from that edge.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import hypot
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.srd52.conditions import is_away
from affray.engine.dialects.srd52.features import SPELL, Feature
from affray.engine.dialects.srd52.position import Point, is_barred, obstacles, point_at, points_of
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import space
from affray.engine.kernel.places import height_of
from affray.engine.steps import NOTHING, Refusal, Steps
from affray.events.facts.combat import AreaEnded, AreaPlaced
from affray.projections.state import Area, Combatant

Place = tuple[float, float]

# --- Shapes


def area_of(fight: Fight, row: Mapping[str, Any], origin: Combatant, at: Square | None) -> frozenset[Square]:
    """Return the squares of an area by its figures ("shape" and sizes in feet).

    at: the corner of a sphere or cylinder, the first square of a cube or square elsewhere, the square that a
    cone, line or cube of the combatant is aimed at. Refuses an area without it.
    """
    shape = str(row["shape"])
    if shape == "emanation":
        found = emanation(origin, row["distance"])
        return unblocked(fight, found, points_of(origin.at, origin.space))
    if at is None:
        raise Refusal("the area needs a square to be aimed at", fight.rule("magic.area-shapes"))
    if shape in ("sphere", "cylinder"):
        return unblocked(fight, sphere(at, row["radius"]), [point_at(at)])
    start, ahead = aim(origin, at)
    if shape == "cone":
        return unblocked(fight, cone(start, ahead, row["length"]), points_of(origin.at, origin.space))
    if shape == "line":
        found = line(start, ahead, row["length"], row["width"])
        return unblocked(fight, found, points_of(origin.at, origin.space))
    side = int(row["side"]) // SQUARE_FT
    if row.get("from_caster"):
        return unblocked(fight, cube_from(origin, at, side), points_of(origin.at, origin.space))
    return unblocked(fight, space(at, side), points_of(at, side))


def sphere(at: Square, feet: int) -> Iterator[Square]:
    """Yield the squares whose centres are within a distance in feet of a corner."""
    reach = feet / SQUARE_FT
    whole = range(-int(reach), int(reach))
    yield from ((at[0] + x, at[1] + y) for x, y in product(whole, whole) if hypot(x + 0.5, y + 0.5) <= reach)


def emanation(origin: Combatant, feet: int) -> Iterator[Square]:
    """Yield the squares whose centres are within a distance of a space, without the space itself."""
    reach, (left, top), side = feet / SQUARE_FT, origin.at, origin.space
    own = set(space(origin.at, side))
    for x, y in product(range(-int(reach), side + int(reach)), repeat=2):
        across, down = max(-x, x + 1 - side, 0.5), max(-y, y + 1 - side, 0.5)
        if hypot(across - 0.5, down - 0.5) <= reach and (left + x, top + y) not in own:
            yield left + x, top + y


def aim(origin: Combatant, at: Square) -> tuple[Place, Place]:
    """Return the point at the edge of a space that faces a square's centre, and the direction of length 1."""
    half = origin.space / 2
    middle = origin.at[0] + half, origin.at[1] + half
    across, down = at[0] + 0.5 - middle[0], at[1] + 0.5 - middle[1]
    far = hypot(across, down) or 1.0
    scale = half / (max(abs(across), abs(down)) or 1.0)
    return (middle[0] + across * scale, middle[1] + down * scale), (across / far, down / far)


def along(start: Place, ahead: Place, square: Square) -> tuple[float, float]:
    """Return how far a square's centre lies ahead of a point, and how far aside, in squares."""
    across, down = square[0] + 0.5 - start[0], square[1] + 0.5 - start[1]
    return across * ahead[0] + down * ahead[1], abs(across * ahead[1] - down * ahead[0])


def around(start: Place, feet: int) -> Iterator[Square]:
    """Yield all squares that might be within a distance in feet of a point."""
    reach = feet // SQUARE_FT + 1
    whole = range(-reach, reach + 1)
    yield from ((int(start[0]) + x, int(start[1]) + y) for x, y in product(whole, whole))


SLACK: Final = 1e-9
"""For centres that lie right on an edge."""


def cone(start: Place, ahead: Place, feet: int) -> Iterator[Square]:
    """Yield the squares of a cone, which is as wide as it is far; the first square is in it."""
    for square in around(start, feet):
        far, aside = along(start, ahead, square)
        if 0 < far <= feet / SQUARE_FT + SLACK and (
            aside <= far / 2 + SLACK or is_first(start, ahead, square)
        ):
            yield square


def is_first(start: Place, ahead: Place, square: Square) -> bool:
    """Return whether a line from a point enters a square first."""
    within = (start[0] + ahead[0] / 100, start[1] + ahead[1] / 100)
    return all(low <= one <= low + 1 for low, one in zip(square, within, strict=True))


def line(start: Place, ahead: Place, feet: int, width: int) -> Iterator[Square]:
    """Yield the squares of a line of a length and width."""
    for square in around(start, feet):
        far, aside = along(start, ahead, square)
        if 0 < far <= feet / SQUARE_FT + SLACK and aside <= width / SQUARE_FT / 2 + SLACK:
            yield square


def cube_from(origin: Combatant, at: Square, side: int) -> tuple[Square, ...]:
    """Return a cube with a face at the edge of a space, towards a square and level with it if it can."""
    (left, top), own = origin.at, origin.space
    across, down = at[0] + 0.5 - left - own / 2, at[1] + 0.5 - top - own / 2
    ahead = 0 if abs(across) >= abs(down) else 1
    first = [0, 0]
    forward = (across, down)[ahead] > 0
    first[ahead] = origin.at[ahead] + own if forward else origin.at[ahead] - side
    other = 1 - ahead
    middle = origin.at[other] + (own - side) // 2
    least, most = origin.at[other] - side + 1, origin.at[other] + own - 1
    wanted = min(max(middle, at[other] - side + 1), at[other])
    first[other] = min(max(wanted, least), most)
    return space((first[0], first[1]), side)


def unblocked(fight: Fight, squares: Iterable[Square], origins: Iterable[Point]) -> frozenset[Square]:
    """Return the squares on the map to which a straight line from the point of origin is free of walls.

    origins: the points that stand for the point of origin.
    """
    field, bars, starts = fight.field, obstacles(fight), list(origins)
    clear = not bars.walls and not field.sides
    return frozenset(
        one
        for one in squares
        if field.holds(one)
        and field.passable(one, 1)
        and (
            clear
            or any(
                not is_barred(start, end, bars.walls, bars) for start in starts for end in points_of(one, 1)
            )
        )
    )


def inside(fight: Fight, squares: frozenset[Square], *but: str) -> list[Combatant]:
    """Return the combatants in an area, even in part, in the order of entry, except those named."""
    return [
        one
        for one in fight.state.combatants.values()
        if one.id not in but and not is_away(one) and not squares.isdisjoint(space(one.at, one.space))
    ]


# --- Areas that stay


def squares_of_area(fight: Fight, area: Area, at: Square | None = None) -> frozenset[Square]:
    """Return the squares of an area now, which may move along with a combatant, or with that one at `at`."""
    bearer = fight.state.combatants.get(area.around)
    if bearer is None:
        return frozenset(area.squares)
    bearer = bearer if at is None else replace(bearer, at=at)
    found = emanation(bearer, area.feet)
    return unblocked(fight, found, points_of(bearer.at, bearer.space)) | frozenset(
        space(bearer.at, bearer.space)
    )


def who_is_in(fight: Fight, area: Area, at: Square | None = None) -> list[Combatant]:
    """Return the others in an area that moves with its bearer, with that one at `at`."""
    return inside(fight, squares_of_area(fight, area, at), area.around)


def areas_at(fight: Fight, at: Square, side: int = 1) -> list[Area]:
    """Return the areas in which a space at a square lies, in the order in which they were placed."""
    if not fight.state.areas:
        return []
    own = space(at, side)
    return [one for one in fight.state.areas.values() if not squares_of_area(fight, one).isdisjoint(own)]


@per_scene("at", "side")
def traits_at(fight: Fight, at: Square, side: int = 1) -> frozenset[str]:
    """Return what areas make of a space at a square: "difficult", "lightly obscured", "heavily obscured",
    "darkness" (magical), "silence", "dim light", "bright light".
    """
    return frozenset(trait for one in areas_at(fight, at, side) for trait in one.traits)


def place(
    fight: Fight,
    id: str,
    what: str,
    who: str,
    squares: Iterable[Square],
    *cites: str,
    traits: Iterable[str] = (),
    around: str = "",
    feet: int = 0,
    level: int = 0,
) -> AreaPlaced:
    """Return the fact that an area is on the map, with its squares in order."""
    return AreaPlaced(
        id=id,
        what=what,
        who=who,
        squares=tuple(sorted(squares)),
        around=around,
        feet=feet,
        traits=tuple(traits),
        level=level,
        cites=cites,
    )


def remove(fight: Fight, id: str, why: str, *cites: str) -> Steps[None]:
    """End an area, if it is still there; those in it are out of it then."""
    area = fight.state.areas.get(id)
    if area is None:
        return
    there = inside(fight, squares_of_area(fight, area))
    yield AreaEnded(id=id, who=area.who, what=area.what, why=why, cites=cites)
    for one in there:
        yield from act_on(fight, area, one, "leave")


def act_on(fight: Fight, area: Area, combatant: Combatant, moment: str) -> Steps[None]:
    """Let an area act on a combatant: "enter", "within" with each step, "leave", "start", "end" of a turn."""
    table: Mapping[str, Feature] = fight.dialect.kernel.features
    feature = table.get(f"{SPELL} {area.what}") or table.get(area.what)
    gone = area.id not in fight.state.areas and moment != "leave"
    if feature is None or feature.in_area is None or gone or is_above(fight, feature, combatant):
        return NOTHING
    return feature.in_area(fight, area, combatant, moment)


def is_above(fight: Fight, feature: Feature, combatant: Combatant) -> bool:
    """Return whether a combatant flies above the area of a spell, where that has a height."""
    if not (height := height_of(combatant)):
        return False
    row = fight.figure(feature.topic)
    area = row.get("area") if isinstance(row, dict) else None
    return bool(isinstance(area, dict) and height >= area.get("height", height + 1))


def turn_in_areas(fight: Fight, combatant: Combatant, moment: str) -> Steps[None]:
    """Let the areas in which a combatant's turn starts or ends act on it."""
    for area in areas_at(fight, combatant.at, combatant.space):
        yield from act_on(fight, area, combatant, moment)


def entered(fight: Fight, combatant: Combatant, before: Square, path: Iterable[Square]) -> Steps[None]:
    """Let the areas act on a combatant that it has entered on its way from a square, one after another.

    Those that move along with it act on the others that they reach now.
    """
    if not fight.state.areas:
        return
    for area in list(fight.state.areas.values()):
        if area.around == combatant.id:
            reached = who_is_in(fight, area, before)
            for other in who_is_in(fight, area):
                if other not in reached:
                    yield from act_on(fight, area, other, "enter")
    here, was = before, areas_at(fight, before, combatant.space)
    for there in path:
        now = areas_at(fight, there, combatant.space)
        beside = max(abs(there[0] - here[0]), abs(there[1] - here[1])) == 1
        for area in was:
            if area not in now:
                yield from act_on(fight, area, combatant, "leave")
        for area in now:
            if area not in was:
                yield from act_on(fight, area, combatant, "enter")
            elif beside:
                yield from act_on(fight, area, combatant, "within")
        here, was = there, now


# --- Webs in fire

WEB: Final = "web"
BURNING_WEB: Final = "burning web"


def kindle(fight: Fight, squares: Iterable[Square], who: str) -> Steps[None]:
    """Set fire to the webs in some squares, which burn for a round."""
    lit = {one for area in fight.state.areas.values() if area.what == BURNING_WEB for one in area.squares}
    exposed = frozenset(squares) - lit
    for web in list(fight.state.areas.values()):
        if web.what == WEB and (burning := exposed & squares_of_area(fight, web)):
            cites, id = fight.rules("magic.spell-web"), f"{BURNING_WEB}:{web.id}:{fight.declaration}"
            until = fight.state.round + 1
            yield place(fight, id, BURNING_WEB, who or web.who, burning, *cites, level=until)


def burn_away(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let the webs that a combatant set on fire a round ago be gone as its turn starts."""
    for area in list(fight.state.areas.values()):
        if area.what != BURNING_WEB or area.who != combatant.id or fight.state.round < area.level:
            continue
        cites = fight.rules("magic.spell-web")
        yield from remove(fight, area.id, "it has burnt away", *cites)
        web = fight.state.areas.get(area.id.removeprefix(f"{BURNING_WEB}:").rpartition(":")[0])
        if web is None:
            continue
        left = frozenset(web.squares) - frozenset(area.squares)
        there = inside(fight, frozenset(web.squares))
        yield place(fight, web.id, web.what, web.who, left, *cites, traits=web.traits, level=web.level)
        for one in there:
            if left.isdisjoint(space(one.at, one.space)):
                yield from act_on(fight, web, one, "leave")
