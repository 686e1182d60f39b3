"""Movement on the grid: cost, obstacles, other creatures, and what it provokes."""

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import (
    WALL,
    Fight,
    Paced,
    condition_changes,
    is_down,
    is_helpless,
    leaves_nothing,
    rule_of,
)
from affray.engine.fight.memory import Same, per_map, per_scene
from affray.engine.grid.battlefield import AROUND, SQUARE_FT, Battlefield, Square, bars_step
from affray.engine.grid.distance import corner_blocked, distance_ft, obstructed, step_cost
from affray.engine.kernel.places import CHASM, squares_of
from affray.engine.rules.classes.sheets import (
    CLEAR_OF_GROUND,
    FLYING,
    INCORPOREAL,
    has_feat,
    nature_among,
    size_step,
)
from affray.engine.rules.position.places import occupants
from affray.engine.rules.senses.hidden import HIDDEN, knowledge_of_square
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained, EffectEnded, Moved, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Barrier
from affray.projections.state import Combatant

# --- Obstacles between squares, such as fences and ditches: which of them a step crosses

#: Creatures that no obstacle on the ground hampers.
AVOIDING = frozenset({FLYING, INCORPOREAL})


@per_map()
def barriers(fight: Fight) -> dict[frozenset[Square], Barrier]:
    """Return the obstacles between squares that can be crossed, by their two squares: no walls or doors."""
    return {frozenset((one.here, one.there)): one for one in fight.state.barriers if one.cover != WALL}


def barriers_crossed(fight: Fight, squares: Iterable[Square], here: Square, there: Square) -> list[Barrier]:
    """Return the obstacles between squares that a step from `here` to `there` crosses, from each of these
    squares.

    A diagonal step crosses one if both ways around the corner do.
    """
    if not fight.state.barriers:
        return []
    sides = barriers(fight)
    dx, dy = there[0] - here[0], there[1] - here[1]
    found = []
    for x, y in squares:
        end = (x + dx, y + dy)
        direct = sides.get(frozenset(((x, y), end)))
        ways = [] if direct else [((x + dx, y), end), ((x, y + dy), end)]
        around = [
            sides.get(frozenset(((x, y), corner))) or sides.get(frozenset((corner, end)))
            for corner, end in ways
        ]
        if direct is not None:
            found.append(direct)
        elif dx and dy and all(around):
            found += [one for one in around[:1] if one is not None]
    return found


def crossed_by(fight: Fight, mover: Combatant, here: Square, there: Square) -> list[Barrier]:
    """Return the obstacles between squares that a mover's step crosses with its whole space."""
    if not fight.state.barriers:
        return []
    side = range(mover.space)
    return barriers_crossed(fight, [(here[0] + dx, here[1] + dy) for dx in side for dy in side], here, there)


def covers_only(barrier: Barrier) -> str:
    """Return the part of a barrier that has no effect if no rule hampers its crossing, "" if there is
    none.
    """
    if barrier.check or barrier.dc:
        return "asks for a check, and no rule hampers its crossing"
    return "" if barrier.cover else "neither covers nor, by any rule, hampers its crossing"


def asks_for_check(barrier: Barrier) -> str:
    """Return the part of a barrier that has no effect if checks are named after their skill, "" if there is
    none.
    """
    return "has a DC, but no check" if barrier.dc and not barrier.check else ""


# --- Forced displacement: by other combatants, by the ground, or with a step into a square


def displaced(mover: Combatant, path: Sequence[Square], how: str, *cites: str, space: int = 0) -> Moved:
    """Return the fact of a mover's displacement along a path without movement: it costs no feet.

    `space` is the side in squares of its space there, 0 for no change.
    """
    return Moved(
        who=mover.id, start=mover.at, path=tuple(path), feet=0, diagonals=0, how=how, space=space, cites=cites
    )


def moved(
    mover: Combatant, path: Sequence[Square], feet: int, how: str, *cites: str, diagonals: int = 0
) -> Moved:
    """Return the fact of a mover's movement along a path that costs `feet`."""
    return Moved(
        who=mover.id, start=mover.at, path=tuple(path), feet=feet, diagonals=diagonals, how=how, cites=cites
    )


def stepped(mover: Combatant, to: Square, how: str, *cites: str) -> Moved:
    """Return the fact of a mover's single step into an adjacent square."""
    diagonal = int(to[0] != mover.at[0] and to[1] != mover.at[1])
    return moved(mover, (to,), SQUARE_FT, how, *cites, diagonals=diagonal)


