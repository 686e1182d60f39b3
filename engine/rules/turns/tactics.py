"""Automatic play of a combatant's turn: strike, shoot, cast, approach, flee."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_company, per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import open_steps, rectangle
from affray.engine.kernel.actions import is_permitted, permit
from affray.engine.kernel.places import distance, footprint, line_between, reaches, reaches_from
from affray.engine.record.acts import Square as acts_Square
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.sheets import has_trait
from affray.engine.rules.conditions.fear import feared
from affray.engine.rules.gear.hands import (
    SPIKES,
    UNLOADED,
    count_pieces_left,
    held_weapons,
    is_lost,
    melee_band,
    strikes_in_melee,
)
from affray.engine.rules.gear.objects import find_doors_between, is_at_door, is_open
from affray.engine.rules.gear.others_things import refuse_to_pick_up
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.movement.movement import flight_path, refuse_path, speed
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.places import get_occupied_squares, occupants, sees
from affray.engine.rules.turns.actions import FULL_ROUND
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Spell, Weapon
from affray.projections.state import Combatant

# --- Readying weapons in automatic play: draw, pick up, load, and keep one in hand


def drawable(combatant: Combatant) -> str:
    """Return the name of a weapon that could be drawn, "" for none."""
    for weapon in combatant.sheet.weapons:
        lost = is_lost(combatant, weapon.name)
        drawn = weapon.wield not in ("natural", "unarmed") and weapon.table != SPIKES
        if drawn and weapon.name not in combatant.held and not lost:
            return weapon.name
    return ""


def idle_in_hand(fight: Fight, combatant: Combatant, held: list[Weapon]) -> Weapon | None:
    """Return the weapon in hand that is useless at present: not loaded, or without ammunition.

    None if another weapon among those `held` is usable.
    """
    for weapon in held:
        loaded = combatant.items.get(weapon.name) != UNLOADED
        if strikes_in_melee(weapon) or (loaded and has_missiles(fight, combatant, weapon)):
            return None
    return held[0] if held else None


def loading_of(fight: Fight, combatant: Combatant, idle: Weapon, whole_round: bool) -> AnyAct | None:
    """Return the act that makes a weapon ready to shoot again, None if there is none or too little time.

    A weapon that takes the whole round to load is loaded only with a `whole_round` to spend.
    """
    if idle.wield != "projectile" or acts.Load not in fight.dialect.acts:
        return None
    emptied = fight.dialect.gear.refills(fight, combatant, idle)
    if not emptied and not (
        combatant.items.get(idle.name) == UNLOADED and has_missiles(fight, combatant, idle)
    ):
        return None
    act = acts.Load(actor=combatant.id, item=idle.name)
    slow = fight.dialect.turns.action_type(fight, combatant, act) == FULL_ROUND
    return act if (whole_round or not slow) and is_permitted(fight, act) else None


def has_missiles(fight: Fight, combatant: Combatant, weapon: Weapon) -> bool:
    """Return whether there is enough ammunition left for a weapon."""
    if weapon.ammunition is None:
        return True
    left = weapon.ammunition - combatant.resources.get(weapon.name, 0)
    return left >= fight.dialect.attacks.least_missiles(fight, weapon)


def within_grasp(fight: Fight, combatant: Combatant) -> str:
    """Return the name of a weapon that is within reach to pick up, "" for none."""
    for weapon in combatant.sheet.weapons:
        if combatant.items.get(weapon.name) == "dropped" and weapon.name not in combatant.held:
            with suppress(Refusal):
                refuse_to_pick_up(fight, combatant, weapon.name, "")
                return weapon.name
    return ""


def way_to_arm(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Return the act with which a combatant takes a weapon into its hands, None if there is none."""
    found = drawable(combatant)
    if found:
        return acts.Draw(actor=combatant.id, item=found)
    lying = within_grasp(fight, combatant)
    if lying and acts.Handle in fight.dialect.acts:
        return acts.Handle(actor=combatant.id, what="pick-up", item=lying)
    return None


def can_spare(combatant: Combatant, weapon: Weapon) -> bool:
    """Return whether a combatant has another weapon left once this one is thrown."""
    if (
        weapon.wield == "natural"
        or not strikes_in_melee(weapon)
        or count_pieces_left(combatant, weapon.name) > 1
    ):
        return True
    others = (one for one in combatant.sheet.weapons if one.name != weapon.name)
    return any(one.wield != "unarmed" and not is_lost(combatant, one.name) for one in others)


# --- The path to a place from which an enemy can be attacked: straight if that is free, otherwise the
# shortest

