"""The ways of automatic play: to where an enemy can be struck, around or through the doors between."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.distance import open_steps
from affray.engine.grid.reach import rectangle
from affray.engine.record.context import Square
from affray.engine.rules.gear.doors import doors_between, is_at_door, is_open
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.movement.movement import refuse_path, speed
from affray.engine.rules.position.line_of_effect import line_between
from affray.engine.rules.position.occupants import occupants, squares_held
from affray.engine.rules.position.place import distance, footprint, reaches_from
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

Box: TypeAlias = tuple[int, int, int, int]
"""The first column and row of a rectangle of squares, and the last ones."""


def who_walks(fight: Fight, combatant: Combatant) -> Combatant:
    """Return whoever does the walking for a combatant: its mount, or itself."""
    return fight.state.combatants[combatant.mount] if combatant.mount else combatant


def approach(
    fight: Fight, combatant: Combatant, enemies: list[Combatant], weapons: list[Weapon]
) -> tuple[Square, ...]:
    """Return a path towards the nearest square from which an enemy can be struck.

    Breadth first over free squares; as much of the way as the speed allows. O(squares of the map).
    """
    melee = [melee_band(combatant, weapon) for weapon in weapons if strikes_in_melee(weapon)]
    if not melee:
        return ()
    ids = tuple(sorted([one.id for one in enemies]))
    return affordable(fight, combatant, way_to_strike(fight, combatant, ids, tuple(melee)))


def past_doors(fight: Fight, combatant: Combatant, enemies: list[Combatant]) -> AnyAct | None:
    """Return what leads to enemies in other rooms: a move, or the opening of a door that parts them from it.

    None where no door stands on the map, or there is none that it can come to.
    """
    gear = fight.dialect.gear
    between = doors_between(fight)
    if between:
        return past_doors_between(fight, combatant, enemies, between)
    doors = gear.doors(fight)
    if not doors:
        return None
    closed = [one for one in doors if gear.fills_place(fight, one)]
    way = way_within_arms_length(fight, combatant, enemies)
    beside = next((one for one in closed if distance(combatant, one) <= SQUARE_FT), None)
    if beside is not None and not way:
        return acts.Handle(actor=combatant.id, what="open", item=beside.id)
    path = affordable(fight, combatant, way or way_within_arms_length(fight, combatant, closed))
    return acts.Move(actor=combatant.id, path=path) if path else None


def past_doors_between(
    fight: Fight,
    combatant: Combatant,
    enemies: list[Combatant],
    doors: Mapping[str, Sequence[tuple[Square, Square]]],
) -> AnyAct | None:
    """Return a move on the way to enemies or to a closed door between squares, or the opening of one."""
    way = way_within_arms_length(fight, combatant, enemies)
    closed = {door: pairs for door, pairs in doors.items() if not is_open(fight, door)}
    if not way:
        if not fight.dialect.gear.frees_hand(fight, combatant):
            return None
        for door in closed:
            if is_at_door(fight, combatant, door):
                return acts.Handle(actor=combatant.id, what="open", item=door)
        way = way_to_squares(
            fight,
            combatant,
            tuple(sorted({at for pairs in closed.values() for pair in pairs for at in pair})),
        )
    path = affordable(fight, combatant, way)
    return acts.Move(actor=combatant.id, path=path) if path else None


@per_scene(
    *("combatant.id", "goals"),
    reads=("combatants", "places", "conditions", "effects", "mounts", "sides"),
)
def way_to_squares(fight: Fight, combatant: Combatant, goals: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return the way to the first of these squares that can be come to, past nobody; () for none."""
    came = {combatant.at: combatant.at}
    queue = [combatant.at]
    for here in queue:  # which grows on the way
        if here in goals:
            return way_back(came, here)
        for there in open_steps(fight.field, here, combatant.space):
            if there not in came and not occupants(fight, combatant, there):
                came[there] = here
                queue += (there,)
    return ()