# --- Over the brink: a combatant forced above a chasm falls into it, unless it flies

SOLID: Final = "#T"
VOID: Final = " "
#: The depths that the game master chooses from.
DEPTHS: Final = tuple(f"{feet} ft." for feet in range(10, 210, 10))
#: Acts that are impossible at the bottom of a chasm, which has no way up.
WALKS: Final = (
    *(acts.Move, acts.Step, acts.Run, acts.Withdraw, acts.Charge, acts.Jump, acts.BullRush, acts.Overrun),
    *(acts.Push, acts.Mount, acts.Drag),
)


def is_chasm(fight: Fight, target: Combatant, there: Square) -> bool:
    """Return whether a place is above a chasm of the map.

    For a large creature half of its squares are enough. Beyond the map there is no chasm.
    """
    field, squares = fight.field, squares_of(target, there)
    if not all(field.holds(square) and field.at(square) not in SOLID for square in squares):
        return False
    deep = sum(field.at(square) == VOID for square in squares)
    return bool(deep) and 2 * deep >= len(squares)


def is_above_chasm(fight: Fight, target: Combatant, here: Square, there: Square) -> bool:
    """Return whether a step leads above a chasm of the map, with nothing solid in the way."""
    if not is_chasm(fight, target, there):
        return False
    field, side = fight.field, target.space
    return not corner_blocked(field, here, there, side) and not bars_step(field, here, there, side)


def falls_at(fight: Fight, target: Combatant, here: Square, there: Square) -> bool:
    """Return whether a target that is forced from one place to the next falls into a chasm there."""
    return "flying" not in target.conditions and is_above_chasm(fight, target, here, there)


def is_barred(fight: Fight, target: Combatant, here: Square, there: Square) -> bool:
    """Return whether something solid stops a target's forced step; a chasm never does."""
    if is_above_chasm(fight, target, here, there):
        return False
    return obstructed(fight.field, here, there, target.space)


def fall_over(fight: Fight, target: Combatant, there: Square, name: str, *cites: str) -> Steps[None]:
    """Push a target over a brink: it falls as deep as the game master decides, and stays at the bottom.

    srd35.falling.damage, pf1.falling, woa.falling.damage, futurepath.assumed.ground.
    """
    question = f"{target.id} goes over the brink: how deep is it?"
    answer = yield Choice("", "depth", question, DEPTHS, cites[0])
    feet = int(answer.split()[0])
    yield ConditionGained(
        who=target.id, condition=CHASM, source=name, level=-feet, aloft=True, cites=cites[:1]
    )
    yield displaced(target, (there,), name, *cites)
    yield from fight.dialect.grapple.parted(fight, target)
    yield from fight.dialect.movement.fall(fight, target, feet)


def refuse_to_walk_out(fight: Fight, mover: Combatant, act: object) -> None:
    """Refuse to walk at the bottom of a chasm, which is not a square of the map: the game master moves the
    climber.

    srd35.obstacle.blocking, pf1.terrain.obstacle, futurepath.assumed.ground, woa.terrain.obstacle.blocking.
    """
    reason = f"{mover.id} is {-mover.conditions[CHASM].level} ft. down a chasm"
    raise Refusal(reason, fight.rule("obstacle.blocking"))


# --- The closest free place for a combatant that may not stay where it is

#: The search radius for a free place, in squares.
FAR: Final = 6


