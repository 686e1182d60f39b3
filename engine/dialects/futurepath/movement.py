"""Implement movement: ways of moving, speed, the cost and consequences of steps, falling."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.contested import by_new_rules, in_force, old_only
from affray.engine.dialects.futurepath.defense import is_closed
from affray.engine.dialects.futurepath.gear.objects import stands_open
from affray.engine.dialects.futurepath.turns.flow import (
    price_of_free_action,
    provokes_by_row,
    spend_free_action,
)
from affray.engine.fight.fight import Fight, condition_changes, is_down, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import path_cost
from affray.engine.kernel.places import height_of
from affray.engine.record.chapters import Measure
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.classes.sheets import has_feat, has_trait
from affray.engine.rules.movement import skills, walking
from affray.engine.rules.movement.movement import (
    refuse_after_step,
    refuse_crooked,
    refuse_path,
    refuse_prone,
    report_speed_after,
    sizes_apart,
    speed,
)
from affray.engine.rules.movement.skills import WINDED, Tumbling, gets_past_by_skill, opponents_in_way
from affray.engine.rules.opportunity.threatened_squares import endangers, threatening, threatens
from affray.engine.rules.position.places import occupants, side_by_side
from affray.engine.rules.turns.actions import is_open, refuse_unless_allowed, spending
from affray.engine.rules.turns.flow import advance
from affray.engine.steps import Refusal, Steps, altered, reciting
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import ActionSpent, AnyAct, RuleApplied
from affray.projections.state import Combatant

# --- Falling in futurepath, whose text does not give its effects (futurepath.assumed.ground)


def fall(fight: Fight, mover: Combatant, feet: int) -> Steps[None]:
    """Fall `feet` feet and lie prone; the game master decides the damage (futurepath.assumed.ground)."""
    cites = fight.rules("futurepath.assumed.ground")
    what = f"falls {feet} ft.: what that does the game master says"
    yield RuleApplied(who=mover.id, what=what, cites=cites)
    if "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source="a fall", cites=cites)


# --- Going down prone, to sitting or to kneeling, and getting up again, in futurepath

#: The postures into which a combatant may go down voluntarily.
LOW = ("kneeling", "sitting", "prone")
#: The way of moving that does not need standing up first.
CRAWLING = "crawl"


def go_down(fight: Fight, combatant: Combatant, posture: str) -> Steps[None]:
    """Go down into a posture, also out of another one; a prone combatant gets up first.

    futurepath.action.drop-prone, futurepath.action.drop-prone.low-gravity,
    futurepath.condition.changed-by-actions
    """
    rule = fight.rule("futurepath.action.drop-prone")
    for held in ("prone", posture):
        if held in combatant.conditions:
            raise Refusal(f"{combatant.id} is {held} already", rule)
    what = "drop prone" if posture == "prone" else f"go down to {posture}"
    if fight.option("gravity") == "low":
        rule = fight.rule("futurepath.action.drop-prone.low-gravity")
        yield spending(fight, combatant, "standard", what, rule)
    else:
        yield from spend_free_action(fight, combatant, what, rule)
    changed = fight.rules(*by_new_rules(fight, "futurepath.condition.changed-by-actions"))
    for other in LOW:
        if other in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=other, why=posture, cites=(rule,))
    yield ConditionGained(who=combatant.id, condition=posture, source="by choice", cites=(rule, *changed))


def is_low(fight: Fight, act: acts.Stand) -> bool:
    """Return whether a combatant that would stand up kneels or sits; the prone have a separate rule."""
    held = fight.combatant(act.actor).conditions
    return "prone" not in held and any(one in held for one in LOW)


def refuse_to_walk(fight: Fight, mover: Combatant, act: AnyAct) -> None:
    """Refuse all movement except crawling from kneeling or sitting: stand up first.

    futurepath.table.actions.move; for the prone each way of moving has its own refusal.
    """
    if isinstance(act, acts.Move) and act.how == CRAWLING:
        return
    posture = next((one for one in LOW if one in mover.conditions), "")
    rule = in_force(fight, "futurepath.table.actions.move.legacy", {})
    raise Refusal(f"{mover.id} is {posture} and must stand up first", rule)


def rise(fight: Fight, act: acts.Stand) -> Steps[None]:
    """Stand up from sitting or kneeling: a move action that provokes, as from prone.

    futurepath.action.move.definition, futurepath.table.actions.move
    """
    actor = fight.combatant(act.actor)
    posture = next(one for one in LOW if one in actor.conditions)
    yield spending(fight, actor, "move", "stand up", fight.rule("futurepath.action.move.definition"))
    _, table = provokes_by_row(fight, TABLE, "stand up from prone, sitting, or kneeling")
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "stands up", f"stand:{fight.declaration}", table
    )
    if not is_down(fight, actor):
        changed = fight.rules(*by_new_rules(fight, "futurepath.condition.changed-by-actions"))
        yield ConditionLost(who=actor.id, condition=posture, why="stands up", cites=(table, *changed))


# --- Climbing, crawling and swimming: slow movement that provokes only by leaving a threatened range

HALF_SPEED = "futurepath.action.climb-crawl-swim.half-speed"
QUARTER, ACCELERATED = "futurepath.movement.climb-swim-quarter", "futurepath.action.climb.accelerated"
NO_CHECK = "futurepath.action.move.no-check"
CRAWL = "futurepath.movement.crawl"
TABLE = "futurepath.table.actions.move"
WAYS = ("climb", CRAWLING, "swim")


def move_slowly(fight: Fight, act: acts.Move) -> Steps[None]:
    """Climb, crawl or swim as a move action, at half speed.

    By the old reading (climb_swim_speed) climbing and swimming cover a quarter of the speed, accelerated
    climbing half of it, and crawling 5 feet. If the game master gives a DC, climbing and swimming take a
    skill check, and a failure makes no progress; otherwise there is no check. The table calls the action
    safe, not the movement: leaving a threatened range by it provokes as usual.

    futurepath.action.move.no-check, futurepath.action.climb-crawl-swim.half-speed,
    futurepath.movement.climb-swim-quarter, futurepath.movement.crawl, futurepath.action.climb.accelerated,
    futurepath.aoo.column-excludes-movement.
    """
    mover = fight.combatant(act.actor)
    refuse_after_step(fight, mover)
    topic, feet = pace(fight, mover, act)
    rule = fight.rule(topic)
    if act.how == CRAWLING and not any(one in mover.conditions for one in LOW):
        raise Refusal(f"{mover.id} is on its feet and cannot crawl: it must go down first", rule)
    if act.how != CRAWLING:
        refuse_prone(fight, mover)
    refuse_path(fight, mover, act.path, feet, rule)
    yield spending(fight, mover, "move", act.how, rule, *fight.rules(TABLE, NO_CHECK))
    for enemy in threatening(fight, mover):
        if is_down(fight, enemy):
            continue
        what = f"to {act.how} does not by itself provoke from {enemy.id}"
        yield RuleApplied(who=mover.id, what=what, cites=fight.rules(TABLE))
    if act.dc:
        skill = fight.rule(NO_CHECK)
        parts = skill_parts(fight, mover, act.how, "str", skill)
        if not (yield from check(fight, mover, act.how, parts, act.dc, skill)):
            return
    if act.how == "climb":
        yield ConditionGained(
            who=mover.id,
            condition="climbing",
            source="climb",
            until=Until("turn-start", mover.id, fight.state.round + 1),
            cites=fight.rules("futurepath.modifier.defender-climbing"),
        )
    yield from fight.dialect.movement.walk(fight, mover, act.path, act.how, rule)


def pace(fight: Fight, mover: Combatant, act: acts.Move) -> tuple[str, int]:
    """Return the rule of a slow way of moving, and its feet."""
    half = fight.option("climb_swim_speed") == "half"
    if act.how == CRAWLING and not half:
        return CRAWL, fight.figure(CRAWL, "feet")
    if act.fast and half:
        raise Refusal(f"{mover.id} can climb at half speed but no faster", fight.rule(HALF_SPEED))
    topic, name = QUARTER, "speed_fraction"  # or the rule in force instead
    if act.fast:
        topic, name = ACCELERATED, "accelerated_fraction"
    return topic, speed(fight, mover) * int(fight.figure(topic, name) * 100) // 100


# --- Ships in space, some of which also move up and down (futurepath.movement.vertical-ships)

TOPIC: Final = "futurepath.movement.vertical-ships"
SPACE: Final = "space"
FLYING: Final = "flying"


def steer(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move a ship through space, up and down too: its flying speed counts across and in height alike.

    The text leaves everything else about movement in space to another one
    (futurepath.movement.vertical-ships).
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    if not has_trait(mover, "spacecraft") or not mover.sheet.fly:
        raise Refusal(f"{mover.id} is not a ship that can move up and down", rule)
    height = height_of(mover) + act.up
    if abs(act.up) > mover.sheet.fly or act.up % SQUARE_FT or height < 0:
        most = mover.sheet.fly
        way = f"in steps of {SQUARE_FT} ft., {most} ft. at most, and not below 0 ft."
        raise Refusal(f"{mover.id} can move up or down {way}: it cannot move {act.up} ft. up", rule)
    if act.path:
        refuse_path(fight, mover, act.path, mover.sheet.fly, rule)
    elif not act.up:
        raise Refusal("the path is empty", rule)
    yield spending(fight, mover, "move", "move in space", rule)
    if act.path and not (yield from fight.dialect.movement.walk(fight, mover, act.path, SPACE, rule)):
        return
    if height:
        yield ConditionGained(
            who=mover.id, condition=FLYING, source="in space", level=height, aloft=True, cites=(rule,)
        )
    elif FLYING in mover.conditions:
        yield ConditionLost(who=mover.id, condition=FLYING, why="at the level of the others", cites=(rule,))


# --- How far a combatant moves in Futurepath: its speed, what slows it, and a second move action

#: The way of moving that takes both actions for one path.
DOUBLE: Final = "double"
#: The way of moving into a vehicle.
VEHICLE: Final = "enter-vehicle"
LIMITS: Final = "futurepath.movement.in-combat-limits"
SPEED: Final = "futurepath.stat.speed"
DOUBLED: Final = "futurepath.movement.double-move"
BASE: Final = "futurepath.movement.base-speed"
BLIND_FIGHT: Final = "futurepath.movement.blind-fight"
ENCUMBERED: Final = "futurepath.movement.encumbrance"
REST: Final = "futurepath.action.run.rest"
THIRDS: Final = "futurepath.assumed.encumbrance"


def encumbered(fight: Fight, mover: Combatant, feet: int) -> int:
    """Return the speed under a great load or a carried comrade: two thirds, rounded up to a square.

    futurepath.movement.encumbrance, futurepath.assumed.encumbrance
    """
    parts, whole = int(fight.figure(THIRDS, "numerator")), int(fight.figure(THIRDS, "denominator"))
    return -(-feet * parts // (whole * SQUARE_FT)) * SQUARE_FT


def limit_of_combat(fight: Fight, mover: Combatant, rule: str) -> str:
    """Return the rule by which a path is too long: for a move, the rule on movement in combat.

    futurepath.movement.in-combat-limits
    """
    plain = fight.rules("futurepath.action.move.definition", DOUBLED)
    return fight.rule(LIMITS) if rule in plain else rule


def explain_speed(fight: Fight, mover: Combatant) -> RuleApplied | None:
    """Return the source of a combatant's speed, None if it is the base speed of its kind.

    futurepath.movement.base-speed, futurepath.stat.speed, futurepath.movement.darkness,
    futurepath.movement.blind-fight, futurepath.movement.encumbrance, futurepath.assumed.blind-fight
    """
    told, topics = [], []
    sheet = mover.sheet
    base = base_speed_of_humans(fight) if sheet.race == "human" else sheet.base_speed
    if base is not None and base != sheet.speed:
        once = sheet.speed * fight.figure(LIMITS, "move_action")
        told.append(f"{once} ft. a move action, base speed {base} ft.")
        topics += [BASE, LIMITS]
    if "encumbered" in mover.conditions:
        told.append("slower: encumbered")
        topics += [ENCUMBERED, THIRDS]
    for name, change, denied in condition_changes(fight, mover, "speed"):
        if denied:
            continue
        told.append(f"slower: {name}")
        topics.append(change.topic)
        if change.eased and has_feat(mover, change.eased[0]):
            topics += [BLIND_FIGHT, change.eased[1]]
    return RuleApplied(who=mover.id, what="; ".join(told), cites=fight.rules(*topics)) if told else None


def base_speed_of_humans(fight: Fight) -> int:
    """Return the speed of humans without armor (futurepath.stat.speed, futurepath.movement.base-speed)."""
    found: list[int] = [fight.figure(SPEED, "human_speed_ft"), fight.figure(BASE, "human_base_speed_ft")]
    return max(found)


def move_by_speed(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move on foot, and report the source of the speed; a second move action replaces the attack.

    futurepath.stat.speed, futurepath.movement.double-move, futurepath.movement.in-combat-limits
    """
    mover = fight.combatant(act.actor)
    again = mover.spent.get("move") and fight.readied != mover.id
    cites = fight.rules(SPEED, *((DOUBLED, LIMITS) if again else ()))
    yield from report_speed_after(fight, act.actor, moving, *cites)
    if again:
        feet = speed(fight, mover) * fight.figure(LIMITS, "double_move")
        what = f"a second move action: up to {feet} ft. in all"
        yield RuleApplied(who=mover.id, what=what, cites=cites[1:])