def way_within_arms_length(fight: Fight, combatant: Combatant, others: list[Combatant]) -> tuple[Square, ...]:
    """Return the way to the first square found from which one of several can be touched; () for none."""
    if not others:
        return ()
    ids = tuple(sorted([one.id for one in others]))
    return way_to_strike(fight, combatant, ids, ((0, SQUARE_FT),))


def affordable(fight: Fight, combatant: Combatant, way: Sequence[Square]) -> tuple[Square, ...]:
    """Return as much of a way as the speed of who walks allows and no rule refuses."""
    if not way:
        return ()
    goer = who_walks(fight, combatant)
    forfeit = fight.dialect.movement.forfeit(fight, goer)
    return walkable(fight, goer, tuple(way), speed(fight, goer), forfeit, tuple(goer.spent.items()))


@per_scene(
    *("goer.id", "way", "feet", "forfeit", "spent"),
    reads=("combatants", "places", "conditions", "effects", "items", "mounts", "sides"),
)
def walkable(
    fight: Fight,
    goer: Combatant,
    way: tuple[Square, ...],
    feet: int,
    forfeit: int,
    spent: tuple[tuple[str, int], ...],
) -> tuple[Square, ...]:
    """Return as much of a way as takes no more than so many feet and no rule refuses."""
    path = way[: affordable_steps(fight, goer, way, feet - forfeit)]
    while path:
        try:
            refuse_path(fight, goer, path, feet, "")
            return path
        except Refusal:
            path = path[:-1]
    return ()


@per_scene(
    *("combatant.id", "ids", "melee"),
    reads=("combatants", "places", "conditions", "effects", "mounts", "sides"),
)
def way_to_strike(
    fight: Fight, combatant: Combatant, ids: tuple[str, ...], melee: tuple[tuple[int, int], ...]
) -> tuple[Square, ...]:
    """Return the shortest way to where one of those enemies can be struck; () for none.

    Of several the first in the order of steps, straight ones before slanting ones. Mostly each step leads
    nearer: only where no such way is free one is looked for all around.
    """
    enemies = [fight.state.combatants[id] for id in ids]
    reach = max([most for _, most in melee]) // SQUARE_FT
    boxes = [box_around(one, reach, combatant.space) for one in enemies]
    apart = [steps_to(combatant.at, box) for box in boxes]
    least = min(apart)
    nearest = [box for box, steps in zip(boxes, apart, strict=True) if steps == least]
    return straight_way(fight, combatant, enemies, melee, nearest, least) or way_around(
        fight, combatant, enemies, melee, boxes
    )


def box_around(enemy: Combatant, reach: int, side: int) -> Box:
    """Return where somebody that wide has its anchor if it reaches an enemy: nowhere else, at any height."""
    (x, y), (more, higher) = enemy.at, enemy.stretch
    before, beyond = reach + side - 1, reach + enemy.space - 1
    return x - before, y - before, x + beyond + more, y + beyond + higher


def steps_to(at: Square, box: Box) -> int:
    """Return how many steps lead from a square into a box if nothing is in the way."""
    (x, y), (left, top, right, bottom) = at, box
    return max(left - x, x - right, top - y, y - bottom, 0)


def straight_way(
    fight: Fight,
    combatant: Combatant,
    enemies: Sequence[Combatant],
    melee: Sequence[tuple[int, int]],
    boxes: Sequence[Box],
    steps: int,
) -> tuple[Square, ...]:
    """Return the first way to where an enemy can be struck of which each step leads nearer; () for none.

    The boxes, in one of which it ends, are all so many `steps` away.
    """
    field, side = fight.field, combatant.space
    way: list[Square] = []
    tried = set()
    turns = [iter(open_steps(field, combatant.at, side))] if steps else []
    while turns:
        left = steps - len(turns)
        for there in turns[-1]:
            x, y = there
            if there in tried or not any(
                [x0 - left <= x <= x1 + left and y0 - left <= y <= y1 + left for x0, y0, x1, y1 in boxes]
            ):
                continue
            tried.add(there)
            holders = occupants(fight, combatant, there)
            if holders and is_barred(fight, combatant, holders):
                continue
            if left:
                way.append(there)
                turns.append(iter(open_steps(field, there, side)))
                break
            if could_strike_at(fight, combatant, there, holders, enemies, melee):
                return (*way, there)
        else:
            turns.pop()
            if way:
                way.pop()
    return ()


