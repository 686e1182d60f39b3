"""Skills of movement: balance, jump and tumble; running, flying and falling."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import path_cost, space, squares_above
from affray.engine.kernel.places import level_of, squares_of
from affray.engine.record.blow import Harm
from affray.engine.record.chapters import ConditionRule
from affray.engine.rules.classes.abilities import lowered, score_now
from affray.engine.rules.classes.checks import check, check_by, skill_parts
from affray.engine.rules.classes.sheets import FLYING, ability, has_feat
from affray.engine.rules.movement.movement import (
    find_unseen_at_end,
    is_stopped,
    known_occupants,
    moved,
    noticed,
    refuse_after_step,
    refuse_path,
    refuse_prone,
    run_into,
    speed,
)
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.rules.position.places import occupants
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Roll, Steps, onward
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Barrier, Modifier
from affray.projections.state import Combatant

# --- Balancing on narrow or uneven surfaces (srd35.skill.balance, pf1.skill.acrobatics-balance)

BALANCE_TOPIC: Final = "skill.balance"
BALANCING, SURELY = "balancing", "balancing surely"


class Balance(Struct, frozen=True):
    """The rulebook's variables of balancing: the surface, the check, and immunity from being flat-footed.

    ground: the surface in a declaration, as the condition records it; refuses what is no such surface.
    keeps: check whether a combatant keeps its balance on a surface, in haste or not.
    is_sure: whether a combatant is not flat-footed while it balances.
    """

    ground: Callable[[Fight, acts.Move], str]
    keeps: Callable[[Fight, Combatant, str, bool], Steps[bool]]
    is_sure: Callable[[Fight, Combatant], bool]


def balance(fight: Fight, act: acts.Move, by: Balance) -> Steps[None]:
    """Balance along a narrow path at half speed, or in haste if the rulebook has a rule for that.

    A balancing combatant is flat-footed unless it is sure, until it walks on firm ground again.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(BALANCE_TOPIC)
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    ground = by.ground(fight, act)
    feet = speed(fight, mover)
    if not act.fast:
        feet = int(feet * fight.figure(BALANCE_TOPIC, "speed"))
    refuse_path(fight, mover, act.path, feet, rule)
    yield spending(fight, mover, "move", "balance", rule)
    if pace := fight.dialect.movement.speed_told(fight, mover):
        yield pace
    name = SURELY if by.is_sure(fight, mover) else BALANCING
    if name not in mover.conditions or mover.conditions[name].source != ground:
        yield ConditionGained(who=mover.id, condition=name, source=ground, cites=(rule,))
    if (yield from by.keeps(fight, mover, ground, act.fast)):
        yield from fight.dialect.movement.walk(fight, mover, act.path, "balance", rule)


def fall_off_balance(fight: Fight, mover: Combatant) -> Steps[None]:
    """Fall off: prone, and no longer balancing. The game master decides how deep the fall is."""
    rule = fight.rule(BALANCE_TOPIC)
    yield from end_balancing(fight, mover, "falls")
    if "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source="losing its balance", cites=(rule,))


def keep_balance_when_hurt(
    fight: Fight, mover: Combatant, by: Balance, broadest: Callable[[str], str]
) -> Steps[None]:
    """Check the balance of a combatant hurt while balancing; `broadest` maps the ground's words to the
    ground.
    """
    for name in (BALANCING, SURELY):
        if name in mover.conditions and not is_down(fight, mover):
            yield from by.keeps(fight, mover, broadest(mover.conditions[name].source), False)
            return


def end_balancing_on_ground(fight: Fight, mover: Combatant) -> Steps[None]:
    """End the balancing of a combatant that walks normally again."""
    yield from end_balancing(fight, mover, "on firm ground")


def end_balancing(fight: Fight, mover: Combatant, why: str) -> Steps[None]:
    """End the balancing of a combatant."""
    for name in (BALANCING, SURELY):
        if name in mover.conditions:
            yield ConditionLost(who=mover.id, condition=name, why=why, cites=(fight.rule(BALANCE_TOPIC),))


