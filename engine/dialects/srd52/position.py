"""Places: distances in squares, reach, spaces by size, cover, and who may share a square."""

from collections.abc import Collection, Mapping
from typing import Final, Literal, NamedTuple

from affray.engine.dialects.srd52.conditions import incapacitating, is_away
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company, per_map, per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Side, Square, walls_met
from affray.engine.grid.distance import gaps, obstructed, space, squares_above
from affray.engine.grid.lines_and_cover import corners, relative_trace, sides_with_rim, with_rim
from affray.engine.kernel.places import level_of, squares_of
from affray.engine.steps import Steps, unknown_word
from affray.events.facts.combat import Moved
from affray.events.facts.sheet import Ground, Modifier, Sheet
from affray.projections.state import Combatant

# --- Size and space

SIZES: Final = ("tiny", "small", "medium", "large", "huge", "gargantuan")


def size_of(combatant: Combatant) -> int:
    """Return the rank of a combatant's size, 0 for Tiny."""
    return SIZES.index(combatant.sheet.size) if combatant.sheet.size in SIZES else 2


def space_and_reach(fight: Fight, sheet: Sheet) -> tuple[int, int]:
    """Return the space of a sheet in squares, by its size, and its reach in feet."""
    feet = fight.figure("position.size-space", sheet.size, "ft") if sheet.space is None else sheet.space
    reach = fight.figure("attacks.reach", "reach_ft") if sheet.reach is None else sheet.reach
    return max(1, int(feet) // SQUARE_FT), int(reach)


# --- The ground


@per_company("at")
def ground_at(fight: Fight, at: Square) -> frozenset[str]:
    """Return the names of the ground in a square, light and weather among them."""
    found = frozenset(one.what for one in fight.state.ground if lies_in(at, one))
    wet = (one for one in fight.state.areas.values() if WATER in one.traits and at in one.squares)
    return found | {WATER} if any(wet) else found


WATER: Final = "water"
"""The trait of areas that are deep water, and its name as ground."""


def lies_in(at: Square, ground: Ground) -> bool:
    """Return whether a square is one of those that a ground covers."""
    (x, y), (left, top), (right, bottom) = at, ground.here, ground.there
    return min(left, right) <= x <= max(left, right) and min(top, bottom) <= y <= max(top, bottom)


def is_ground(fight: Fight, at: Square, topic: str, path: str = "ground") -> bool:
    """Return whether a square has one of the grounds that a rule names."""
    here = ground_at(fight, at)
    return bool(here) and not here.isdisjoint(fight.figure(topic, path))


GROUNDS: Final = (
    ("movement.difficult-terrain-list", "ground"),
    ("movement.swim", "ground"),
    ("senses.lightly-obscured", "ground"),
    ("senses.heavily-obscured", "ground"),
    ("senses.bright-light", "ground"),
    ("monster.trait-sunlight-sensitivity", "ground"),
    ("senses.dim-light", "ground"),
    ("senses.darkness", "ground"),
    ("senses.darkness", "magical"),
    ("environment.slippery-ice", "ground"),
    ("environment.strong-wind", "ground"),
    ("environment.heavy-precipitation", "ground"),
)
"""The rules that name ground, each with the figure that does."""


def refuse_unknown_ground(fight: Fight) -> None:
    """Refuse a map with ground that no rule knows."""
    known = [word for topic, path in GROUNDS for word in fight.figure(topic, path)]
    for one in fight.state.ground:
        if one.what not in known:
            raise unknown_word("ground", one.what, known, fight.rule("movement.difficult-terrain-list"))


def is_in_water(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant is underwater: all of its space is water, and it does not fly."""
    return not level_of(combatant) and all(
        is_ground(fight, at, "movement.swim") for at in squares_of(combatant)
    )


# --- Distance


def distance(one: Combatant, other: Combatant, at: Square | None = None, height: int | None = None) -> int:
    """Return the feet between two combatants, the first at its place or at `at` and `height`; diagonals
    count as one square (srd52.movement.grid-range).
    """
    here = one.at if at is None else at
    level = level_of(one) if height is None else height // SQUARE_FT
    up = squares_above(level, one.space, level_of(other), other.space)
    return SQUARE_FT * max(*gaps(here, one.space, other.at, other.space), up)


def within(
    one: Combatant, other: Combatant, feet: int, at: Square | None = None, height: int | None = None
) -> bool:
    """Return whether two combatants are at most `feet` apart."""
    return distance(one, other, at, height) <= feet


# --- Spaces of others


def passable(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Return whether a mover may pass through another's space.

    That of an ally, an Incapacitated or a Tiny creature, or one two sizes larger or smaller
    (srd52.position.pass-through).
    """
    apart = fight.figure("position.pass-through", "sizes_apart")
    between = abs(size_of(other) - size_of(mover))
    if other.sheet.kind == "object":
        # It fills its space (srd52.position.occupied).
        return other.sheet.size == "tiny"
    exactly = fight.option("pass_sizes") == "exactly-two"
    return (
        other.side == mover.side
        or bool(incapacitating(other))
        or other.sheet.size == "tiny"
        or (between == apart if exactly else between >= apart)
    )


@per_scene("mover.id", "at")
def others_at(fight: Fight, mover: Combatant, at: Square) -> tuple[Combatant, ...]:
    """Return the other combatants whose spaces a mover would share at a square, at its height.

    The dead are no obstacle, nor are a mover's own rider and mount, and those inside another creature. Some
    Tiny creatures fit into a square (srd52.position.size-space).
    """
    if "swallowed" in mover.conditions:
        return ()
    held = fight.memory.scene[occupied]
    wanted = space(at, mover.space)
    if held.keys().isdisjoint(wanted):
        return ()
    pair = (mover.id, mover.rider, mover.mount)
    met = dict(sorted(entry for square in wanted for entry in held.get(square, ())))
    found = (fight.state.combatants[id] for id in met.values() if id not in pair)
    level = level_of(mover)
    here = tuple(one for one in found if not squares_above(level, mover.space, level_of(one), one.space))
    if all(one.sheet.size == "tiny" for one in (mover, *here)):
        return here if len(here) >= fight.formula("position.size-space", "tiny", "squares") else ()
    return here


@per_scene()
def occupied(fight: Fight) -> dict[Square, list[tuple[int, str]]]:
    """Return the ids of the occupants of each occupied square, at all heights, numbered in order of entry."""
    held: dict[Square, list[tuple[int, str]]] = {}
    for number, one in enumerate(fight.state.combatants.values()):
        if "dead" not in one.conditions and not is_away(one) and "swallowed" not in one.conditions:
            for square in squares_of(one):
                held.setdefault(square, []).append((number, one.id))
    return held


def nearest_free(fight: Fight, mover: Combatant, at: Square) -> list[Square]:
    """Return the free places for a mover that are nearest to a square, itself if it is free."""
    for ring in range(MOST_RINGS):
        found = [
            (at[0] + dx, at[1] + dy)
            for dx in range(-ring, ring + 1)
            for dy in range(-ring, ring + 1)
            if max(abs(dx), abs(dy)) == ring
        ]
        free = [
            one
            for one in found
            if fight.field.passable(one, mover.space) and not others_at(fight, mover, one)
        ]
        if free:
            return free
    return []


MOST_RINGS: Final = 40
"""How many squares away a free place is looked for."""


# --- Cover

Degree = Literal["", "half", "three-quarters", "total"]
BEHIND: Final = {"half": "defense.cover-half", "three-quarters": "defense.cover-three-quarters"}


class Obstacles(NamedTuple):
    """Obstacles to lines: the squares of walls, pillars and low walls, and thin walls, by direction.

    Each goes on beyond the edge of the map, so that no line slips past along it.
    """

    walls: frozenset[Square]
    pillars: frozenset[Square]
    low: frozenset[Square]
    upright: frozenset[Side]
    level: frozenset[Side]


@per_map()
def obstacles(fight: Fight) -> Obstacles:
    """Return what bars lines on the map."""
    field = fight.field
    pillars = field.covering - field.low - field.walls
    return Obstacles(
        with_rim(field, field.walls),
        with_rim(field, pillars),
        with_rim(field, field.low),
        sides_with_rim(field, True),
        sides_with_rim(field, False),
    )


@per_scene("attacker.id", "target.id", "attacker.at", "target.at")
def cover_of(fight: Fight, attacker: Combatant, target: Combatant) -> tuple[Degree, str]:
    """Return the degree of a target's cover against an attacker, and what gives it.

    From the attacker's best corner, lines to the four corners of the target: one or two of them blocked are
    Half Cover, three Three-Quarters Cover, all Total Cover. Creatures and low walls give no more than Half
    Cover, pillars and trees no more than Three-Quarters Cover. The best degree counts, not a sum
    (srd52.defense.cover-best, srd52.defense.cover-direction).
    """
    bodies, bars = bodies_between(fight, attacker, target), obstacles(fight)
    low = bars.low | with_rim(fight.field, bodies)
    if fight.option("cover_method") == "center-line":
        starts, ends = [centre(attacker)], [centre(target)]
    else:
        starts, ends = points_of(attacker.at, attacker.space), points_of(target.at, target.space)
    best: tuple[int, str] | None = None
    for start in starts:
        counts = {"a wall": 0, "an obstacle": 0, "low": 0}
        for end in ends:
            if is_barred(start, end, bars.walls, bars):
                counts["a wall"] += 1
            elif is_barred(start, end, bars.pillars):
                counts["an obstacle"] += 1
            elif is_barred(start, end, low):
                counts["low"] += 1
        found = degree_of(fight, counts, len(ends), bodies)
        best = found if best is None else min(best, found)
    rank, what = best or (0, "")
    return RANKS[rank], what if rank else ""


def degree_of(
    fight: Fight, counts: Mapping[str, int], lines: int, bodies: Collection[Square]
) -> tuple[int, str]:
    """Return the rank of the cover from one corner, by what blocks how many lines, and what gives it."""
    walls, obstacles, low = counts["a wall"], counts["an obstacle"], counts["low"]
    if walls >= lines * fight.figure("defense.cover-total", "coverage"):
        return RANKS.index("total"), "a wall"
    if walls + obstacles >= max(1, int(lines * fight.figure("defense.cover-three-quarters", "coverage"))):
        return RANKS.index("three-quarters"), "a wall" if walls else "an obstacle"
    if walls or obstacles or low:
        what = "a wall" if walls else "an obstacle" if obstacles else "a creature" if bodies else "a low wall"
        return RANKS.index("half"), what
    return 0, ""


class Point(NamedTuple):
    """A point from which, or to which, a line goes, in eighths of a square; `inside` is within its space.

    A thin wall at the edge of a space is between what is within it and what is beyond.
    """

    at: Square
    inside: Square


def centre(combatant: Combatant) -> Point:
    """Return the centre of a combatant's space."""
    half = combatant.space * EIGHTHS // 2
    at = combatant.at[0] * EIGHTHS + half, combatant.at[1] * EIGHTHS + half
    return Point(at, at)


def point_at(corner: Square) -> Point:
    """Return a corner of the grid that is no corner of a space."""
    at = corner[0] * EIGHTHS, corner[1] * EIGHTHS
    return Point(at, at)


def points_of(anchor: Square, side: int) -> list[Point]:
    """Return the outer corners of a space."""
    found = []
    for x, y in corners(anchor, side):
        at = x * EIGHTHS, y * EIGHTHS
        inward = 1 if x == anchor[0] else -1, 1 if y == anchor[1] else -1
        found.append(Point(at, (at[0] + inward[0], at[1] + inward[1])))
    return found


EIGHTHS: Final = 8
"""Eighths of a square in a square."""


RANKS: Final[tuple[Degree, ...]] = ("", "half", "three-quarters", "total")
"""The degrees of cover, the least first."""


def bodies_between(fight: Fight, attacker: Combatant, target: Combatant) -> frozenset[Square]:
    """Return the squares of others that give Half Cover: usually those not two sizes smaller.

    What shares the space of attacker or target is not between them: a mount, a net.
    """
    found: set[Square] = set()
    reading = fight.option("creature_cover")
    if reading == "none":
        return frozenset()
    smaller = fight.figure("defense.cover-creature", "sizes_smaller")
    least = 0 if reading == "any" else size_of(target) - smaller + 1
    for one in fight.state.combatants.values():
        if "dead" not in one.conditions and size_of(one) >= least:
            found.update(squares_of(one))
    found.difference_update(squares_of(attacker))
    found.difference_update(squares_of(target))
    return frozenset(found)


def is_barred(start: Point, end: Point, squares: Collection[Square], thin: Obstacles | None = None) -> bool:
    """Return whether a line between two points meets any of some squares, or a thin wall."""
    if thin is not None and thin.upright:
        here, there = (start.inside[0], start.at[1]), (end.inside[0], end.at[1])
        if walls_met(thin.upright, here, there, EIGHTHS):
            return True
    if thin is not None and thin.level:
        here, there = (start.at[0], start.inside[1]), (end.at[0], end.inside[1])
        if walls_met(thin.level, here, there, EIGHTHS):
            return True
    if not squares:
        return False
    line = relative_trace(*start.at, *end.at, EIGHTHS)
    through = any(one in squares for one in line.squares)
    return through or any(one in squares and other in squares for one, other in line.pairs)


def cover_part(fight: Fight, attacker: Combatant, target: Combatant, against: str) -> list[Modifier]:
    """Return what cover adds to AC ("ac") or to a Dexterity save ("dex_save"), as a part or none."""
    degree, what = cover_of(fight, attacker, target)
    if degree not in BEHIND:
        return []
    topic = BEHIND[degree]
    return [Modifier(fight.figure(topic, against), "cover", f"{degree} cover ({what})", fight.rule(topic))]


# --- Being pushed


def displaced(one: Combatant, path: tuple[Square, ...], how: str, cites: tuple[str, ...]) -> Moved:
    """Return the fact that a combatant is moved without spending movement: pushed, dragged, teleported."""
    return Moved(who=one.id, start=one.at, path=path, feet=0, diagonals=0, how=how, cites=cites)


def push_away(fight: Fight, pusher: Combatant, target: Combatant, feet: int, topic: str) -> Steps[None]:
    """Push a creature straight away from another, as far as there is room; it provokes nothing."""
    dx = (target.at[0] > pusher.at[0]) - (target.at[0] < pusher.at[0])
    dy = (target.at[1] > pusher.at[1]) - (target.at[1] < pusher.at[1])
    path: list[Square] = []
    here = target.at
    for _ in range(feet // SQUARE_FT):
        there = here[0] + dx, here[1] + dy
        if obstructed(fight.field, here, there, target.space) or others_at(fight, target, there):
            break
        path.append(there)
        here = there
    if path:
        cites = fight.rules(topic, "opportunity.forced-movement")
        how = f"pushed by {pusher.id}"
        yield displaced(target, tuple(path), how, cites)