Box: TypeAlias = tuple[int, int, int, int]
"""The first and the last column and row of a rectangle of squares."""


@per_scene(*("combatant.id", "ids", "melee"))
def way_to_strike(
    fight: Fight, combatant: Combatant, ids: tuple[str, ...], melee: tuple[tuple[int, int], ...]
) -> tuple[Square, ...]:
    """Return the shortest path to a place from which one of those enemies can be attacked; () for none.

    Of several it is the first in the order of steps, straight ones before diagonals. Mostly each step leads
    nearer: only if no such path is free a full search is made.
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
    """Return the box of anchors from which a combatant that wide reaches an enemy, at any height."""
    (x, y), (more, higher) = enemy.at, enemy.stretch
    before, beyond = reach + side - 1, reach + enemy.space - 1
    return x - before, y - before, x + beyond + more, y + beyond + higher


def steps_to(at: Square, box: Box) -> int:
    """Return the number of steps from a square into a box if nothing is in the way."""
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
    """Return the first path to an attack position on which each step leads nearer; () for none.

    All of the boxes, in one of which it ends, are `steps` away.
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
    """Return the path to the first attack position found in a full search; () for none."""
    start, side = combatant.at, combatant.space
    hopeful = set[Square]().union(
        *[rectangle((x0, y0), x1 - x0 + 1, y1 - y0 + 1) for x0, y0, x1, y1 in boxes]
    )
    # Places that would overlap other combatants: all others need no check.
    taken_up = rectangle((0, 0), side + combatant.stretch[0], side + combatant.stretch[1])
    held = {(x - dx, y - dy) for x, y in fight.memory.scene[get_occupied_squares] for dx, dy in taken_up}
    came = {start: start}
    queue = [start]
    for here in queue:  # grows on the way
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
    """Return whether the occupants of squares keep a combatant from both staying and passing there."""
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
    """Return whether a combatant may stop at `at`, occupied by `holders`, and could attack an enemy from
    there.

    A combatant without reach has to enter an enemy's square, if the rules allow it.
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
    """Return whether any enemy would be within one of these distances, in feet, of a combatant at `at`.

    An enemy behind a wall between squares is not.
    """
    for enemy in enemies:
        for least, most in melee:
            if reaches_from(combatant, at, enemy, least, most):
                if not fight.field.sides:
                    return True
                return line_between(fight, at, combatant.space, combatant.stretch, *footprint(enemy))
    return False


def way_back(came: Mapping[Square, Square], goal: Square) -> tuple[Square, ...]:
    """Return the squares from a start to a goal, without the start, given the square before each."""
    way = []
    while came[goal] != goal:
        way.append(goal)
        goal = came[goal]
    return tuple(reversed(way))


# --- The paths of automatic play: to an attack position, and around or through doors


def who_walks(fight: Fight, combatant: Combatant) -> Combatant:
    """Return the combatant that walks: the mount, or the combatant itself."""
    return fight.state.combatants[combatant.mount] if combatant.mount else combatant


def approach(
    fight: Fight, combatant: Combatant, enemies: list[Combatant], weapons: list[Weapon]
) -> tuple[acts_Square, ...]:
    """Return a path towards the nearest square from which an enemy can be attacked.

    Breadth first over free squares; as much of the path as the speed allows. O(squares of the map).
    """
    melee = [melee_band(combatant, weapon) for weapon in weapons if strikes_in_melee(weapon)]
    if not melee:
        return ()
    ids = tuple(sorted([one.id for one in enemies]))
    return affordable(fight, combatant, way_to_strike(fight, combatant, ids, tuple(melee)))


def past_doors(fight: Fight, combatant: Combatant, enemies: list[Combatant]) -> AnyAct | None:
    """Return an act that leads to enemies in other rooms: a move, or the opening of a door in between.

    None if there is no door on the map, or none that it can reach.
    """
    gear = fight.dialect.gear
    between = find_doors_between(fight)
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
    doors: Mapping[str, Sequence[tuple[acts_Square, acts_Square]]],
) -> AnyAct | None:
    """Return a move toward enemies or a closed door between squares, or the opening of one."""
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
def way_to_squares(
    fight: Fight, combatant: Combatant, goals: tuple[acts_Square, ...]
) -> tuple[acts_Square, ...]:
    """Return the path to the first of these squares that can be reached, past no combatant; () for none."""
    came = {combatant.at: combatant.at}
    queue = [combatant.at]
    for here in queue:  # grows on the way
        if here in goals:
            return way_back(came, here)
        for there in open_steps(fight.field, here, combatant.space):
            if there not in came and not occupants(fight, combatant, there):
                came[there] = here
                queue += (there,)
    return ()


def way_within_arms_length(
    fight: Fight, combatant: Combatant, others: list[Combatant]
) -> tuple[acts_Square, ...]:
    """Return the path to the first square found from which one of several can be touched; () for none."""
    if not others:
        return ()
    ids = tuple(sorted([one.id for one in others]))
    return way_to_strike(fight, combatant, ids, ((0, SQUARE_FT),))


def affordable(fight: Fight, combatant: Combatant, way: Sequence[acts_Square]) -> tuple[acts_Square, ...]:
    """Return as much of a path as the walker's speed allows and no rule refuses."""
    if not way:
        return ()
    goer = who_walks(fight, combatant)
    forfeit = fight.dialect.movement.forfeit(fight, goer)
    return walkable(fight, goer, tuple(way), speed(fight, goer), forfeit, tuple(goer.spent.items()))


