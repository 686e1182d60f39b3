"""Flying, stalling and falling."""

import re
from itertools import pairwise

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import path_cost
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.checks import check, saving_throw, skill_parts
from affray.engine.rules.classes.sheets import FLYING, has_feat, has_trait
from affray.engine.rules.movement.movement import make_room, refuse_after_step
from affray.engine.rules.movement.skills import (
    DAMAGE,
    DIVING,
    NAMES,
    SOFTEN,
    STALLED,
    Impact,
    Landing,
    change_height,
    degrees_between,
    dice_notation,
    dice_onto_ground,
    end_flight,
    fly_along,
    height_flown,
    lie_where_fallen,
    most_dice,
    refuse_blocked_flight,
    suffer_fall,
)
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

# --- Falling: damage, what softens it, into water, and falling objects (srd35.falling.*)

WATER, OBJECTS = "srd35.falling.water", "srd35.falling.objects"
#: The weights of lighter objects by the table's names, with the least of each in pounds.
LIGHTER = ((101, "101-200 lb"), (51, "51-100"), (31, "31-50"), (11, "11-30"), (6, "6-10"), (1, "1-5"))


def fall_by_gm(fight: Fight, act: acts.Fall) -> Steps[None]:
    """Make a combatant fall, or an object fall on it, by ruling."""
    target = fight.combatant(act.target)
    rule = fight.rule("srd35.falling.objects" if act.pounds else "srd35.falling.damage")
    if act.feet < 0 or act.pounds < 0 or act.depth < 0:
        raise Refusal("height, weight and depth cannot be negative", rule)
    if act.pounds:
        yield from struck_by_object(fight, target, act.pounds, act.feet)
        return
    yield from fall(fight, target, act.feet, onto=act.onto, depth=act.depth)


def fall(
    fight: Fight, mover: Combatant, feet: int, *, onto: str = "ground", depth: int = 0, jumped: bool = False
) -> Steps[None]:
    """Fall the given feet onto the ground, soft ground, or into water of a depth.

    A combatant that takes damage lands prone (srd35.falling.damage). `jumped` is a deliberate leap, which a
    check softens.
    """
    if onto == "water" and depth >= fight.figure(WATER, "depth_ft"):
        impact = yield from dice_into_water(fight, mover, feet, depth, jumped)
    else:
        impact = yield from onto_ground(fight, mover, feet, onto == "soft", jumped)
    yield from suffer_fall(fight, mover, feet, impact)
    if (impact.lethal or impact.nonlethal) and onto != "water":
        yield from lie_where_fallen(mover, impact)


def come_down(fight: Fight, mover: Combatant, feet: int) -> Steps[None]:
    """Fall the given feet, to a free place (srd35.falling.damage)."""
    yield from fall(fight, mover, feet)
    yield from make_room(fight, mover)


def onto_ground(fight: Fight, mover: Combatant, feet: int, soft: bool, jumped: bool) -> Steps[Impact]:
    """Return the dice of a fall onto the ground (srd35.falling.damage, srd35.falling.soften).

    A jumper's check spares the first 10 ft. and makes the next ones nonlethal; the first die on soft ground
    is nonlethal too.
    """
    landing = None
    if jumped and feet >= fight.figure(DAMAGE, "per_ft"):
        landing = yield from lands_well(fight, mover)
    return dice_onto_ground(fight, feet, landing, fight.figure(SOFTEN, "soft_ground_dice") if soft else 0)


def lands_well(fight: Fight, mover: Combatant) -> Steps[Landing]:
    """Let a jumper choose a skill and check whether it softens the fall."""
    rule = fight.rule(SOFTEN)
    question = f"{mover.id} jumps down: by which skill does it soften the fall?"
    skill = yield Choice(mover.id, "soften", question, ("jump", "tumble", "none"), rule)
    mild = fight.figure(SOFTEN, "nonlethal_ft")
    if skill == "jump":
        dc = fight.figure("srd35.skill.jump", "down_dc")
        parts = skill_parts(fight, mover, "jump", "str", fight.rule("srd35.skill.jump"))
        if (yield from check(fight, mover, "jump", parts, dc, fight.rule("srd35.skill.jump"), rule)):
            return Landing(fight.figure("srd35.skill.jump", "shorter_ft"), mild)
    if skill == "tumble":
        parts = skill_parts(fight, mover, "tumble", "dex", rule)
        if (yield from check(fight, mover, "tumble", parts, fight.figure(SOFTEN, "dc"), rule)):
            return Landing(fight.figure(SOFTEN, "free_ft"), mild)
    return Landing()