def refuse_to_run(fight: Fight, act: acts.Run) -> None:
    """Refuse to run to a mover that rests from running to its limit (futurepath.action.run.rest)."""
    mover = fight.combatant(act.actor)
    if WINDED in mover.conditions:
        raise Refusal(f"{mover.id} must rest from running", fight.rule(REST))


def cite_rest(fight: Fight, act: acts.Run, running: Steps[None]) -> Steps[None]:
    """Run; a mover that is winded afterwards must rest by the rule (futurepath.action.run.rest)."""

    def cited(step: object) -> object:
        if type(step) is ConditionGained and step.condition == WINDED:
            return replace(step, cites=(*step.cites, fight.rule(REST)))
        return step

    return altered(running, cited)


def enter_vehicle(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Get into a vehicle: a move action whose only step leads into it (futurepath.movement.enter-vehicle)."""
    rule = fight.rule("futurepath.movement.enter-vehicle")
    if len(act.path) != 1:
        raise Refusal(f"one step leads into a vehicle, not {len(act.path)}", rule)
    yield from reciting(moving, ActionSpent, rule)
    mover = fight.combatant(act.actor)
    if mover.at == act.path[-1]:
        yield RuleApplied(who=mover.id, what="gets into the vehicle", cites=(rule,))


# --- Tumbling through opponents' squares and past them, by the old rules (futurepath.assumed.tumble)

#: The name of tumbling in a declared move.
TUMBLE: Final = "tumble"
THROUGH: Final = "futurepath.movement.pass-through-enemy"
#: By the new rules only this and the tactical retreat keep movement from provoking.
AVOIDED: Final = "futurepath.aoo.avoid-by-5-foot-step"


def tumble_by_old_rules(fight: Fight, act: acts.Move) -> Steps[None]:
    """Tumble by the skill of that name, as the old rules allow with ranks in it.

    futurepath.movement.pass-through-enemy, futurepath.assumed.tumble
    """
    return skills.tumble(fight, act, TUMBLING)


def refuse_to_tumble(fight: Fight, mover: Combatant, act: acts.Move) -> None:
    """Refuse tumbling without ranks, while encumbered, and always by the new rules.

    futurepath.movement.through-enemy-blocked, futurepath.aoo.avoid-by-5-foot-step
    """
    rule = in_force(fight, THROUGH, {})
    if rule != THROUGH and opponents_in_way(fight, mover, act.path):
        raise Refusal(f"{mover.id} cannot tumble through the square of an enemy", rule)
    if rule != THROUGH:
        reason = "movement provokes unless it is a tactical retreat or a 5-foot step: tumbling does not help"
        raise Refusal(reason, fight.rule(AVOIDED))
    if not mover.sheet.ranks.get(TUMBLE) and TUMBLE not in mover.sheet.skills:
        raise Refusal(f"{mover.id} has no ranks in Tumble", rule)
    if "encumbered" in mover.conditions:
        raise Refusal(f"{mover.id} is encumbered and cannot tumble", fight.rule("futurepath.assumed.tumble"))


#: Tumbling needs ranks in the skill (futurepath.movement.pass-through-enemy).
TUMBLING: Final = Tumbling(refuse_to_tumble, gets_past_by_skill)


# --- The cost of a path in Futurepath, and the rules of the squares that it leads through

SCALE: Final = "futurepath.grid.scale"
#: The feet of a square, by edition; the old one prints it twice.
FEET: Final = {
    SCALE: ((SCALE, "inch_ft"), ("futurepath.grid.standard-scale", "square_ft")),
    "futurepath.grid.squares": (("futurepath.grid.squares", "square_ft"),),
}
ALLY: Final = "futurepath.movement.pass-through-ally"
UNRESISTING: Final = "futurepath.movement.pass-through-unresisting"


def measure_way(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return the cost of moving along squares, the first being the mover's square.

    futurepath.grid.squares, futurepath.grid.scale, futurepath.movement.eight-directions
    """
    cost = path_cost(fight.field, whole, side=mover.space, parity=mover.spent.get("diagonals", 0) % 2)
    scale = in_force(fight, SCALE, {})
    slanted = ("futurepath.movement.eight-directions",) if cost.diagonals else ()
    topics = dict.fromkeys((scale, *slanted, *rules_of_passing(fight, mover, whole[1:])))
    feet: list[int] = [fight.book.figure(*place) for place in FEET[scale]]
    return Measure(cost.squares * max(feet), cost.diagonals, fight.rules(*topics))


def rules_of_passing(fight: Fight, mover: Combatant, squares: Sequence[Square]) -> Iterator[str]:
    """Yield the rules by which a mover may enter occupied squares.

    futurepath.movement.pass-through-ally, futurepath.movement.through-enemy-blocked,
    futurepath.movement.pass-through-unresisting, futurepath.movement.three-size-difference
    """
    for square in squares:
        for other in occupants(fight, mover, square):
            if stands_open(other):
                yield "futurepath.action.manipulate-objects"
            elif other.side == mover.side:
                yield ALLY
            elif is_helpless(fight, other) or lets_pass(fight, mover, other):
                yield UNRESISTING
            elif sizes_apart(fight, mover, other):
                yield "futurepath.movement.three-size-difference"


def lets_pass(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Return whether an opponent that does not resist may be passed like a friend, by the old rules alone.

    futurepath.movement.pass-through-unresisting
    """
    return "unresisting" in other.conditions and in_force(fight, UNRESISTING, {}) == UNRESISTING


def is_open_door(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Return whether the creature in the way is an open door."""
    return stands_open(other)


def is_no_closed_door(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Return whether the creature in the way is anything but a closed door, of any size.

    futurepath.assumed.ground
    """
    return not is_closed(fight, other)


def refuse_running_through(fight: Fight, mover: Combatant, path: Sequence[Square]) -> None:
    """Refuse to sprint through a friend's square; the old rules allow running through it.

    futurepath.movement.through-ally-no-sprint
    """
    rule = in_force(fight, ALLY, {"movement": "sprint"})
    if rule == ALLY:
        return
    for square in path:
        for friend in occupants(fight, mover, square):
            if friend.side == mover.side and not stands_open(friend):
                raise Refusal(f"sprinting through {friend.id}'s square is not possible", rule)


# --- Moving in Futurepath: leaving threat ranges, the 5-foot step, retreat, sprint, charge


def is_each_square_left_provoking(
    fight: Fight, mover: Combatant, here: Square, there: Square, how: str
) -> bool:
    """Return whether leaving each threatened square provokes: by the old rules alone."""
    return old_only(fight)


def leaving(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> list[Combatant]:
    """Return the enemies whose melee threat range the mover leaves with this step.

    Moving from a threatened square to another stays within the range
    (futurepath.aoo.leaving-or-passing-threat-range, .trigger-on-exit).
    """
    return [
        enemy
        for enemy in fight.enemies(mover)
        if threatens(fight, enemy, mover, here) and not threatens(fight, enemy, mover, there)
    ]


def five_foot_step(fight: Fight, act: acts.Step) -> Steps[None]:
    """Take a 5-foot step: a limited free action, not together with a move action, that ends the turn.

    By the old rules alone it is not an action, does not end the turn and needs a round without other movement
    (futurepath.action.5-foot-step.*).
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "step")
    old = old_only(fight)
    rule = fight.rule("futurepath.action.5-foot-step.legacy" if old else "futurepath.action.5-foot-step.once")
    refuse_step_after_charge(fight, mover)
    # Both editions allow one; the new one prints it as a figure.
    if mover.spent.get("step", 0) >= fight.figure("futurepath.action.5-foot-step.once", "max_per_turn"):
        raise Refusal(f"{mover.id} has taken a 5-foot step this turn", rule)
    if not old and mover.spent.get("move"):
        raise Refusal(
            f"{mover.id} has taken a move action this turn",
            fight.rule("futurepath.action.5-foot-step.not-with-move"),
        )
    beside = rules_beside_full_round(fight, mover)
    if mover.spent.get("feet"):
        reason = f"{mover.id} has moved {mover.spent['feet']} ft. this turn"
        raise Refusal(reason, beside[0] if beside else rule)
    refuse_prone(fight, mover)
    if not old:
        price_of_free_action(fight, mover)
    refuse_path(fight, mover, (act.to,), SQUARE_FT, rule)
    if not old:
        yield from spend_free_action(
            fight, mover, "5-foot step", fight.rule("futurepath.action.5-foot-step.counts-with-free")
        )
    yield ActionSpent(who=mover.id, kind="step", what="5-foot step", cites=(rule, *beside))
    table = in_force(fight, "futurepath.table.actions.no-action.legacy", {"row": "5-foot step"})
    for enemy in walking.leaving(fight, mover, mover.at, act.to, "step"):
        if dict(fight.figure(table))["5-foot step"] != "no":
            continue
        yield RuleApplied(
            who=mover.id,
            what=f"a 5-foot step does not provoke from {enemy.id}",
            cites=(*fight.rules("futurepath.aoo.avoid-by-5-foot-step"), table),
        )
    yield from fight.dialect.movement.walk(fight, mover, (act.to,), "step", rule)
    if not old and fight.readied != mover.id and fight.state.active == mover.id:
        yield RuleApplied(
            who=mover.id,
            what="the 5-foot step ends the turn",
            cites=fight.rules("futurepath.action.5-foot-step.ends-turn"),
        )
        yield from fight.dialect.turns.close_turn(fight, mover)
        yield from advance(fight, mover.id)


def refuse_step_after_charge(fight: Fight, mover: Combatant) -> None:
    """Refuse a 5-foot step in the round of a full charge (futurepath.action.charge.no-5-foot-step)."""
    if "charging" in mover.conditions and mover.spent.get("full-round"):
        rule = fight.rule("futurepath.action.charge.no-5-foot-step")
        raise Refusal(f"{mover.id} has charged this round and cannot take a 5-foot step", rule)


def rules_beside_full_round(fight: Fight, mover: Combatant) -> tuple[str, ...]:
    """Return the rules that allow a 5-foot step with this turn's full-round action, if there was one.

    futurepath.action.full-round.5-foot-step, futurepath.action.full-attack.5-foot-step
    """
    if not mover.spent.get("full-round"):
        return ()
    attacks = ("futurepath.action.full-attack.5-foot-step",) if is_open(mover) else ()
    return fight.rules("futurepath.action.full-round.5-foot-step", *attacks)


def retreat(fight: Fight, act: acts.Withdraw) -> Steps[None]:
    """Retreat as a full-round action, up to twice the speed.

    Tactical retreat: enemies engaged in melee get no attack of opportunity, all others do. The old
    withdrawal: the first square left counts as unthreatened. Ways of moving that take a check are refused
    (futurepath.action.tactical-retreat, futurepath.action.withdraw.*, futurepath.aoo.exception-withdraw).
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "full-round")
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    old = old_only(fight)
    rule = fight.rule("futurepath.action.withdraw.distance")
    pace = speed(fight, mover) if act.how == "normal" else surely(fight, mover, act.how)
    feet = pace * fight.figure("futurepath.action.withdraw.distance", "multiple")
    refuse_path(fight, mover, act.path, feet, rule)
    safe = fight.rules("futurepath.action.withdraw.start-square", "futurepath.aoo.exception-withdraw")
    name = "withdraw" if old else "tactical retreat"
    yield ActionSpent(who=mover.id, kind="full-round", what=name, cites=(safe[0], rule))
    engaged = {enemy.id for enemy in fight.enemies(mover) if side_by_side(fight, enemy, mover)}
    start = mover.at
    for enemy in fight.enemies(mover):
        spared = threatens(fight, enemy, mover, start) if old else enemy.id in engaged
        if spared and endangers(fight, enemy, mover, start):
            what = f"the {name} does not provoke from {enemy.id}"
            yield RuleApplied(who=mover.id, what=what, cites=safe)
    yield from fight.dialect.movement.walk(
        fight,
        mover,
        act.path,
        "withdraw",
        rule,
        spare=lambda number, enemy: number == 0 if old else enemy.id in engaged,
    )


def sprint(fight: Fight, act: acts.Run) -> Steps[None]:
    """Sprint in a straight line at four times the speed: it provokes, and Dexterity is lost during it.

    It may not pass a friend's square; by the old rules it is a run, which may (futurepath.action.sprint,
    futurepath.action.run.*, futurepath.movement.run-summary).
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "full-round")
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    rule = fight.rule("futurepath.action.run.distance")
    refuse_path(fight, mover, act.path, speed(fight, mover) * times_speed(fight), rule)
    refuse_crooked(mover, act.path, rule)
    refuse_running_through(fight, mover, act.path)
    what = "run" if old_only(fight) else "sprint"
    cites = fight.rules("futurepath.movement.run-summary", LIMITS)
    yield ActionSpent(who=mover.id, kind="full-round", what=what, cites=(rule, *cites))
    table = fight.rule("futurepath.table.actions.full-round")
    yield from fight.dialect.opportunity.provoke(
        fight, mover, threatening(fight, mover), f"{what}s", f"{what}:{fight.declaration}", table
    )
    if is_down(fight, mover):
        return
    yield fight.dialect.movement.running(fight, mover)
    yield from fight.dialect.movement.walk(fight, mover, act.path, "run", rule)


def surely(fight: Fight, mover: Combatant, how: str) -> int:
    """Return the speed of climbing or swimming without a check, for a mover with a speed for it.

    Refuse others.

    futurepath.action.withdraw.no-skill-check-movement
    """
    feet = mover.sheet.climb if how == "climb" else mover.sheet.swim
    if not feet:
        rule = fight.rule("futurepath.action.withdraw.no-skill-check-movement")
        raise Refusal(f"{mover.id} cannot {how} without a check, which a withdrawal does not allow", rule)
    return feet


def times_speed(fight: Fight) -> int:
    """Return the multiple of its speed that a combatant runs, on which several rules agree.

    futurepath.action.run.distance, futurepath.movement.run-summary, futurepath.movement.in-combat-limits
    """
    found: list[int] = [
        fight.figure("futurepath.action.run.distance", "multiple"),
        fight.book.figure("futurepath.movement.run-summary", "multiple"),
        fight.figure(LIMITS, "run"),
    ]
    return max(found)