def way_around(
    fight: Fight,
    combatant: Combatant,
    enemies: Sequence[Combatant],
    melee: Sequence[tuple[int, int]],
    boxes: Sequence[Box],
) -> tuple[Square, ...]:
    """Return the way to the first square found all around from which an enemy can be struck; () for none."""
    start, side = combatant.at, combatant.space
    hopeful = set[Square]().union(
        *[rectangle((x0, y0), x1 - x0 + 1, y1 - y0 + 1) for x0, y0, x1, y1 in boxes]
    )
    columns, rows = side + combatant.stretch[0], side + combatant.stretch[1]
    # Where it would stand in somebody's square: of all other places nothing has to be asked.
    held = {
        (x - dx, y - dy)
        for x, y in fight.memory.scene[squares_held]
        for dx in range(columns)
        for dy in range(rows)
    }
    came = {start: start}
    queue = [start]
    for here in queue:  # which grows on the way
        for there in open_steps(fight.field, here, side):
            if there in came:
                continue
            holders = occupants(fight, combatant, there) if there in held else ()
            if holders and is_barred(fight, combatant, holders):
                continue
            came[there] = here
            queue += (there,)
            if there in hopeful and could_strike_at(fight, combatant, there, holders, enemies, melee):
                return way_back(came, there)
    return ()


def is_barred(fight: Fight, combatant: Combatant, holders: Sequence[Combatant]) -> bool:
    """Say whether those who hold squares let a combatant neither stay nor pass there."""
    fills_place, may_pass = fight.dialect.gear.fills_place, fight.dialect.movement.may_pass
    return any(
        (one.sheet.thing is not None and fills_place(fight, one))
        or (
            one.side != combatant.side
            and not is_down(fight, one)
            and (combatant.reach or not may_pass(fight, combatant, one))
        )
        for one in holders
    )


def could_strike_at(
    fight: Fight,
    combatant: Combatant,
    at: Square,
    holders: Sequence[Combatant],
    enemies: Sequence[Combatant],
    melee: Sequence[tuple[int, int]],
) -> bool:
    """Say whether a combatant may stop at `at`, where `holders` stand, and could strike an enemy from there.

    Without reach one has to get into the very square of an enemy, where the rules allow it.
    """
    shared = not combatant.reach or (holders and all(one.sheet.thing is not None for one in holders))
    free = fight.dialect.movement.may_stop(fight, combatant, at) if shared else not holders
    return free and could_strike_from(fight, combatant, at, enemies, melee)


def could_strike_from(
    fight: Fight,
    combatant: Combatant,
    at: Square,
    enemies: Sequence[Combatant],
    melee: Sequence[tuple[int, int]],
) -> bool:
    """Say whether any enemy would be within one of these distances, in feet, of a combatant at `at`.

    Nobody who is behind a wall between squares is.
    """
    for enemy in enemies:
        for least, most in melee:
            if reaches_from(combatant, at, enemy, least, most):
                if not fight.field.sides:
                    return True
                return line_between(fight, at, combatant.space, combatant.stretch, *footprint(enemy))
    return False


def way_back(came: Mapping[Square, Square], goal: Square) -> tuple[Square, ...]:
    """Return the squares from a start to a goal, without the start, from which square each was reached."""
    way = []
    while came[goal] != goal:
        way.append(goal)
        goal = came[goal]
    return tuple(reversed(way))


def affordable_steps(fight: Fight, goer: Combatant, path: Sequence[Square], feet: int) -> int:
    """Return how many steps of a way take no more than so many feet: no step gives any back."""
    movement = fight.dialect.movement

    def cost(count: int) -> int:
        return movement.measure(fight, goer, (goer.at, *path[:count]), "normal").feet

    return len(path) if cost(len(path)) <= feet else bisect_right(range(1, len(path) + 1), feet, key=cost)
