"""The way to where an enemy can be struck: straight there if it is free, else the shortest one around."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import open_steps
from affray.engine.grid.reach import rectangle
from affray.engine.rules.position.line_of_effect import line_between
from affray.engine.rules.position.occupants import occupants, squares_held
from affray.engine.rules.position.place import footprint, reaches_from
from affray.projections.state import Combatant

Box: TypeAlias = tuple[int, int, int, int]
"""The first column and row of a rectangle of squares, and the last ones."""


@per_scene(*("combatant.id", "ids", "melee"))
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
    # Where it would stand in somebody's square: of all other places nothing has to be asked.
    taken_up = rectangle((0, 0), side + combatant.stretch[0], side + combatant.stretch[1])
    held = {(x - dx, y - dy) for x, y in fight.memory.scene[squares_held] for dx, dy in taken_up}
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
