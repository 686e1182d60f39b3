"""The ways of automatic play: to where an enemy can be struck, around or through the doors between."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.distance import open_steps
from affray.engine.record.context import Square
from affray.engine.rules.gear.doors import doors_between, is_at_door, is_open
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.movement.movement import refuse_path, speed
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.way_to_strike import way_back, way_to_strike
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


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


@per_scene(*("combatant.id", "goals"))
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


@per_scene(*("goer.id", "way", "feet", "forfeit", "spent"))
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


def affordable_steps(fight: Fight, goer: Combatant, path: Sequence[Square], feet: int) -> int:
    """Return how many steps of a way take no more than so many feet: no step gives any back."""
    movement = fight.dialect.movement

    def cost(count: int) -> int:
        return movement.measure(fight, goer, (goer.at, *path[:count]), "normal").feet

    return len(path) if cost(len(path)) <= feet else bisect_right(range(1, len(path) + 1), feet, key=cost)
