"""What protects a defender's sides, and how many can get at it (woa.ganging-up.*)."""

from fractions import Fraction

from msgspec import Struct

from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.grid.reach import space
from affray.engine.grid.thin_walls import bars_step
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.projections.state import Combatant

LIMITS = "woa.ganging-up.attacker-limits"
OPEN, WALL, CORNER = "open", "back to a wall", "in a corner"
DOOR, CROWDED_DOOR = "in a doorway, two attackers in front", "in a doorway, three attackers"
CORRIDOR = "corridor no wider than the defender's space"
MIXED = "woa.ganging-up.mixed-sizes"
SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))


class Press(Struct, frozen=True, gc=False):
    """How many find room at a defender, who is there, and the topics of the rules that say so."""

    limit: int
    attackers: tuple[str, ...]
    topics: tuple[str, ...]


@per_scene("combatant.id")
def blocked_sides(fight: Fight, combatant: Combatant) -> list[Square]:
    """Return the sides of a defender that walls or friends block (woa.ganging-up.surroundings)."""
    held = {
        square
        for one in fight.allies(combatant)
        if not is_down(fight, one)
        for square in space(one.at, one.space)
    }
    found = []
    for dx, dy in SIDES:
        edge = [
            ((x, y), (x + dx, y + dy))
            for x, y in space(combatant.at, combatant.space)
            if (x + dx, y + dy) not in squares_of_defender(combatant)
        ]
        if all(walled(fight, *step) or step[1] in held for step in edge):
            found.append((dx, dy))
    return found


def walled(fight: Fight, here: Square, there: Square) -> bool:
    """Say whether a wall bars the step to a square, or nobody can stand there; the map's edge is open."""
    barred = not fight.field.passable(there) or bars_step(fight.field, here, there)
    return fight.field.holds(there) and barred


def squares_of_defender(combatant: Combatant) -> tuple[Square, ...]:
    """Return the squares of a defender."""
    return space(combatant.at, combatant.space)


def situation_of(fight: Fight, combatant: Combatant, by: Combatant) -> str:
    """Return the row of the table of limits that holds for a defender, from an attacker's side."""
    sides = blocked_sides(fight, combatant)
    if not sides:
        return OPEN
    if len(sides) == 1:
        return WALL
    facing = [(-dx, -dy) in sides for dx, dy in sides]
    if len(sides) == 2 and not any(facing):
        return CORNER
    axis, front = front_between_walls(fight, combatant, by)
    corners = [(side, front) if axis else (front, side) for side in (-1, combatant.space)]
    last, (x, y) = combatant.space - 1, combatant.at
    # What stands beside the front row is come to along it.
    before = [
        (min(max(dx, 0), last), front) if axis else (front, min(max(dy, 0), last)) for dx, dy in corners
    ]
    roomy = any(
        not walled(fight, (x + i, y + j), (x + dx, y + dy))
        for (i, j), (dx, dy) in zip(before, corners, strict=True)
    )
    return DOOR if roomy else CORRIDOR


def enemies_around(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the enemies next to a defender, or in its space, who can attack it, in order of entry."""
    return [
        one
        for one in fight.enemies(combatant)
        if distance(one, combatant) <= 5
        and sees(fight, one, combatant)
        and not (one.conditions and is_down(fight, one))
    ]


@per_scene("combatant.id", "by.id")
def press_around(fight: Fight, combatant: Combatant, by: Combatant) -> Press:
    """Return the press around a defender on an attacker's side.

    Behind a door, or in a corridor, those on one side count by themselves.
    """
    there = on_side(fight, combatant, by, enemies_around(fight, combatant))
    kind = situation_of(fight, combatant, by)
    topics = ["woa.ganging-up.surroundings"] if kind not in (OPEN, CORRIDOR) else []
    if kind == DOOR and len(there) > fight.figure(LIMITS, f"surroundings={DOOR}", "max_attackers"):
        kind = CROWDED_DOOR
    if kind == CORRIDOR:
        topics.append("woa.ganging-up.corridor")
        column = "max_attackers_per_direction"
    else:
        column = "max_attackers"
    limit = fight.figure(LIMITS, f"surroundings={kind}", column)
    names = tuple(one.id for one in there)
    steps = {size_step(one) - size_step(combatant) for one in there}
    if steps - {0}:
        return Press(room_by_size(fight, limit, max(steps)), names, (*topics, MIXED))
    return Press(limit, names, (*topics, LIMITS))


def on_side(fight: Fight, combatant: Combatant, by: Combatant, there: list[Combatant]) -> list[Combatant]:
    """Return those of several attackers who share one's side of a door or a corridor, else all of them."""
    if situation_of(fight, combatant, by) not in (DOOR, CORRIDOR):
        return there
    front = front_between_walls(fight, combatant, by)
    return [one for one in there if front_between_walls(fight, combatant, one) == front]


def open_share(fight: Fight, combatant: Combatant, by: Combatant) -> Fraction:
    """Return which share of the room around a defender is open to those on an attacker's side."""
    kind = situation_of(fight, combatant, by)
    column = "max_attackers_per_direction" if kind == CORRIDOR else "max_attackers"
    most = fight.figure(LIMITS, f"surroundings={kind}", column)
    return Fraction(most, fight.figure(LIMITS, f"surroundings={OPEN}", "max_attackers"))


def room_by_size(fight: Fight, limit: int, steps: int) -> int:
    """Return how many of another size find room where `limit` of the defender's size would.

    In proportion to the table of how many can surround one (woa.ganging-up.mixed-sizes).
    """
    rows = fight.figure("woa.size.surround.table")
    if not isinstance(rows, list) or not any(row.get("larger") == str(steps) for row in rows):
        return limit
    found = cell(fight, "woa.size.surround.table", f"larger={steps}", "attackers")
    same = fight.figure(LIMITS, f"surroundings={OPEN}", "max_attackers")
    return limit if found is None else max(1, limit * int(found.value) // same)


def front_between_walls(fight: Fight, combatant: Combatant, by: Combatant) -> tuple[int, int]:
    """Return on which side of a defender between two walls an attacker is.

    The axis on which attackers come, 0 from left and right, 1 from above and below, and their front row on
    it, in squares from the defender's first: -1 or its space. An attacker in the defender's space counts with
    the latter.
    """
    sides = blocked_sides(fight, combatant)
    axis = int((1, 0) in sides and (-1, 0) in sides)
    return axis, -1 if by.at[axis] < combatant.at[axis] else combatant.space


def at_door(fight: Fight, combatant: Combatant, by: Combatant) -> bool:
    """Say whether a defender stands in a doorway before an attacker."""
    return situation_of(fight, combatant, by) == DOOR


def jambs_count(fight: Fight, combatant: Combatant, by: Combatant) -> bool:
    """Say whether corners cover a defender from somebody next to it.

    In a doorway the jambs do so only once a third attacker crowds before it (woa.ganging-up.attacker-limits).
    """
    if not at_door(fight, combatant, by):
        return True
    most = fight.figure(LIMITS, f"surroundings={DOOR}", "max_attackers")
    return bool(len(press_around(fight, combatant, by).attackers) > most)