def dice_into_water(fight: Fight, mover: Combatant, feet: int, depth: int, jumped: bool) -> Steps[Impact]:
    """Return the dice of a fall into water deep enough (srd35.falling.water).

    The first 20 ft. deal nothing, the next 20 nonlethal damage, the rest the usual damage. A dive by Swim or
    Tumble deals none if the water is deep enough for its height.
    """
    rule = fight.rule(WATER)
    ten = fight.figure("srd35.falling.damage", "per_ft")
    free, mild = fight.figure(WATER, "free_ft"), fight.figure(WATER, "nonlethal_ft")
    if jumped:
        per = fight.figure(WATER, "dive_depth_per_ft")
        needed = -(-feet // per) * fight.figure(WATER, "dive_depth_ft")
        if depth >= needed and (yield from dives(fight, mover, feet)):
            return Impact("", "", (rule,))
    nonlethal = max(0, min(feet - free, mild)) // ten
    lethal = min(max(0, feet - free - mild) // ten, most_dice(fight))
    die, soft = fight.figure("srd35.falling.damage", "per_10ft"), fight.figure(WATER, "nonlethal_per_10")
    cites = (rule, fight.rule("srd35.falling.damage")) if lethal else (rule,)
    return Impact(dice_notation(lethal, die), dice_notation(nonlethal, soft), cites)


def dives(fight: Fight, mover: Combatant, feet: int) -> Steps[bool]:
    """Check whether a jumper dives, at a DC that rises with the height."""
    rule = fight.rule(WATER)
    question = f"{mover.id} jumps into the water: by which skill does it dive?"
    skill = yield Choice(mover.id, "dive", question, ("swim", "tumble", "none"), rule)
    if skill == "none":
        return False
    step = feet // fight.figure(WATER, "dive_step_ft")
    dc = fight.figure(WATER, "dive_dc") + step * fight.figure(WATER, "dive_dc_step")
    parts = skill_parts(fight, mover, skill, "str" if skill == "swim" else "dex", rule)
    return (yield from check(fight, mover, skill, parts, dc, rule, why=f"diving {feet} ft."))


def struck_by_object(fight: Fight, target: Combatant, pounds: int, feet: int) -> Steps[None]:
    """Drop an object of a weight on a combatant from a height (srd35.falling.objects).

    1d6 for each 200 lb. that fell at least 10 ft., and 1d6 for each further 10 ft.; lighter ones only deal
    the dice of their height, for longer stretches the lighter they are.
    """
    rule = fight.rule(OBJECTS)
    die = fight.figure(OBJECTS, "die")
    count = object_dice(fight, pounds, feet)
    if not count:
        yield RuleApplied(who=target.id, what=f"{pounds} lb. from {feet} ft. do no harm", cites=(rule,))
        return
    rolled = yield Roll("", "falling-object", dice_notation(count, die))
    source = f"{pounds} lb. falling {feet} ft."
    harm = Harm(target, rolled.total, "bludgeoning", source, cites=(rule,))
    harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
    yield from fight.dialect.damage.suffer(fight, harm)


def object_dice(fight: Fight, pounds: int, feet: int) -> int:
    """Return how many dice an object deals that falls on a combatant."""
    most = fight.figure(OBJECTS, "max_dice")
    per = fight.figure(OBJECTS, "per_lb")
    if pounds >= per:
        least = fight.figure(OBJECTS, "heavy_ft")
        if feet < least:
            return 0
        further = (feet - least) // fight.figure(OBJECTS, "further_ft")
        return int(min(pounds // per + further, most))
    for least, name in LIGHTER:
        if pounds >= least:
            return int(min(feet // fight.figure(OBJECTS, name), most))
    return 0


# --- Flying: turns, climbs and dives by maneuverability (srd35.move.fly-table)

TABLE, STALL, FEATS = "srd35.move.fly-table", "srd35.move.stall", "srd35.feat.flyby-attack"

#: Rise over run of the steepest angles of the table, in hundredths.
SLOPES = {45: 100, 60: 173}


def fly(fight: Fight, act: acts.Move) -> Steps[None]:
    """Fly along a path as a move action, `up` feet up, or down if below 0.

    The maneuverability determines the turns, the angle and the cost of climbing and diving. The condition's
    level is the height in feet, its source the heading.
    """
    mover = fight.combatant(act.actor)
    refuse_to_fly(fight, mover)
    plan_flight(fight, mover, act.path, act.up)
    cites = (TABLE, FEATS) if wings_over(fight, mover, act.path) else (TABLE,)
    sharply = f", turning up to {fight.figure(FEATS, 'wingover_degrees')} degrees" if len(cites) > 1 else ""
    yield spending(fight, mover, "move", f"fly{sharply}", *fight.rules(*cites))
    yield from carry_out_flight(fight, mover, act.path, act.up)


def refuse_to_fly(fight: Fight, mover: Combatant) -> None:
    """Refuse flight to creatures without wings or out of control."""
    rule = fight.rule(TABLE)
    refuse_after_step(fight, mover)
    if not mover.sheet.fly:
        raise Refusal(f"{mover.id} cannot fly", rule)
    if has_trait(mover, "barding") and mover.sheet.armor_weight in ("medium", "heavy"):
        raise Refusal(f"{mover.id} cannot fly in barding", fight.rule("srd35.armor.barding"))
    if STALLED in mover.conditions:
        raise Refusal(f"{mover.id} falls and must recover first", fight.rule(STALL))


def maneuverability_row(fight: Fight, mover: Combatant) -> JsonObject:
    """Return the row of the table for a creature's maneuverability (average without one)."""
    row: JsonObject = fight.figure(TABLE, f"class={mover.sheet.maneuver or 'average'}")
    return row


def plan_flight(fight: Fight, mover: Combatant, path: tuple[Square, ...], up: int) -> int:
    """Refuse a flight that a creature's maneuverability does not allow; return its cost in feet."""
    rule = fight.rule(TABLE)
    row = maneuverability_row(fight, mover)
    height = height_flown(mover)
    hover = row["hover"] or has_feat(mover, "hover")
    if not path and not hover:
        raise Refusal(f"{mover.id} cannot stay in one place in the air", rule)
    if not path and not row["hover"] and up:
        raise Refusal(
            f"{mover.id} hovers by its feat and cannot rise or sink in the same flight", fight.rule(FEATS)
        )
    if height + up < 0:
        raise Refusal(f"{mover.id} is {height} ft. up and cannot sink {-up} ft.", rule)
    level = sum(way for way, _ in costs_of_flight(fight, mover, path))
    extra = sum(more for _, more in costs_of_flight(fight, mover, path))
    refuse_angle(fight, mover, row, level, up)
    if up > 0 and DIVING in mover.conditions and row["between"]:
        if level < row["between"]:
            raise Refusal(
                f"{mover.id} must fly level for {row['between']} ft. between diving and climbing", rule
            )
        raise Refusal(f"{mover.id} must end its dive by level flight first", rule)
    cost = level + extra + (int(up / row["up_speed"]) if up > 0 else int(-up / row["down_speed"]))
    if cost > mover.sheet.fly:
        raise Refusal(f"the flight costs {cost} ft., {mover.id} flies {mover.sheet.fly} ft.", rule)
    if path or up:
        refuse_blocked_flight(fight, mover, path or (mover.at,), height + up)
    return cost


def costs_of_flight(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> list[tuple[int, int]]:
    """Return for each step of a flight its feet and the extra cost of turning. Refuses too sharp turns.

    A turn is between two steps, the first measured against the heading of the flight before.
    """
    row = maneuverability_row(fight, mover)
    angle, per = turn_of_row(row["turn"])
    found = []
    parity = 0
    heading = mover.conditions[FLYING].source if FLYING in mover.conditions else ""
    since = per
    over = False
    for here, there in pairwise((mover.at, *path)):
        way = (there[0] - here[0], there[1] - here[1])
        if way not in NAMES:
            raise Refusal(
                f"no step leads from {here[0]},{here[1]} to {there[0]},{there[1]}", fight.rule(TABLE)
            )
        turn = degrees_between(heading, NAMES[way])
        extra = 0
        if turn and angle is not None and (turn > angle or since < per):
            wingover = fight.figure(FEATS, "wingover_degrees")
            if turn == 180 and isinstance(row.get("backward"), str):
                extra = int(row["backward"].lstrip("-").split()[0])
            elif has_feat(mover, "wingover") and turn <= wingover and not over:
                extra, over = fight.figure(FEATS, "wingover_ft"), True
            else:
                told = f"turns {turn} degrees after {since} ft.; it can turn {row['turn']}"
                raise Refusal(f"{mover.id} {told}", fight.rule(TABLE))
        heading, since = NAMES[way], 0 if turn else since
        cost = path_cost(fight.field, (here, there), doublings_of=lambda square: 0, parity=parity)
        parity = cost.parity
        since = min(per, since + cost.squares * SQUARE_FT)
        found.append((cost.squares * SQUARE_FT, extra))
    return found


def wings_over(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> bool:
    """Return whether a flight takes a turn that only Wingover allows."""
    price = fight.figure(FEATS, "wingover_ft")
    return has_feat(mover, "wingover") and any(
        extra == price for _, extra in costs_of_flight(fight, mover, path)
    )


def turn_of_row(text: str) -> tuple[int | None, int]:
    """Return by how many degrees and after how many feet a creature turns; (None, 0) for any turn."""
    found = re.match(r"(\d+) deg/(\d+) ft", text)
    return (int(found[1]), int(found[2])) if found else (None, 0)


def refuse_angle(fight: Fight, mover: Combatant, row: JsonObject, level: int, up: int) -> None:
    """Refuse to climb or dive more steeply than a creature can."""
    steepest = row["up_angle"] if up > 0 else row["down_angle"]
    if not up or steepest == "any":
        return
    slope = SLOPES.get(steepest)
    if slope is None or abs(up) * 100 > level * slope:
        verb = "rises" if up > 0 else "sinks"
        raise Refusal(
            f"{mover.id} {verb} {abs(up)} ft. in {level} ft., more than {steepest} degrees", fight.rule(TABLE)
        )


def carry_out_flight(fight: Fight, mover: Combatant, path: tuple[Square, ...], up: int) -> Steps[bool]:
    """Carry out a legal flight; return whether its end was reached."""
    rule = fight.rule(TABLE)
    level = sum(way for way, _ in costs_of_flight(fight, mover, path))
    hovered = not path and not maneuverability_row(fight, mover)["hover"]
    yield ActionSpent(who=mover.id, kind="forward", what="fly", amount=level, cites=(rule,))
    if hovered:
        yield ActionSpent(who=mover.id, kind="hover", what="hover", cites=fight.rules(FEATS))
    if not (yield from fly_along(fight, mover, path, up, rule)):
        return False
    if FLYING not in mover.conditions:
        return True
    if up < 0 and maneuverability_row(fight, mover)["between"]:
        yield ConditionGained(who=mover.id, condition=DIVING, source="sinking", cites=(rule,))
    elif not up and DIVING in mover.conditions and level >= maneuverability_row(fight, mover)["between"]:
        yield ConditionLost(who=mover.id, condition=DIVING, why="flies level", cites=(rule,))
    return True


# --- Fliers that are too slow, or can no longer fly (srd35.move.stall)


def stall_if_slow(fight: Fight, mover: Combatant) -> Steps[None]:
    """Make a flier stall if it ends its turn without enough forward movement (srd35.move.stall)."""
    row = maneuverability_row(fight, mover)
    if row["min_forward"] == "none" or mover.spent.get("hover") or STALLED in mover.conditions:
        return
    share = fight.figure(TABLE, f"class={row['class']}", "forward")
    least = int(mover.sheet.fly * share)
    flown = mover.spent.get("forward", 0)
    if flown >= least:
        return
    source = f"{flown} ft. forward of {least}"
    cites = fight.rules(TABLE, STALL)
    yield ConditionGained(who=mover.id, condition=STALLED, source=source, cites=cites)
    yield from fall_in_stall(fight, mover, "first_ft")


def catch_itself(fight: Fight, mover: Combatant) -> Steps[None]:
    """Let a falling flier try to recover at the start of its turn, or fall on (srd35.move.stall)."""
    rule = fight.rule(STALL)
    if (yield from saving_throw(fight, mover, "ref", fight.figure(STALL, "dc"), "a stall", rule)):
        yield ConditionLost(who=mover.id, condition=STALLED, why="recovers", cites=(rule,))
        # The turn is spent on recovering: this is no new stall.
        yield ActionSpent(who=mover.id, kind="hover", what="recover from the stall", cites=(rule,))
        return
    yield from fall_in_stall(fight, mover, "later_ft")


def fall_in_stall(fight: Fight, mover: Combatant, path: str) -> Steps[None]:
    """Fall the distance of one round of a stall, perhaps to the ground."""
    rule = fight.rule(STALL)
    height = height_flown(mover)
    feet = min(height, fight.figure(STALL, path))
    if feet == height:
        yield from end_flight(fight, mover, "hits the ground", rule)
        yield from come_down(fight, mover, height)
        return
    yield from change_height(fight, mover, "falling", height - feet, rule)


def fall_limp(fight: Fight, mover: Combatant) -> Steps[None]:
    """Make a flier fall that is out of the fight, or a winged one that is paralyzed.

    Perfect maneuverability needs no wings (srd35.cond.paralyzed).
    """
    down = is_down(fight, mover)
    if not down and mover.sheet.maneuver == "perfect":
        return
    height = height_flown(mover)
    why, topic = ("falls", TABLE) if down else ("cannot beat its wings", "srd35.cond.paralyzed")
    yield from end_flight(fight, mover, why, fight.rule(topic))
    if height:
        yield from come_down(fight, mover, height)