# --- Falling onto the ground: its dice, what softens it, and the landing
# srd35.falling.damage, srd35.falling.soften, pf1.falling.

DAMAGE: Final = "falling.damage"
SOFTEN: Final = "falling.soften"


class Impact(NamedTuple):
    """The dice of a fall, lethal and nonlethal ones, "" for none, and the rules behind them."""

    lethal: str
    nonlethal: str
    cites: tuple[str, ...]


class Landing(NamedTuple):
    """How a deliberate leap down ends: the feet that deal no damage, and the next feet that deal nonlethal
    damage.
    """

    free_ft: int = 0
    mild_ft: int = 0


def dice_onto_ground(fight: Fight, feet: int, landing: Landing | None, mild: int) -> Impact:
    """Return the dice of a fall onto the ground, some of them nonlethal if something softens it.

    1d6 per 10 ft., at most 20d6. In a leap (`landing`) the first die is nonlethal unless a check spares the
    first feet and makes the next ones nonlethal.
    """
    ten = fight.figure(DAMAGE, "per_ft")
    if feet < ten:
        return Impact("", "", fight.rules(DAMAGE))
    cites = [DAMAGE]
    mild_ft = 0
    if mild or landing is not None:
        cites.append(SOFTEN)
    if landing is not None:
        feet, mild_ft = max(0, feet - landing.free_ft), landing.mild_ft
        if not landing.free_ft:
            mild += fight.figure(SOFTEN, "jump_first_dice")
    gentle = min(feet, mild_ft) // ten
    count = min(max(0, feet - mild_ft) // ten, most_dice(fight))
    mild = min(mild, count)
    die = fight.figure(DAMAGE, "per_10ft")
    cited = tuple(dict.fromkeys(fight.rules(*cites)))
    return Impact(dice_notation(count - mild, die), dice_notation(gentle + mild, die), cited)


def most_dice(fight: Fight) -> int:
    """Return the most dice that a fall deals."""
    return int(str(fight.figure(DAMAGE, "max")).partition("d")[0])


def dice_notation(count: int, die: str) -> str:
    """Return the notation of `count` dice such as "1d6", "" for none."""
    number, _, size = die.partition("d")
    return f"{count * int(number)}d{size}" if count else ""


def suffer_fall(fight: Fight, mover: Combatant, feet: int, impact: Impact) -> Steps[int]:
    """Roll the dice of a fall and deal the damage; return how much lethal damage it has dealt."""
    lethal = 0
    for notation, nonlethal in ((impact.nonlethal, True), (impact.lethal, False)):
        if notation:
            rolled = yield Roll(mover.id, "fall-nonlethal" if nonlethal else "fall", notation)
            kind = "bludgeoning"
            harm = Harm(mover, rolled.total, kind, f"a fall of {feet} ft.", nonlethal=nonlethal)
            harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
            harm.cites = (*impact.cites, *harm.reduced_by)
            lethal += 0 if nonlethal else harm.amount
            yield from fight.dialect.damage.suffer(fight, harm)
    if not (impact.lethal or impact.nonlethal):
        yield RuleApplied(who=mover.id, what=f"a fall of {feet} ft. does no harm", cites=impact.cites)
    return lethal


def lie_where_fallen(mover: Combatant, impact: Impact) -> Steps[None]:
    """Make a combatant prone after a fall, unless it is already."""
    if "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source="a fall", cites=impact.cites[:1])


# --- Flying: where a flier is, how it turns, rises, sinks and lands (srd35.move.fly-table, pf1.skill.fly)
#
# The condition's level is the height in feet, its source the heading.

#: The condition of the rider of a flier.
BORNE = "borne aloft"
DIVING, STALLED = "diving", "stalled"
#: Conditions that end when a flier reaches the ground.
IN_FLIGHT: Final = (FLYING, STALLED, DIVING)
#: Headings as they are reported, clockwise by eighths of a turn.
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
    """Refuse to fly through walls, or to end in an occupied place, `feet` up if heights count for that."""
    for square in path:
        if any(
            fight.field.at((square[0] + x, square[1] + y)) == "#"
            for x in range(mover.space)
            for y in range(mover.space)
        ):
            raise Refusal(f"there is a wall at {square[0]},{square[1]}", fight.rule("obstacle.blocking"))
    end = path[-1]
    others = occupants(fight, mover, end) if feet is None else crowding(fight, mover, end, feet // SQUARE_FT)
    if others := noticed(fight, mover, others):
        raise Refusal(f"{others[0].id} is at {end[0]},{end[1]}", fight.rule("pass.ending-movement"))


def crowding(fight: Fight, mover: Combatant, at: Square, level: int) -> list[Combatant]:
    """Return the occupants of a flier's space at `at`, with `level` squares of height."""
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
    """Return whether a flier that gains height is within an enemy's reach on its path unless it has risen."""
    return up > 0 and any(
        endangers(fight, enemy, mover, at) for enemy in fight.enemies(mover) for at in path[:-1]
    )


def change_height(fight: Fight, mover: Combatant, heading: str, height: int, rule: str) -> Steps[None]:
    """Put a flier, and its rider, at a height in feet."""
    yield ConditionGained(
        who=mover.id, condition=FLYING, source=heading, level=height, aloft=True, cites=(rule,)
    )
    if mover.rider:
        yield ConditionGained(
            who=mover.rider, condition=BORNE, source=mover.id, level=height, aloft=True, cites=(rule,)
        )


def start_aloft(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Make a combatant enter in the air, at the height in feet that is the level of its flight."""
    yield replace(fact, aloft=True)


def end_flight(fight: Fight, mover: Combatant, why: str, *cites: str) -> Steps[None]:
    """End the flight of a flier and of its rider."""
    for name in IN_FLIGHT:
        if name in mover.conditions:
            yield ConditionLost(who=mover.id, condition=name, why=why, cites=cites)
    if mover.rider and BORNE in fight.state.combatants[mover.rider].conditions:
        yield ConditionLost(who=mover.rider, condition=BORNE, why=why, cites=cites)


def height_flown(mover: Combatant) -> int:
    """Return how many feet a flier is above the ground."""
    return mover.conditions[FLYING].level if FLYING in mover.conditions else 0


def heading_of(way: tuple[Square, ...]) -> str:
    """Return the heading of a flier at the end of a path from its square; a flier that stays hovers."""
    if len(way) < 2:
        return "hovering"
    last, end = way[-2:]
    return NAMES[end[0] - last[0], end[1] - last[1]]


def degrees_between(heading: str, other: str) -> int:
    """Return the degrees by which a flier turns from one heading to another; 0 from none."""
    eighths = abs(EIGHTHS[other] - EIGHTHS[heading]) if heading in EIGHTHS else 0
    return min(eighths, 8 - eighths) * 45


def fly_along(fight: Fight, mover: Combatant, path: tuple[Square, ...], up: int, rule: str) -> Steps[bool]:
    """Fly along a legal path, `up` feet up; return whether its end was reached.

    A flier that gains height has it after its first square if an enemy is in reach, otherwise at the end of
    the path; at height 0 the flight is over. In front of a combatant that it did not perceive the flight
    ends.

    srd35.move.fly-table, pf1.skill.fly.
    """
    height = height_flown(mover) + up
    place = path[-1] if path else mover.at
    met = find_unseen_at_end(fight, mover, place, crowding(fight, mover, place, height // SQUARE_FT))
    if met is None:
        return (yield from fly_freely(fight, mover, path, up, rule))
    way = (mover.at, *path)
    ends = (n for n in reversed(range(len(way))) if not crowding(fight, mover, way[n], height // SQUARE_FT))
    free = next(ends, None)
    if free is None or (yield from fly_freely(fight, mover, path[:free], up, rule)):
        yield from run_into(fight, mover, met, "fly")
    return False


def fly_freely(fight: Fight, mover: Combatant, path: tuple[Square, ...], up: int, rule: str) -> Steps[bool]:
    """Fly along a path whose end is free; return whether it was reached."""
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


# --- Jumping: long, high, up onto something, down (srd35.skill.jump, pf1.skill.jump)

JUMP_TOPIC = "skill.jump"


class Leaping(Struct, frozen=True):
    """The rulebook's rules of jumping: skill and ability, how a leap down ends, and the bonus of the Run
    feat.

    running: the topic and path of the Run feat's bonus after a run-up; None for nothing.
    """

    skill: str
    ability: str
    down: Callable[[Fight, Combatant, acts.Jump], Steps[None]]
    running: tuple[str, str] | None = None


def leap(fight: Fight, act: acts.Jump, by: Leaping) -> Steps[None]:
    """Jump as part of a move action; the distance counts against the speed.

    Without a run-up (of 20 ft. in srd35, of 10 ft. in pf1) the DC is doubled; faster creatures jump better,
    slower ones worse.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(JUMP_TOPIC)
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    if act.feet < 0 or not 0 <= act.takeoff <= len(act.path):
        raise Refusal("height and run-up cannot be negative, the run-up no longer than the way", rule)
    if act.kind == "long":
        yield from long_jump(fight, mover, act, by)
    elif act.kind == "down":
        yield spending(fight, mover, "move", "jump down", rule)
        yield from by.down(fight, mover, act)
    else:
        yield from jump_up(fight, mover, act, by)


def long_jump(fight: Fight, mover: Combatant, act: acts.Jump, by: Leaping) -> Steps[None]:
    """Leap over squares: DC 1 per foot. A failure falls short, at the last square that it can reach.

    So does a leap into the square of a combatant that the mover did not perceive.
    """
    rule = fight.rule(JUMP_TOPIC)
    run, leap = act.path[: act.takeoff], act.path[act.takeoff :]
    if not leap:
        raise Refusal("the path has no square to leap over", rule)
    start = run[-1] if run else mover.at
    refuse_leap(fight, mover, start, leap)
    if run:
        refuse_path(fight, mover, run, speed(fight, mover), rule)
    far = feet_of_leap(fight, mover, (start, *leap))
    whole = feet_in_all(fight, mover, run, leap)
    if whole > speed(fight, mover):
        raise Refusal(f"run-up and leap take {whole} ft., {mover.id} has {speed(fight, mover)} ft.", rule)
    running = run_up(mover, act.path, act.takeoff) >= fight.figure(JUMP_TOPIC, "run_up_ft")
    yield spending(fight, mover, "move", "jump", rule)
    if pace := fight.dialect.movement.speed_told(fight, mover):
        yield pace
    if run and not (yield from fight.dialect.movement.walk(fight, mover, run, "run-up", rule)):
        return
    times = 1 if running else fight.figure(JUMP_TOPIC, "no_run_up")
    dc = far * times
    margin = yield from check_by(fight, mover, by.skill, jump_parts(fight, mover, running, by), dc, rule)
    landed = leap
    if margin < 0:
        yield RuleApplied(who=mover.id, what="comes down short", cites=(rule,))
    else:
        margin = 0
    while landed and (
        feet_of_leap(fight, mover, (start, *landed)) * times > dc + margin
        or not can_stand_in(fight, mover, landed[-1])
    ):
        landed = landed[:-1]
    met = (
        None if margin < 0 else find_unseen_at_end(fight, mover, leap[-1], occupants(fight, mover, leap[-1]))
    )
    if landed and not (yield from leave_ground(fight, mover, start, landed, rule)):
        return
    if met is not None:
        yield from run_into(fight, mover, met, "jump")


def feet_of_leap(fight: Fight, mover: Combatant, squares: Sequence[Square], diagonals: int = 0) -> int:
    """Return the feet of a leap: every second diagonal counts twice, the ground below does not matter.

    As part of a movement it continues after `diagonals` diagonals.
    """
    parity = diagonals % 2
    cost = path_cost(fight.field, squares, side=mover.space, doublings_of=lambda square: 0, parity=parity)
    return cost.squares * SQUARE_FT


def feet_in_all(fight: Fight, mover: Combatant, run: tuple[Square, ...], leap: tuple[Square, ...]) -> int:
    """Return the cost in feet of run-up and leap together (srd35.distance.diagonals)."""
    before, way = mover.spent.get("diagonals", 0), (mover.at, *run)
    cost = fight.dialect.movement.measure(fight, mover, way, "run-up")
    return cost.feet + feet_of_leap(fight, mover, (way[-1], *leap), before + cost.diagonals)


def can_stand_in(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether a combatant can occupy a square."""
    return fight.field.passable(at, mover.space) and not occupants(fight, mover, at)


def refuse_leap(fight: Fight, mover: Combatant, start: Square, leap: tuple[Square, ...]) -> None:
    """Refuse a leap that is crooked, leads into a wall, or ends in an occupied square."""
    rule = fight.rule(JUMP_TOPIC)
    ways = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise((start, *leap))}
    if len(ways) > 1 or any(max(abs(x), abs(y)) != 1 for x, y in ways):
        raise Refusal("a leap goes straight from square to square", rule)
    if any(fight.field.at(one) == "#" for square in leap for one in space(square, mover.space)):
        raise Refusal("a wall is in the way of the leap", fight.rule("obstacle.blocking"))
    end = leap[-1]
    if not fight.field.passable(end, mover.space) or known_occupants(fight, mover, end):
        raise Refusal(f"{mover.id} cannot land at {end[0]},{end[1]}", fight.rule("pass.ending-movement"))


def leave_ground(
    fight: Fight, mover: Combatant, start: Square, landed: tuple[Square, ...], rule: str
) -> Steps[bool]:
    """Fly through the air: squares left provoke as usual. Return whether the mover landed where it meant
    to.
    """
    dialect = fight.dialect
    opportunity = dialect.opportunity.opportunity_name(fight, mover)
    enemies = [
        enemy
        for here, there in pairwise((start, *landed))
        for enemy in dialect.movement.leaving(fight, mover, here, there, "jump")
        if opportunity not in enemy.opportunities
    ]
    once = list({enemy.id: enemy for enemy in enemies}.values())
    if once:
        aoo = fight.rule("aoo.triggers")
        yield from fight.dialect.opportunity.provoke(
            fight, mover, once, "leaves a threatened square", opportunity, aoo
        )
        if (yield from is_stopped(fight, mover, start, "jump")):
            return False
    feet = feet_of_leap(fight, mover, (start, *landed), mover.spent.get("diagonals", 0))
    diagonals = sum(1 for a, b in pairwise((start, *landed)) if a[0] != b[0] and a[1] != b[1])
    yield moved(mover, landed, feet, "jump", rule, diagonals=diagonals)
    yield from dialect.movement.after_movement(fight, mover)
    return True


def jump_up(fight: Fight, mover: Combatant, act: acts.Jump, by: Leaping) -> Steps[None]:
    """Jump straight up, DC 4 per foot, or hop up onto something waist-high, DC 10."""
    rule = fight.rule(JUMP_TOPIC)
    if act.path:
        refuse_path(fight, mover, act.path, speed(fight, mover), rule)
    running = run_up(mover, act.path, len(act.path)) >= fight.figure(JUMP_TOPIC, "run_up_ft")
    if act.kind == "hop":
        dc = fight.figure(JUMP_TOPIC, "hop_dc")
    else:
        dc = act.feet * fight.figure(JUMP_TOPIC, "high_per_ft")
        dc *= 1 if running else fight.figure(JUMP_TOPIC, "no_run_up")
    yield spending(fight, mover, "move", "jump", rule)
    if act.path and not (yield from fight.dialect.movement.walk(fight, mover, act.path, "run-up", rule)):
        return
    parts = jump_parts(fight, mover, running, by)
    goal = "onto what is waist-high" if act.kind == "hop" else f"{act.feet} ft. up"
    if (yield from check(fight, mover, by.skill, parts, dc, rule, why=goal)):
        yield RuleApplied(who=mover.id, what=f"jumps {goal}", cites=(rule,))


def run_up(mover: Combatant, path: tuple[Square, ...], takeoff: int) -> int:
    """Return the feet of run-up that lead straight up to the leap, in its direction."""
    ways = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise((mover.at, *path))]
    if not ways:
        return 0
    wanted = ways[min(takeoff, len(ways) - 1)]
    feet = 0
    for way in reversed(ways[:takeoff]):
        if way != wanted:
            break
        feet += SQUARE_FT
    return feet


def jump_parts(fight: Fight, mover: Combatant, running: bool, by: Leaping) -> list[Modifier]:
    """Return the parts of a check to jump: the skill, the speed, and the Run feat after a run-up."""
    rule = fight.rule(JUMP_TOPIC)
    parts = skill_parts(fight, mover, by.skill, by.ability, rule)
    feet = speed(fight, mover)
    normal, per = fight.figure(JUMP_TOPIC, "normal_ft"), fight.figure(JUMP_TOPIC, "per_ft")
    if feet != normal:
        way = "above_30" if feet > normal else "below_30"
        value = fight.figure(JUMP_TOPIC, way) * (abs(feet - normal) // per)
        if value:
            parts.append(Modifier(value, "speed", f"speed {feet} ft.", rule))
    if by.running is not None and running and has_feat(mover, "run"):
        parts.append(fight.modifier(*by.running, kind="feat", source="Run"))
    return parts


# --- The skill checks by which obstacles between squares are crossed

#: The ability behind the skills that obstacles ask for.
KEY_ABILITY = {"climb": "str", "jump": "str", "swim": "str"}


def overcome(fight: Fight, mover: Combatant, crossed: Sequence[Barrier]) -> Steps[bool]:
    """Make the skill checks that obstacles ask for; a failure ends the movement before them.

    srd35.obstacle.skill-check, pf1.terrain.obstacle.
    """
    rule = fight.rule("obstacle.skill-check")
    for barrier in crossed:
        if barrier.check:
            parts = skill_parts(fight, mover, barrier.check, KEY_ABILITY.get(barrier.check, "dex"), rule)
            why = "to cross the obstacle"
            if not (yield from check(fight, mover, barrier.check, parts, barrier.dc, rule, why=why)):
                yield RuleApplied(who=mover.id, what="does not get across the obstacle", cites=(rule,))
                return False
    return True


# --- How long a run can be kept up, and the rest after it (srd35.run.endurance, pf1.run)

RUN_ENDURANCE_TOPIC: Final = "run.endurance"
#: The conditions after running, with the number of rounds as level, and of being out of breath after that.
EXERTED, WINDED = "exerted", "winded"


def run_while_breath_lasts(fight: Fight, act: acts.Run, running: Steps[None]) -> Steps[None]:
    """Run for the whole round, as long as the breath lasts (srd35.run.endurance, pf1.run).

    After as many rounds as the Constitution score each further round takes a Constitution check of a rising
    DC; a failure stops the runner, which must rest before running again.
    """
    mover = fight.combatant(act.actor)
    before = mover.conditions[EXERTED].level if EXERTED in mover.conditions else 0
    further = before - (score_now(fight, mover, "con") or 0)
    # Everything that forbids the run is checked before the roll on whether it can be kept up.
    first = next(running)
    tired = mover.sheet.abilities.con is not None and further >= 0
    if tired and not (yield from keeps_running(fight, mover, further)):
        return
    yield from onward(running, first)
    rest = fight.state.round + fight.figure(RUN_ENDURANCE_TOPIC, "rest_rounds")
    yield ConditionGained(
        who=mover.id,
        condition=EXERTED,
        source="running",
        until=Until("turn-start", mover.id, rest),
        level=before + 1,
        cites=(fight.rule(RUN_ENDURANCE_TOPIC),),
    )


def keeps_running(fight: Fight, mover: Combatant, further: int) -> Steps[bool]:
    """Check whether a runner at the end of its breath goes on; it is check number `further` + 1."""
    rule = fight.rule(RUN_ENDURANCE_TOPIC)
    dc = fight.figure(RUN_ENDURANCE_TOPIC, "dc") + further * fight.figure(RUN_ENDURANCE_TOPIC, "dc_step")
    parts = [Modifier(ability(mover.sheet, "con"), "ability", "Constitution", rule)]
    parts += lowered(fight, mover, "con")
    parts += fight.dialect.environment.hardy(fight, mover)
    if (yield from check(fight, mover, "constitution", parts, dc, rule, why="running on")):
        return True
    until = Until(
        "turn-start", mover.id, fight.state.round + fight.figure(RUN_ENDURANCE_TOPIC, "rest_rounds")
    )
    yield ConditionGained(
        who=mover.id, condition=WINDED, source="run to the limit", until=until, cites=(rule,)
    )
    return False


def refuse_winded(fight: Fight, mover: Combatant, rushing: bool) -> None:
    """Refuse a combatant that rests from running more than one move at its speed a round.

    srd35.run.endurance, pf1.run.
    """
    rest = fight.figure(RUN_ENDURANCE_TOPIC, "rest_multiple")
    if WINDED in mover.conditions and (rushing or mover.spent.get("move", 0) >= rest):
        raise Refusal(f"{mover.id} must rest from running", fight.rule(RUN_ENDURANCE_TOPIC))


CONDITIONS: Final = {
    EXERTED: ConditionRule(RUN_ENDURANCE_TOPIC),
    WINDED: ConditionRule(RUN_ENDURANCE_TOPIC, rushes=False),
}


# --- Tumbling past opponents and through their spaces (srd35.skill.tumble, pf1.skill.acrobatics)
#
# srd35.pass.tumble, pf1.pass.opponent, futurepath.movement.pass-through-enemy, futurepath.assumed.tumble.

TUMBLE_TOPIC: Final = "skill.tumble"


class Tumbling(Struct, frozen=True):
    """The rulebook's rules of tumbling: who may tumble, and the check to get past an opponent.

    refuse: refuse a combatant that cannot tumble there.
    gets_past: check whether a mover gets past an opponent, or (the fifth argument) through its space, given
        the number of opponents before.
    """

    refuse: Callable[[Fight, Combatant, acts.Move], None]
    gets_past: Callable[[Fight, Combatant, Combatant, acts.Move, bool, int], Steps[bool]]


def tumble(fight: Fight, act: acts.Move, by: Tumbling) -> Steps[None]:
    """Tumble at half speed, or at full speed, which is harder, without provoking as far as checks succeed.

    Each opponent whose threatened squares are left, or whose space is entered, takes one check, each after
    the first with a DC higher by 2. A failure past an opponent provokes as usual; into a space it also stops
    the tumbler in front of it.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(TUMBLE_TOPIC)
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    by.refuse(fight, mover, act)
    feet = speed(fight, mover)
    if not act.fast:
        feet = int(feet * fight.figure(TUMBLE_TOPIC, "speed"))
    through = opponents_in_way(fight, mover, act.path)
    refuse_path(fight, mover, act.path, feet, rule, through[0] if through else None)
    cites = [rule, *fight.rules(*(("pass.tumble",) if through else ()))]
    yield spending(fight, mover, "move", "tumble", *cites)
    if pace := fight.dialect.movement.speed_told(fight, mover):
        yield pace
    yield from tumble_along_path(fight, mover, act, through, by)


def gets_past_by_skill(
    fight: Fight,
    mover: Combatant,
    enemy: Combatant,
    act: acts.Move,
    through: bool,
    others: int,
    *,
    harder: int = 0,
    cites: tuple[str, ...] = (),
) -> Steps[bool]:
    """Check by the tumbling skill whether a mover gets past, or through the space of, one opponent.

    `harder` is the ground's increase of the DC, by the rules cited (srd35.skill.tumble,
    futurepath.assumed.tumble).
    """
    rule = fight.rule(TUMBLE_TOPIC)
    dc = fight.figure(TUMBLE_TOPIC, "through" if through else "past") + others * fight.figure(
        TUMBLE_TOPIC, "per_extra_foe"
    )
    parts = skill_parts(fight, mover, "tumble", "dex", rule)
    if act.fast:
        parts.append(
            fight.modifier(TUMBLE_TOPIC, "full_speed_penalty", kind="penalty", source="at full speed")
        )
    why = f"{'through the space of' if through else 'past'} {enemy.id}"
    return (yield from check(fight, mover, "tumble", parts, dc + harder, rule, *cites, why=why))


def opponents_in_way(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> list[Combatant]:
    """Return the opponents whose spaces a path is known to cross and that could forbid it."""
    met = {other.id: other for square in path for other in known_occupants(fight, mover, square)}
    return [one for one in met.values() if not fight.dialect.movement.may_pass(fight, mover, one)]


def tumble_along_path(
    fight: Fight, mover: Combatant, act: acts.Move, through: list[Combatant], by: Tumbling
) -> Steps[None]:
    """Go square by square, with a check before each step that gets past a new opponent."""
    dialect = fight.dialect
    opportunity = dialect.opportunity.opportunity_name(fight, mover)
    evaded: dict[str, bool] = {}
    rule = fight.rule(TUMBLE_TOPIC)
    done = 0
    for place, there in enumerate(act.path):
        here = act.path[place - 1] if place else mover.at
        inside = [one for one in through if one in occupants(fight, mover, there)]
        leaving = [
            enemy
            for enemy in dialect.movement.leaving(fight, mover, here, there, "tumble")
            if opportunity not in enemy.opportunities and not is_helpless(fight, enemy)
        ]
        met = [one for one in (*leaving, *inside) if one.id not in evaded]
        if met:
            if not (yield from tumble_part_of_path(fight, mover, act.path[done:place], evaded, True)):
                return
            done = place
        for enemy in {one.id: one for one in met}.values():
            evaded[enemy.id] = yield from by.gets_past(
                fight, mover, enemy, act, enemy in through, len(evaded)
            )
        for enemy in inside:
            if not evaded[enemy.id]:
                if not (yield from tumble_part_of_path(fight, mover, act.path[done:place], evaded, False)):
                    return
                reason = f"fails to tumble through the space of {enemy.id}"
                yield from fight.dialect.opportunity.provoke(fight, mover, [enemy], reason, opportunity, rule)
                return
    yield from tumble_part_of_path(fight, mover, act.path[done:], evaded, False)


def tumble_part_of_path(
    fight: Fight, mover: Combatant, path: tuple[Square, ...], evaded: dict[str, bool], onward: bool
) -> Steps[bool]:
    """Go part of the path, provoking from those that were not evaded; return whether its end was reached."""
    rule = fight.rule(TUMBLE_TOPIC)
    return (
        yield from fight.dialect.movement.walk(
            fight,
            mover,
            path,
            "tumble",
            rule,
            spare=lambda step, enemy: evaded.get(enemy.id, False),
            onward=onward,
        )
    )