def has_ground(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether a combatant can occupy a place, or lie there at the bottom of the chasm that it is
    in.
    """
    if CHASM in mover.conditions:
        return all(fight.field.holds(one) and fight.field.at(one) == " " for one in squares_of(mover, at))
    return fight.field.passable(at, mover.space)


def make_room(fight: Fight, mover: Combatant) -> Steps[None]:
    """Move a combatant out of another's space into the closest legal one.

    Ties are decided by a die (srd35.special-move.illegal-space, srd35.distance.closest-tie, pf1.pass.end).
    """
    if not occupants(fight, mover, mover.at):
        return
    (x, y), topics = mover.at, ["special-move.illegal-space"]
    around = [(x + dx, y + dy) for dy in range(-FAR, FAR + 1) for dx in range(-FAR, FAR + 1)]
    free = [at for at in around if has_ground(fight, mover, at)]
    free = [at for at in free if at != mover.at and not occupants(fight, mover, at)]
    open_to = find_connected_squares(fight.field, mover.at)
    # It is put beyond a wall only if there is no room on its side.
    free = [at for at in free if at in open_to] or free
    for far in range(1, FAR + 1):
        near = [at for at in free if max(abs(at[0] - x), abs(at[1] - y)) == far]
        if not near:
            continue
        to = near[0]
        if len(near) > 1:
            rolled = yield Roll(mover.id, "closest", f"1d{len(near)}")
            to = near[rolled.total - 1]
            topics.append("place.closest-tie")
        yield displaced(mover, (to,), "to the closest legal place", *fight.rules(*topics))
        return


def find_connected_squares(field: Battlefield, start: Square) -> set[Square]:
    """Return the squares at most FAR away that some path connects to `start` without crossing a wall."""
    found, ahead = {start}, [start]
    while ahead:
        here = ahead.pop()
        for dx, dy in AROUND:
            there = (here[0] + dx, here[1] + dy)
            if there in found or max(abs(there[0] - start[0]), abs(there[1] - start[1])) > FAR:
                continue
            if field.at(there) != "#" and not (
                corner_blocked(field, here, there) or bars_step(field, here, there)
            ):
                found.add(there)
                ahead.append(there)
    return found


def speed(fight: Fight, mover: Combatant) -> int:
    """Return the speed in feet that conditions leave to a combatant."""
    return get_speed_under_conditions(fight, mover, fight.dialect.movement.speed(fight, mover))


def get_speed_under_conditions(fight: Fight, mover: Combatant, feet: int) -> int:
    """Return the part of a speed in feet that conditions leave, on land or in the air."""
    for _, change, denied in condition_changes(fight, mover, "speed"):
        if not denied:
            spared = change.eased is not None and has_feat(mover, change.eased[0])
            place = change.eased[1:] if change.eased and spared else (change.topic, *change.path)
            feet = feet * int(fight.figure(*place) * 100) // 100
    return feet


def unslowed(fight: Fight, mover: Combatant, rule: str) -> str:
    """Return the rule to cite for a path that is too long: that of the movement itself."""
    return rule


def slowing_rule(fight: Fight, mover: Combatant, rule: str) -> str:
    """Return the rule that limits how far a combatant gets: that of the first condition that slows it."""
    for _, change, denied in condition_changes(fight, mover, "speed"):
        if not denied:
            return fight.book.place(change.topic, *change.path)[0]
    return rule


def printed_pace(fight: Fight, mover: Combatant) -> int:
    """Return the speed in feet before conditions: the sheet's."""
    return mover.sheet.speed


def refuse_held_fast(fight: Fight, mover: Combatant) -> None:
    """Refuse movement under a condition that forbids it."""
    for name in mover.conditions:
        found = rule_of(fight, name)
        if not found.moves:
            raise Refusal(f"{mover.id} is {name} and cannot move", fight.rule(found.topic))


def refuse_path(
    fight: Fight,
    mover: Combatant,
    path: Sequence[Square],
    feet: int,
    rule: str,
    through: Combatant | None = None,
    how: str = "normal",
    *,
    stays: bool = True,
) -> tuple[int, int]:
    """Refuse a path that cannot be walked within `feet`; return its cost in feet and diagonals.

    Walls, corners, opponents on the way and any creature at its end forbid it; difficult ground and obstacles
    cost double; `through` may be passed anyway; `stays` means that the mover ends there and needs room
    (srd35.pass.*, srd35.terrain.*, srd35.obstacle.*, srd35.distance.*).
    """
    if not path:
        raise Refusal("the path is empty", rule)
    refuse_held_fast(fight, mover)
    dialect = fight.dialect
    leap = first_leap(fight, mover, tuple(path), through, how, stays)
    if leap is not None:
        (x, y), (far_x, far_y) = leap
        raise Refusal(f"no step leads from {x},{y} to {far_x},{far_y}", rule)
    whole = (mover.at, *path)
    cost = dialect.movement.measure(fight, mover, whole, how)
    feet -= dialect.movement.forfeit(fight, mover)
    fight.paced = Paced(cost.feet, feet, how)
    if cost.feet > feet:
        raise Refusal(
            f"the path costs {cost.feet} ft., {mover.id} has {feet} ft.",
            dialect.movement.too_far(fight, mover, whole, how, feet)
            or dialect.movement.slowing_rule(fight, mover, rule),
        )
    return cost.feet, cost.diagonals


@per_scene(*("mover.id", "path", Same("through"), "how", "stays"))
def first_leap(
    fight: Fight,
    mover: Combatant,
    path: tuple[Square, ...],
    through: Combatant | None,
    how: str,
    stays: bool,
) -> tuple[Square, Square] | None:
    """Refuse the steps of a path that are forbidden; return the first two squares that are not adjacent."""
    refuse_step, end = fight.dialect.movement.refuse_step, path[-1]
    for here, there in pairwise((mover.at, *path)):
        if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
            return here, there
        refuse_step(fight, mover, here, there, stays and there == end, through, how)
    return None


def sizes_apart(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Return whether two creatures differ enough in size to pass each other (srd35.pass.three-sizes-*)."""
    least: int = fight.figure("pass.three-sizes-larger", "size_difference")
    return abs(size_step(mover) - size_step(other)) >= least


def once_a_round(fight: Fight, mover: Combatant) -> str:
    """Return the name of the single opportunity that all of a mover's movement in one round gives."""
    return f"move:{mover.id}:{fight.state.round}"


def halted(fight: Fight, mover: Combatant, here: Square, how: str = "") -> bool:
    """Return whether a mover can go no further: down, prone, held fast, or displaced from its path.

    A crawling mover, as `how` may say, is prone anyway.
    """
    if not mover.conditions:
        return mover.at != here
    return bool(find_halting_condition(fight, mover, how)) or is_down(fight, mover) or mover.at != here


def find_halting_condition(fight: Fight, mover: Combatant, how: str = "") -> str:
    """Return the condition that stops a mover, "" for none: held, prone, or unable to act."""
    for name in mover.conditions:
        if (
            (name == "prone" and how != "crawl")
            or not rule_of(fight, name).moves
            or leaves_nothing(fight, name)
        ):
            return name
    return ""


def report_halt(fight: Fight, mover: Combatant, how: str) -> Steps[None]:
    """Report why a mover goes no further; for the down this has been reported already."""
    name = find_halting_condition(fight, mover, how)
    if name and not is_down(fight, mover):
        reason = f"the {'move' if how == 'normal' else how} ends: {mover.id} is {name}"
        yield RuleApplied(who=mover.id, what=reason, cites=fight.rules(rule_of(fight, name).topic))


def refuse_prone(fight: Fight, mover: Combatant) -> None:
    """Refuse to walk while prone."""
    if "prone" in mover.conditions:
        raise Refusal(f"{mover.id} is prone and must stand up first", fight.rule("move-action.stand"))


def refuse_rush(fight: Fight, mover: Combatant) -> None:
    """Refuse to run or charge while a condition forbids it."""
    for name in mover.conditions:
        found = rule_of(fight, name)
        if not found.rushes:
            raise Refusal(f"{mover.id} is {name} and can neither run nor charge", fight.rule(found.topic))


def refuse_after_step(fight: Fight, mover: Combatant) -> None:
    """Refuse to move any distance in a round with a 5-foot step (srd35.five-foot-step).

    futurepath.movement.no-5-foot-step-with-move.
    """
    if mover.spent.get("step"):
        raise Refusal(f"{mover.id} has taken a 5-foot step this round", fight.rule("five-foot-step"))


def run_multiple(fight: Fight, mover: Combatant) -> int:
    """Return how many times its speed a combatant runs: four, in heavy armor three."""
    heavy = mover.sheet.armor_weight == "heavy"
    return int(fight.figure("run.action", "heavy" if heavy else "multiple"))


def refuse_crooked(mover: Combatant, path: Sequence[Square], rule: str) -> None:
    """Refuse a path that is not straight."""
    whole = (mover.at, *path)
    ways = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(whole)}
    if len(ways) > 1:
        raise Refusal("the path is not straight", rule)


def running(fight: Fight, mover: Combatant) -> ConditionGained:
    """Return the loss of the Dexterity bonus from running (srd35.run.action)."""
    until = Until("turn-start", mover.id, fight.state.round + 1)
    return ConditionGained(
        who=mover.id, condition="running", source="run", until=until, cites=(fight.rule("run.action"),)
    )


# --- Fleeing: the path that leads farthest from a danger, and whether there is one


def feet_apart(mover: Combatant, at: Square, other: Combatant) -> int:
    """Return the feet between a combatant with its anchor at `at` and another combatant."""
    return distance_ft(at, other.at, mover.space, other.space)


def flight_path(fight: Fight, mover: Combatant, danger: Combatant) -> tuple[Square, ...]:
    """Return the path of one move that brings `mover` farthest from `danger`; () if none brings it farther.

    Among equally distant ends it prefers the cheapest. O(squares within the speed).
    """
    if any(not rule_of(fight, name).moves for name in mover.conditions):
        return ()
    now = feet_apart(mover, mover.at, danger)
    feet = speed(fight, mover)
    came = reachable(fight, mover, feet // SQUARE_FT)
    ends = [
        (-feet_apart(mover, there, danger), cost, there)
        for there, (cost, _, _) in came.items()
        if feet_apart(mover, there, danger) > now
    ]
    for _, _, end in sorted(ends):
        path = [end]
        while (before := came[path[-1]][2]) != mover.at:
            path.append(before)
        path.reverse()
        try:
            refuse_path(fight, mover, tuple(path), feet, "")
        except Refusal:
            continue
        return tuple(path)
    return ()


def reachable(
    fight: Fight, mover: Combatant, squares: int, allowed: Callable[[Square], bool] | None = None
) -> dict[Square, tuple[int, int, Square]]:
    """Return the squares within a cost in squares: by square (cost, parity, the square before).

    Only through squares that are `allowed`, if that is given.
    """
    field = fight.field
    hampered = not nature_among(mover, CLEAR_OF_GROUND)
    parity = mover.spent.get("diagonals", 0) % 2
    found: dict[Square, tuple[int, int, Square]] = {mover.at: (0, parity, mover.at)}
    queue = [(0, mover.at)]
    while queue:
        cost, here = heappop(queue)
        if cost > found[here][0]:
            continue
        for dx, dy in AROUND:
            there = (here[0] + dx, here[1] + dy)
            if obstructed(field, here, there, mover.space) or (allowed is not None and not allowed(there)):
                continue
            if any(
                other.side != mover.side and not is_down(fight, other)
                for other in occupants(fight, mover, there)
            ):
                continue
            doublings = field.doublings(there, mover.space) if hampered else 0
            step = step_cost(
                bool(dx and dy), doublings, found[here][1], fight.dialect.movement.scaled_diagonals
            )
            whole = cost + step.squares
            if whole <= squares and (there not in found or whole < found[there][0]):
                found[there] = (whole, step.parity, here)
                heappush(queue, (whole, there))
    return found


# --- Perception of occupants, and unseen ones that stop a step: a declaration is judged by the perceived ones
# alone
# srd35.concealment.total-definition, pf1.concealment, futurepath.concealment.total-guess-location,
# woa.concealment.total.invisibility.

#: Modes of movement that lead over others: only at their end can a combatant be in the way.
OVERHEAD: Final = ("fly", "stunt")


class UnseenOccupants(Struct, frozen=True, gc=False):
    """Unseen combatants in the way: their place, and the rule that they may not be passed."""

    those: Sequence[Combatant]
    at: Square
    rule: str


def knows_of(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Return whether a mover, or its rider, knows the square of another combatant."""
    locates = fight.dialect.senses.locates
    if locates(fight, mover, other):
        return True
    rider = fight.state.combatants.get(mover.rider) if mover.rider else None
    return rider is not None and (rider is other or locates(fight, rider, other))


def noticed(fight: Fight, mover: Combatant, others: Iterable[Combatant]) -> list[Combatant]:
    """Return those of `others` whose squares a mover knows: only these count when its path is judged."""
    return [one for one in others if knows_of(fight, mover, one)]


@per_scene(*("mover.id", "here", "there", "last", "how"))
def find_unseen_in_step(
    fight: Fight, mover: Combatant, here: Square, there: Square, last: bool, how: str
) -> UnseenOccupants | None:
    """Return the unseen combatants that stop a mover's step, None if there are none: some are passed, seen or
    not.
    """
    if how in OVERHEAD and not last:
        return None
    movement = fight.dialect.movement
    others = movement.in_way(fight, mover, here, there, last, how)
    unseen = [one for one in others if not knows_of(fight, mover, one)] if others else others
    if unseen:
        try:
            movement.refuse_entry(fight, mover, there, unseen, last, None, how)
        except Refusal as refusal:
            return UnseenOccupants(unseen, there, refusal.rule)
    return None


# --- A combatant's speed on foot, and the facts that explain it as it sets out


class Pace(Struct, frozen=True, gc=False):
    """A speed in feet, before conditions: its explanation in words, and the rules that contributed."""

    feet: int
    told: str = ""
    cites: tuple[str, ...] = ()


def report_speed_after(fight: Fight, mover_id: str, steps: Steps[None], *cites: str) -> Steps[None]:
    """Carry out an act of movement and, once its action is spent, report the source of the speed.

    `cites` are rules that contributed to the action.
    """
    first = next(steps)
    if cites:
        first = replace(first, cites=tuple(dict.fromkeys((*first.cites, *cites))))
    yield first
    if pace := fight.dialect.movement.speed_told(fight, fight.state.combatants[mover_id]):
        yield pace
    yield from steps


# --- Paths that lead into a combatant that the mover does not perceive: it goes as far as it can, and stops
# A declaration is judged by what the mover knows; its result, by the actual occupants. No text says
# explicitly that a mover runs into the unseen: it follows from the squares that may not be passed or
# occupied, and from the mover's ignorance (srd35.pass.*, srd35.special-move.illegal-space, pf1.pass.*,
# futurepath.movement.*, woa.movement.pass-through.*).


def known_occupants(fight: Fight, mover: Combatant, at: Square) -> list[Combatant]:
    """Return the occupants of a mover's space at `at`, as far as it knows."""
    others = occupants(fight, mover, at)
    return noticed(fight, mover, others) if others else others


def find_unseen_at_end(
    fight: Fight, mover: Combatant, at: Square, others: Sequence[Combatant]
) -> UnseenOccupants | None:
    """Return the unseen occupants of the place where a leap or a flight would end, None if there are none."""
    unseen = [one for one in others if not knows_of(fight, mover, one)]
    return UnseenOccupants(unseen, at, fight.rule("pass.ending-movement")) if unseen else None


def run_into(fight: Fight, mover: Combatant, met: UnseenOccupants, how: str) -> Steps[None]:
    """Report that a path ends in front of an unseen combatant, with the consequences."""
    what = "charge" if how == "charge" else "way"
    where = f"{met.at[0]},{met.at[1]}"
    reason = f"the {what} of {mover.id} ends: somebody whom it has not perceived is at {where}"
    yield RuleApplied(who=mover.id, what=reason, cites=(met.rule,))
    for one in met.those:
        yield from fight.dialect.movement.after_running_into(fight, mover, one, how)


def stop_short(
    fight: Fight, mover: Combatant, met: UnseenOccupants, how: str, legal: Square, moved: bool
) -> Steps[None]:
    """End a path on foot in front of an unseen combatant, in a legal place; `moved` if the mover left its
    square.
    """
    if moved:
        yield from fight.dialect.movement.after_movement(fight, mover)
    yield from run_into(fight, mover, met, how)
    yield from fight.dialect.movement.step_aside(fight, mover, legal)


def no_longer_hides(fight: Fight, mover: Combatant, other: Combatant, how: str) -> Steps[None]:
    """End a combatant's hiding from a mover that has run into it.

    srd35.skill.hide, pf1.skill.stealth, woa.cover.stealth.
    """
    for effect in other.effects:
        if effect.stat == HIDDEN and effect.against == mover.id:
            cites = fight.rules("skill.hide")
            yield EffectEnded(who=other.id, id=effect.id, why=f"{mover.id} has run into it", cites=cites)


def know_square(fight: Fight, mover: Combatant, other: Combatant, how: str) -> Steps[None]:
    """Record that a mover knows the square of an unseen combatant it has run into, until that combatant
    moves.

    srd35.invisibility.grope, pf1.invisibility.perception-table, futurepath.concealment.total-guess-location.
    """
    if not fight.dialect.senses.locates(fight, mover, other):
        yield knowledge_of_square(fight, mover, other, "invisibility.grope")


def refuse_charge_through(
    fight: Fight,
    mover: Combatant,
    at: Square,
    others: Iterable[Combatant],
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a charge through any combatant that is not helpless, friends included.

    srd35.charge.clear-path, pf1.charge, futurepath.action.charge.straight-line.
    """
    for other in others:
        if how == "charge" and not is_helpless(fight, other):
            raise Refusal(f"{other.id} is in the way of the charge", fight.rule("charge.clear-path"))


# --- The ground under a step in simple dialects: its cost, what forbids it, and its consequences
# These are the points of dialects without further rules on them.


def shape(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> JsonObject:
    """Return how a mover's shape has changed at the end of a path: not."""
    return {}


def refuse_blocked(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a step that the map forbids (futurepath.assumed.ground, pf1.terrain.obstacle)."""
    if obstructed(fight.field, here, there, mover.space):
        way = f"from {here[0]},{here[1]} to {there[0]},{there[1]}"
        raise Refusal(f"the path {way} is blocked", fight.rule("obstacle.blocking"))


def refuse_occupied(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a step into an occupied square, as far as the mover knows of the occupants."""
    movement = fight.dialect.movement
    if others := movement.in_way(fight, mover, here, there, last, how):
        movement.refuse_entry(fight, mover, there, noticed(fight, mover, others), last, through, how)


def in_way(
    fight: Fight, mover: Combatant, here: Square, there: Square, last: bool, how: str
) -> list[Combatant]:
    """Return the occupants of the squares of a step, for movers that never squeeze."""
    return occupants(fight, mover, there)


def refuse_crowded(fight: Fight, mover: Combatant, at: Square, last: bool) -> None:
    """Refuse an occupied square, as far as the mover knows, given the mover's space there."""
    refuse_held(fight, mover, at, known_occupants(fight, mover, at), last, None, "")


def refuse_held(
    fight: Fight,
    mover: Combatant,
    at: Square,
    others: Iterable[Combatant],
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse an occupied square: with opponents on the way, with any creature at the end.

    Friends, the helpless and creatures three sizes apart may be passed (srd35.pass.*).

    futurepath.movement.through-enemy-blocked, pf1.pass.end, pf1.pass.opponent.
    """
    for other in others:
        helpless = is_helpless(fight, other)
        if last and not helpless:
            raise Refusal(f"{other.id} is at {at[0]},{at[1]}", fight.rule("pass.ending-movement"))
        if other is through:
            continue
        if (
            other.side != mover.side
            and not helpless
            and not fight.dialect.movement.may_pass(fight, mover, other)
        ):
            raise Refusal(f"{other.id} bars the way at {at[0]},{at[1]}", fight.rule("pass.opponent-blocked"))


def refuse_rough(fight: Fight, mover: Combatant, path: Sequence[Square], what: str, rule: str) -> None:
    """Refuse to run, charge or take a 5-foot step (`what`) across hampering ground."""
    for square in path:
        if fight.field.doublings(square, mover.space):
            reasons = {
                "run": "a runner cannot cross difficult terrain",
                "step": "a 5-foot step cannot go into difficult terrain",
            }
            raise Refusal(reasons.get(what, f"the ground at {square[0]},{square[1]} hinders a {what}"), rule)


def may_stop(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether a mover that is stopped at `at` may stay there."""
    return not occupants(fight, mover, at)


def last_stop(fight: Fight, mover: Combatant, way: Sequence[Square]) -> Square:
    """Return the last place of a path where a mover may stay, the first one if there is none."""
    may_stop = fight.dialect.movement.may_stop
    return next((at for at in reversed(way) if may_stop(fight, mover, at)), way[0])


def step_aside(fight: Fight, mover: Combatant, legal: Square) -> Steps[None]:
    """Put a mover that was stopped in an occupied square back in its last legal place.

    srd35.special-move.illegal-space.
    """
    if mover.at != legal and occupants(fight, mover, mover.at):
        yield displaced(
            mover, (legal,), "back to the last legal place", fight.rule("special-move.illegal-space")
        )


# --- Going on after something happened between the squares of a path: an attack, a spell, an overrun


def is_stopped(fight: Fight, mover: Combatant, here: Square, how: str) -> Steps[bool]:
    """Return whether a mover that stopped `here` on its path can go no further, and report why."""
    if not halted(fight, mover, here, how):
        return False
    yield from report_halt(fight, mover, how)
    return True


def continue_walk(
    fight: Fight,
    mover: Combatant,
    path: Sequence[Square],
    how: str,
    *cites: str,
    here: Square,
    spare: Callable[[int, Combatant], bool],
) -> Steps[None]:
    """Go on along the rest of a path from `here`, where the mover stopped, unless something has halted it."""
    if path and not (yield from is_stopped(fight, mover, here, how)):
        yield from fight.dialect.movement.walk(fight, mover, path, how, *cites, spare=spare)