@per_scene(*("goer.id", "way", "feet", "forfeit", "spent"))
def walkable(
    fight: Fight,
    goer: Combatant,
    way: tuple[acts_Square, ...],
    feet: int,
    forfeit: int,
    spent: tuple[tuple[str, int], ...],
) -> tuple[acts_Square, ...]:
    """Return as much of a path as costs at most `feet` and no rule refuses."""
    path = way[: affordable_steps(fight, goer, way, feet - forfeit)]
    while path:
        try:
            refuse_path(fight, goer, path, feet, "")
            return path
        except Refusal:
            path = path[:-1]
    return ()


def affordable_steps(fight: Fight, goer: Combatant, path: Sequence[acts_Square], feet: int) -> int:
    """Return how many steps of a path cost at most `feet`: the cost never decreases."""
    movement = fight.dialect.movement

    def cost(count: int) -> int:
        return movement.measure(fight, goer, (goer.at, *path[:count]), "normal").feet

    return len(path) if cost(len(path)) <= feet else bisect_right(range(1, len(path) + 1), feet, key=cost)


SETTING_OUT: Final = ("standard", "move", "full-round", "feet", "step")
"""The kinds that must be unspent in a turn that leaves time for a full attack."""


def next_declaration(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Return a combatant's next declaration in its turn, None to end it."""
    if combatant.mount or combatant.rider or combatant.riderless:
        if not combatant.mount:
            return None
        guiding = first_in_the_saddle(fight, combatant)
        if guiding is not None:
            return guiding
    allowed = fight.dialect.turns.allowance(fight, combatant)
    spent = combatant.spent
    standard, move = spent.get("standard", 0), spent.get("move", 0)
    anything_left = standard + move < allowed.total and not spent.get("full-round")
    standard_left = anything_left and standard < allowed.standard and not has_trait(combatant, "swarm")
    move_left = anything_left and move < allowed.move
    if combatant.mount:
        used = who_walks(fight, combatant).spent
        move_left = used.get("move", 0) + used.get("standard", 0) < allowed.total
    if not (standard_left or move_left):
        return None
    at_distance = standing_at_distance(fight, combatant)
    if not at_distance:
        return None
    if move_left and combatant.conditions and lies_low(fight, combatant):
        rising = acts.Stand(actor=combatant.id)
        if is_permitted(fight, rising):
            return rising
    if "turned" in combatant.conditions:
        return flight_from_turning(fight, combatant) if move_left and not spent.get("step") else None
    held = held_weapons(combatant)
    if not held and move_left:
        arming = way_to_arm(fight, combatant)
        if arming is not None and is_permitted(fight, arming):
            return arming
    idle = idle_in_hand(fight, combatant, held) if move_left else None
    if idle is not None:
        other = drawable(combatant)
        whole_round = standard_left and not standard and not move and allowed.full and not other
        loading = loading_of(fight, combatant, idle, whole_round)
        if loading is not None:
            return loading
        if other and is_permitted(fight, dropping := acts.Drop(actor=combatant.id, item=idle.name)):
            return dropping
    nearest = sorted([(feet, enemy.hp, enemy.id, enemy) for feet, enemy in at_distance])
    enemies = [enemy for _, _, _, enemy in nearest]
    best = strike_or_approach(fight, combatant, enemies, held, standard_left, move_left, allowed.full)
    danger = feared(fight, combatant) if combatant.conditions else None
    if danger is None or (best is not None and is_permitted(fight, best)):
        return best
    path = flight_path(fight, combatant, danger) if move_left and not spent.get("step") else ()
    return acts.Move(actor=combatant.id, path=path) if path else None


def lies_low(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant is in a posture from which it has to stand up before it can move."""
    return not fight.dialect.gear.postures.isdisjoint(combatant.conditions)


@per_company("of.side")
def standing_enemies(fight: Fight, of: Combatant) -> list[Combatant]:
    """Return the enemies of a combatant that are not down, in order of entry."""
    return [enemy for enemy in fight.enemies(of) if not is_down(fight, enemy)]


@per_scene("combatant.id")
def standing_at_distance(fight: Fight, combatant: Combatant) -> list[tuple[int, Combatant]]:
    """Return the distance in feet to each of a combatant's standing enemies, in order of entry."""
    return [(distance(combatant, enemy), enemy) for enemy in standing_enemies(fight, combatant)]


@per_company("combatant.id")
def melee_in_hand(fight: Fight, combatant: Combatant) -> list[tuple[Weapon, int, int]]:
    """Return the melee weapons in hand, with the least and the most feet that each reaches."""
    weapons = held_weapons(combatant) or [unarmed(fight, combatant)]
    return [(one, *melee_band(combatant, one)) for one in weapons if strikes_in_melee(one)]


def first_at_hand(
    fight: Fight, combatant: Combatant, enemies: list[Combatant]
) -> tuple[Combatant, Weapon] | None:
    """Return the first enemy that a weapon in hand reaches and may attack, and the weapon."""
    bands = melee_in_hand(fight, combatant)
    for enemy in enemies:
        for weapon, least, most in bands:
            if not reaches(combatant, enemy, least, most):
                continue
            strike = acts.Attack(actor=combatant.id, target=enemy.id, weapon=weapon.name)
            if (
                (not fight.field.sides or sees(fight, combatant, enemy))
                and is_permitted(fight, strike)
                and is_possible_blow(fight, combatant, enemy, weapon)
            ):
                return enemy, weapon
    return None


def is_possible_blow(fight: Fight, combatant: Combatant, enemy: Combatant, weapon: Weapon) -> bool:
    """Return whether the rules on attacks, such as that on line of effect, allow an attack on an enemy."""
    try:
        fight.dialect.attacks.prepare(fight, combatant, enemy, weapon, "attack")
    except Refusal:
        return False
    return True


def may_strike(fight: Fight, combatant: Combatant, enemy: Combatant, weapon: Weapon) -> bool:
    """Return whether no prohibition keeps a combatant from attacking an enemy with a weapon, wherever it
    is.
    """
    return is_permitted(fight, acts.Attack(actor=combatant.id, target=enemy.id, weapon=weapon.name))


def first_in_the_saddle(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Return a rider's first act in a turn: control a frightened mount, free both hands."""
    if any(combatant.spent.get(kind) for kind in ("standard", "full-round", "knees", "one hand")):
        return None
    steed = who_walks(fight, combatant)
    if fight.dialect.mounted.frightened(fight, steed) and not combatant.spent.get("control"):
        return acts.Guide(actor=combatant.id, what="control")
    both = any(weapon.hands == 2 or weapon.family == "bow" for weapon in held_weapons(combatant))
    if both or any(bonus.kind == "shield" for bonus in combatant.sheet.armor):
        return acts.Guide(actor=combatant.id, what="knees")
    return None


def flight_from_turning(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Return a move away from the combatant that turned this one, None if no path leads away."""
    danger = fight.state.combatants.get(combatant.conditions["turned"].source)
    path = flight_path(fight, combatant, danger) if danger is not None else ()
    return acts.Move(actor=combatant.id, path=path) if path else None


def strike_or_approach(
    fight: Fight,
    combatant: Combatant,
    enemies: list[Combatant],
    held: list[Weapon],
    standard_left: bool,
    move_left: bool,
    full: bool,
) -> AnyAct | None:
    """Return the attack, spell, step or move that is best, with the weapon `held` or bare hands."""
    weapons = held or [unarmed(fight, combatant)]
    if standard_left:
        spell = useful_spell(fight, combatant, enemies)
        if spell is not None:
            return spell
    at_hand = first_at_hand(fight, combatant, enemies)
    if standard_left:
        if at_hand is not None:
            return attack_with(fight, combatant, *at_hand, full)
        shot = best_shot(fight, combatant, enemies, weapons)
        if shot is not None:
            return shot
    low = combatant.conditions and lies_low(fight, combatant)
    if not move_left or combatant.spent.get("step") or low:
        return None
    if not standard_left and (
        combatant.sheet.spells or any(weapon.wield == "projectile" for weapon in weapons)
    ):
        return None
    if at_hand is not None:
        return None
    enemies = [one for one in enemies if any(may_strike(fight, combatant, one, arm) for arm in weapons)]
    if not enemies:
        return None
    path = approach(fight, combatant, enemies, weapons)
    if path:
        return acts.Move(actor=combatant.id, path=path)
    opening = past_doors(fight, combatant, enemies)
    return opening if opening is not None and is_permitted(fight, opening) else None


def attack_with(fight: Fight, combatant: Combatant, enemy: Combatant, weapon: Weapon, full: bool) -> AnyAct:
    """Return a full attack if the turn is fresh and allows more than one attack, otherwise an attack.

    A rider whose mount has moved has time for a single one.
    """
    spent = combatant.spent
    fresh = not spent or not any([spent.get(kind) for kind in SETTING_OUT])
    fresh = fresh and not who_walks(fight, combatant).spent.get("feet")
    if full and fresh and acts.FullAttack in fight.dialect.acts:
        strikes = fight.dialect.attacks.usual_strikes(fight, combatant, enemy, weapon)
        if len(strikes) > 1:
            return acts.FullAttack(actor=combatant.id, strikes=strikes)
    return acts.Attack(actor=combatant.id, target=enemy.id, weapon=weapon.name)


def can_strike(combatant: Combatant, enemy: Combatant, weapon: Weapon) -> bool:
    """Return whether a weapon reaches an enemy in melee."""
    least, most = melee_band(combatant, weapon)
    return strikes_in_melee(weapon) and reaches(combatant, enemy, least, most)


def best_shot(
    fight: Fight, combatant: Combatant, enemies: list[Combatant], weapons: list[Weapon]
) -> AnyAct | None:
    """Return a shot at the nearest enemy in sight within two increments, stepping back first."""
    for weapon in weapons:
        if weapon.range and (weapon.wield == "projectile" or weapon.thrown):
            if not has_missiles(fight, combatant, weapon):
                continue
            if combatant.items.get(weapon.name) == UNLOADED:
                continue
            if weapon.thrown and not can_spare(combatant, weapon):
                continue
            for enemy in enemies:
                feet = distance(combatant, enemy)
                shot = Blow(combatant, enemy, weapon, False, feet)
                in_sight = feet <= weapon.range * 2 and sees(fight, combatant, enemy)
                if in_sight and not fight.dialect.attacks.barred(fight, shot)[0]:
                    usual: acts.Attack | None = fight.dialect.attacks.usual_shot(
                        fight, combatant, enemy, weapon
                    )
                    possible = usual is not None and is_possible_blow(fight, combatant, enemy, weapon)
                    if usual is not None and possible and is_permitted(fight, usual):
                        return usual
    return None


def useful_spell(fight: Fight, combatant: Combatant, enemies: list[Combatant]) -> AnyAct | None:
    """Return the first spell that can be cast at an enemy without catching a friend."""
    if not combatant.sheet.spells or acts.Cast not in fight.dialect.acts:
        return None
    threatened = any(threatens(fight, enemy, combatant) for enemy in enemies)
    for spell in combatant.sheet.spells:
        if spell.uses is not None and combatant.resources.get(spell.name, 0) >= spell.uses:
            continue
        if spell.item or spell.delivery == "presence" or spell.grants or spell.healing or spell.temporary:
            continue
        if spell.casting == "free" and combatant.spent.get("free"):
            continue  # one per turn, otherwise it would never stop casting
        for enemy in enemies:
            if spell.area and (distance(combatant, enemy) > spell.area_feet or spell.area == "burst"):
                continue
            reach = spell.area_feet if spell.area else spell.range or combatant.reach
            if distance(combatant, enemy) > reach or not sees(fight, combatant, enemy):
                continue
            if spell.area and any(
                distance(combatant, friend) <= spell.area_feet for friend in fight.allies(combatant)
            ):
                continue
            act = acts.Cast(
                actor=combatant.id,
                spell=spell.name,
                targets=() if spell.area else (enemy.id,),
                at=enemy.at if spell.area else None,
                defensively=threatened and has_trait(combatant, "careful"),
            )
            if castable(fight, combatant, spell, act):
                return act
    return None


def castable(fight: Fight, actor: Combatant, spell: Spell, act: acts.Cast) -> bool:
    """Return whether nothing keeps a combatant from casting a spell now."""
    try:
        permit(fight, act)
        fight.dialect.magic.refuse_casting(fight, actor, spell, act)
    except Refusal:
        return False
    return True
