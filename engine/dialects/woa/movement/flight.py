"""Implement flying and falling."""

from itertools import pairwise

from affray.engine.dialects.woa.damage.injury import FALL, random_injury
from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.movement.speed import (
    ABOUT,
    BUOYANT,
    FLYING,
    FORWARD,
    HOVER,
    POWERED,
    SHARP,
    SLOW,
    STEEP,
    get_last_air_maneuver,
    height_aloft,
    is_flying,
    kind_of_flight,
)
from affray.engine.dialects.woa.position.shared_space import steps_along
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import path_cost
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.checks import check, check_by, skill_parts
from affray.engine.rules.damage.damage import amount_dealt, rolled_part
from affray.engine.rules.movement.skills import EIGHTHS, NAMES, refuse_blocked_flight
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

# --- Falls: the damage, and the injury that comes with it (woa.injury.cause.fall)

TOPIC = "woa.injury.cause.fall"


def fall(fight: Fight, act: acts.Fall) -> Steps[None]:
    """Make a combatant fall to the ground from a height that the game master gives."""
    target = fight.combatant(act.target)
    rule = fight.rule(TOPIC)
    if act.feet <= 0:
        raise Refusal(f"a fall takes a positive number of feet, not {act.feet}", rule)
    if act.onto != "ground" or act.pounds:
        raise Refusal("these rules cover falls onto the ground only", rule)
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("woa.hp.loss-consequences"))
    yield from fight.dialect.movement.fall(fight, target, act.feet)


def strike_ground(fight: Fight, harm: Harm) -> Steps[None]:
    """Apply the damage of any fall and the injury it causes."""
    yield from fight.dialect.damage.suffer(fight, harm)
    if "dead" not in harm.target.conditions:
        yield from random_injury(fight, harm.target, harm, (TOPIC,), FALL)


def plummet(fight: Fight, mover: Combatant, feet: int) -> Steps[None]:
    """Apply the damage of a fall if it does any, then prone and an injury."""
    rule = fight.rule(TOPIC)
    row = [cell(fight, TOPIC, 0, column) for column in ("feet", "dice", "sides", "most")]
    figures = [one.value for one in row if one is not None]
    if len(figures) < len(row):
        yield RuleApplied(who=mover.id, what=f"a fall of {feet} ft.: damage not printed", cites=(rule,))
        return
    each, dice, sides, most = figures
    count = min(feet // each * dice, most)
    source = f"a fall of {feet} ft."
    if not count:
        yield RuleApplied(who=mover.id, what=f"{source} does no harm", cites=(rule,))
        return
    notation = f"{count}d{sides}"
    rolled = yield Roll(mover.id, "fall", notation)
    harm = Harm(mover, rolled.total, "bludgeoning", source)
    yield amount_dealt(fight, harm, rolled_part(harm, notation, rolled), rule)
    yield from fight.dialect.damage.suffer(fight, harm)
    if "prone" not in mover.conditions and not is_down(fight, mover):
        yield ConditionGained(who=mover.id, condition="prone", source=source, cites=(rule,))
    if "dead" not in mover.conditions:
        yield from random_injury(fight, mover, harm, (TOPIC,), FALL)


# --- The two kinds of flight: buoyant without effort, powered by Athletics (woa.fly.*)

STALLED, FLEW = "stalled", "flew"
#: Turns in eighths: the most a flyer banks without a check, and an about-turn.
BANK, RIGHT_ABOUT = 1, 4


def level_feet(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> int:
    """Return the feet of a path over the ground; in the air no terrain is difficult."""
    if not path:
        return 0
    cost = path_cost(fight.field, (mover.at, *path), doublings_of=lambda square: 0, parity=0)
    return int(cost.squares) * SQUARE_FT


def cost_of_flight(fight: Fight, mover: Combatant, path: tuple[Square, ...], up: int) -> int:
    """Return the feet of a flight: climbing and sinking count like diagonals (woa.distance.grid)."""
    level, rise = level_feet(fight, mover, path), abs(up)
    return max(level, rise) + min(level, rise) // 2


def hardest_part_of_flight(fight: Fight, mover: Combatant, path: tuple[Square, ...], up: int) -> str:
    """Return the hardest requirement of a powered flight, a row of the table."""
    feet = level_feet(fight, mover, path)
    turns = [eighths_turned(*pair) for pair in pairwise(headings(mover, path))]
    found = [FORWARD if 2 * feet >= mover.sheet.fly else SLOW if path or up else HOVER]
    if up > feet:
        found.append(STEEP)
    if turns and max(turns) > BANK:
        found.append(ABOUT if max(turns) == RIGHT_ABOUT else SHARP)
    return max(found, key=lambda row: fight.figure("woa.fly.powered.athletics", f"flight={row}", "dc"))


def headings(mover: Combatant, path: tuple[Square, ...]) -> list[str]:
    """Return the headings of a flight, beginning with the last one of the flight before."""
    before = mover.conditions[FLYING].source.partition(", ")[2] if is_flying(mover) else ""
    steps = [NAMES[b[0] - a[0], b[1] - a[1]] for a, b in pairwise((mover.at, *path))]
    return [before, *steps] if before else steps


def eighths_turned(one: str, other: str) -> int:
    """Return the difference between two headings, in eighths of a circle."""
    apart = abs(EIGHTHS[one] - EIGHTHS[other])
    return min(apart, len(EIGHTHS) - apart)


def heading(mover: Combatant, path: tuple[Square, ...], what: str) -> str:
    """Return what is recorded of a flight: the maneuver, and the heading at its end."""
    last = headings(mover, path)
    return f"{what}, {last[-1]}" if last and kind_of_flight(mover) == POWERED else what


def take_off(fight: Fight, mover: Combatant) -> Steps[None]:
    """Leave the ground (woa.fly.kinds, .buoyant.definition, .powered.definition).

    woa.fly.buoyant.definition, woa.fly.powered.definition.
    """
    topics = ["woa.fly.kinds", f"fly.{kind_of_flight(mover)}.definition"]
    yield ConditionGained(who=mover.id, condition=FLYING, source=FORWARD, cites=fight.rules(*topics))


def set_height(mover: Combatant, height: int, source: str, rule: str) -> Steps[None]:
    """Set a mover's height in the air, or land it."""
    if height:
        yield ConditionGained(who=mover.id, condition=FLYING, source=source, level=height, cites=(rule,))
    elif is_flying(mover):
        yield ConditionLost(who=mover.id, condition=FLYING, why="lands", cites=(rule,))


def keeps_flying(fight: Fight, mover: Combatant, what: str, *cites: str, why: str) -> Steps[bool]:
    """Make the Athletics check of a flight; return whether the flight goes on.

    A failure stalls the flyer for the round, a failure by 5 or more makes it fall
    (woa.fly.powered.athletics).
    """
    topic = "woa.fly.powered.athletics"
    found = cell(fight, topic, f"flight={what}", "dc")
    if found is None:
        return True
    parts = skill_parts(fight, mover, "athletics", "str", fight.rule(topic))
    margin = yield from check_by(fight, mover, "athletics", parts, found.value, found.rule, *cites, why=why)
    if margin >= 0:
        return True
    because = tuple(dict.fromkeys((*cites, fight.rule("woa.fly.powered.hazard"))))
    if margin <= -int(fight.figure("woa.fly.powered.hazard", "fall_by")):
        yield RuleApplied(who=mover.id, what="falls out of the air", cites=because)
        yield from fall_from_the_air(fight, mover, height_aloft(mover))
    else:
        until = Until("round-end", "", fight.state.round)
        yield ConditionGained(who=mover.id, condition=STALLED, source=what, until=until, cites=because)
    return False


def fall_from_the_air(fight: Fight, mover: Combatant, feet: int) -> Steps[None]:
    """Fall to the ground from `feet` feet up in the air."""
    rule = fight.rule("woa.fly.powered.athletics")
    if is_flying(mover):
        yield ConditionLost(who=mover.id, condition=FLYING, why="falls", cites=(rule,))
    yield from hit_ground(fight, mover, feet)
    if "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source="a fall", cites=(rule,))


def fall_paralyzed(fight: Fight, mover: Combatant) -> Steps[None]:
    """Make a paralyzed flyer by nature fall from its height; magic holds others up.

    woa.condition.paralyzed.flyer
    """
    if not is_flying(mover) or not mover.sheet.fly:
        return
    cites = fight.rules("woa.condition.paralyzed.flyer")
    feet = height_aloft(mover)
    yield ConditionLost(who=mover.id, condition=FLYING, why="cannot beat its wings", cites=cites)
    yield from hit_ground(fight, mover, feet)
    if "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source="falls from the air", cites=cites)


def hit_ground(fight: Fight, mover: Combatant, feet: int) -> Steps[None]:
    """Apply the damage of a fall from the air, if it is high enough."""
    die = cell(fight, "woa.fly.powered.athletics", "flight=fall", "die")
    per = cell(fight, "woa.fly.powered.athletics", "flight=fall", "per_ft")
    if die is not None and per is not None and feet >= per.value:
        rolled = yield Roll(mover.id, "fall", f"{feet // per.value}d{die.value}")
        harm = Harm(mover, rolled.total, "", f"a fall of {feet} ft.", cites=(die.rule,))
        yield from strike_ground(fight, harm)


def upset_flyer(fight: Fight, mover: Combatant, why: str) -> Steps[None]:
    """Resolve a hazard in the air: a buoyant flyer may lose its balance, a powered one stall or fall.

    A flyer knocked out falls if powered, and floats on if buoyant (woa.fly.buoyant.hazard, .powered.hazard,
    .buoyant.effortless).
    """
    if not is_flying(mover) or "dead" in mover.conditions:
        return
    if kind_of_flight(mover) == POWERED:
        if is_down(fight, mover):
            yield from fall_from_the_air(fight, mover, height_aloft(mover))
        else:
            yield from keeps_flying(
                fight, mover, get_last_air_maneuver(mover), fight.rule("woa.fly.powered.hazard"), why=why
            )
        return
    if is_down(fight, mover):
        cites = fight.rules("woa.fly.buoyant.effortless")
        yield RuleApplied(who=mover.id, what="floats on in the air", cites=cites)
        return
    if "prone" in mover.conditions:
        return
    topic = "fly.buoyant.hazard"
    rule = fight.rule(topic)
    parts = skill_parts(fight, mover, "acrobatics", "dex", rule)
    if not (yield from check(fight, mover, "acrobatics", parts, fight.figure(topic, "dc"), rule, why=why)):
        yield ConditionGained(who=mover.id, condition="prone", source="off balance", cites=(rule,))


#: Conditions that leave a creature no action, though it is not down.
ACTIONLESS = frozenset({"cowering", "dazed", "incapacitated", "stunned"})


def end_round_of_flyers(fight: Fight) -> Steps[None]:
    """At the end of a round, make powered flyers that did not fly check to keep hovering.

    Those that could take no action, which flying by their own power needs, fall (woa.fly.powered.athletics).
    """
    for mover in list(fight.state.combatants.values()):
        if (
            not is_flying(mover)
            or kind_of_flight(mover) == BUOYANT
            or mover.spent.get(FLEW)
            or is_down(fight, mover)
        ):
            continue
        if not ACTIONLESS.isdisjoint(mover.conditions):
            yield from fall_from_the_air(fight, mover, height_aloft(mover))
        elif STALLED not in mover.conditions and (
            yield from keeps_flying(fight, mover, HOVER, why="to hover")
        ):
            rule = fight.rule("woa.fly.powered.athletics")
            yield from set_height(mover, height_aloft(mover), HOVER, rule)


# --- Flying as a way to move, and what rules it out (woa.fly.kinds)


def fly(fight: Fight, act: acts.Move) -> Steps[None]:
    """Fly along a path and `up` feet up, below 0 down, as a move action.

    A buoyant flyer goes any way at full speed. A powered one makes an Athletics check: on a failure it stalls
    and makes no progress, and falls if it fails by much (woa.fly.buoyant.movement, .powered.athletics).
    """
    mover = fight.combatant(act.actor)
    buoyant = kind_of_flight(mover) == BUOYANT
    rule = fight.rule("woa.fly.buoyant.movement" if buoyant else "woa.fly.powered.athletics")
    refuse_flight(fight, mover, act, rule)
    what = HOVER if buoyant else hardest_part_of_flight(fight, mover, act.path, act.up)
    yield spending(fight, mover, "move", "fly", rule, fight.rule("woa.movement.swim-fly-special"))
    yield ActionSpent(who=mover.id, kind=FLEW, what=BUOYANT if buoyant else what, cites=(rule,))
    after = heading(mover, act.path, what)
    if not is_flying(mover):
        yield from take_off(fight, mover)
    if not buoyant and not (yield from keeps_flying(fight, mover, what, rule, why=f"to fly: {what}")):
        return
    if act.path and not (yield from fight.dialect.movement.walk(fight, mover, act.path, "fly", rule)):
        return
    yield from set_height(mover, height_aloft(mover) + act.up, after, rule)


def refuse_flight(fight: Fight, mover: Combatant, act: acts.Move, rule: str) -> None:
    """Refuse an impossible flight."""
    refuse_unless_allowed(fight, mover, "move")
    movement.refuse_after_step(fight, mover)
    movement.refuse_lying(fight, mover)
    if not mover.sheet.fly:
        raise Refusal(f"{mover.id} cannot fly", fight.rule("woa.fly.kinds"))
    if STALLED in mover.conditions:
        raise Refusal(f"{mover.id} has stalled and cannot fly on", rule)
    if height_aloft(mover) + act.up < 0:
        raise Refusal(f"{mover.id} is {height_aloft(mover)} ft. up and cannot sink {-act.up} ft.", rule)
    if act.path:
        steps_along(mover.at, act.path, rule)
    feet = cost_of_flight(fight, mover, act.path, act.up)
    if feet > mover.sheet.fly:
        raise Refusal(f"the flight costs {feet} ft., {mover.id} flies {mover.sheet.fly} ft.", rule)
    if act.path:
        refuse_blocked_flight(fight, mover, act.path)
