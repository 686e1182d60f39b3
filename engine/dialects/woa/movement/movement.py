"""Implement movement: moves, defensive disengagement, short steps, running, charging.

woa.move.*, woa.short-step.*
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.woa.conditions.conditions import SLOWING
from affray.engine.dialects.woa.environment import environment
from affray.engine.dialects.woa.grapple.grab_modifiers import speed_under_holds
from affray.engine.dialects.woa.movement import speed
from affray.engine.dialects.woa.movement.speed import aloft, is_slowed
from affray.engine.dialects.woa.senses.concealment import HANDLING, TOTAL, sight_of_ground, unseen
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.dialects.woa.turns import declared_actions
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.kernel.actions import check_turn
from affray.engine.record.blow import Harm
from affray.engine.rules.attacks.charge import has_walls_on_line, line_squares, refuse_swerving
from affray.engine.rules.classes.abilities import score_now
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.classes.sheets import INCORPOREAL, is_a
from affray.engine.rules.movement.movement import (
    crossed_by,
    known_occupants,
    knows_of,
    refuse_crooked,
    refuse_path,
)
from affray.engine.rules.position.places import occupants, sees
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Roll, Steps, onward
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Barrier, Modifier, Weapon
from affray.projections.state import Combatant

# --- Flight that ends the fight: settled at once, or a chase (woa.movement.evasion-pursuit)

#: A fight that ends because one side flees.
FLIGHT = "act.reason in ('flight', 'pursuit')"


def settle_flight(fight: Fight, act: acts.Close, closing: Steps[None]) -> Steps[None]:
    """End the encounter; for a flight, ask the game master first how it continues.

    A flight not settled in a round becomes a chase, which has its own rules (woa.movement.evasion-pursuit).
    """
    first = next(closing)
    rule = fight.rule("woa.movement.evasion-pursuit")
    question = "can one round settle the pursuit, or does a chase begin?"
    answer = yield Choice("", "pursuit", question, ("a chase", "intercepted", "escaped"), rule)
    yield RuleApplied(who="", what=f"pursuit: {answer}", cites=(rule,))
    yield from onward(closing, first)


# --- Ruling out running, charging and tumbling in the air and in water (woa.fly.buoyant.no-run-charge)


def refuse_rush(fight: Fight, mover: Combatant, act: acts.Act) -> None:
    """Refuse running and charging for buoyant flyers, and charging in a mode of movement without a listed
    speed.

    woa.fly.buoyant.no-run-charge, woa.charge.natural-modes-only
    """
    if speed.is_flying(mover) and speed.kind_of_flight(mover) == speed.BUOYANT:
        reason = f"{mover.id} floats in the air and cannot run or charge"
        raise Refusal(reason, fight.rule("woa.fly.buoyant.no-run-charge"))
    if not isinstance(act, acts.Run) and environment.SWIMMING in mover.conditions:
        reason = f"{mover.id} swims without a swim speed and cannot charge"
        raise Refusal(reason, fight.rule("woa.charge.natural-modes-only"))


def refuse_out_of_sight(fight: Fight, mover: Combatant, target: Combatant) -> None:
    """Refuse to charge at a target behind total cover, or in total concealment (woa.charge.line-of-sight)."""
    if not sees(fight, mover, target) or unseen(fight, mover, target):
        reason = f"{mover.id} does not see {target.id} and cannot charge it"
        raise Refusal(reason, fight.rule("woa.charge.line-of-sight"))


def refuse_tumbling(fight: Fight, mover: Combatant, act: acts.Move) -> None:
    """Refuse Acrobatics in the air to combatants that fly by a spell and are not Born Flyers.

    woa.fly.buoyant.born-flyer
    """
    if act.how == "tumble" and speed.is_flying(mover) and not speed.is_at_ease_aloft(mover):
        reason = f"{mover.id} is not a Born Flyer and cannot use Acrobatics in the air"
        raise Refusal(reason, fight.rule("woa.fly.buoyant.born-flyer"))


# --- The ground under a mover: difficult terrain, perilous surfaces, obstacles (woa.terrain.*)
# The map's rough ground is difficult terrain, its low walls and barriers are hampering obstacles;
# `Encounter.ground` names what covers parts of the map: perilous surfaces by the names of their table, or
# examples of difficult terrain.

ROUGH, LOW, WALL = "~", "=", "#"
#: The example of difficult terrain in which a combatant wades.
POOL: Final = "pool of water"
#: Ways of crossing obstacles and passing through combatants by skill: at full speed, or over the top.
FAST, OVER = "fast", "vault"


def is_spared(mover: Combatant) -> bool:
    """Return whether a mover is not slowed by difficult terrain (woa.terrain.difficult.exempt)."""
    return aloft(mover) or is_a(mover, INCORPOREAL) or is_a(mover, "gaseous")


def avoids_obstacles(mover: Combatant) -> bool:
    """Return whether a mover avoids most obstacles (woa.terrain.obstacle.flying-incorporeal)."""
    return aloft(mover) or is_a(mover, INCORPOREAL)


def squares_of_space(at: Square, side: int) -> Iterator[Square]:
    """Yield the squares of a space."""
    yield from ((at[0] + dx, at[1] + dy) for dy in range(side) for dx in range(side))


def coverings_of_space(fight: Fight, at: Square, side: int) -> list[str]:
    """Return the names of the surfaces that cover a space."""
    if not fight.state.ground:
        return []
    found = []
    for area in fight.state.ground:
        left, right = sorted((area.here[0], area.there[0]))
        top, bottom = sorted((area.here[1], area.there[1]))
        if at[0] <= right and left < at[0] + side and at[1] <= bottom and top < at[1] + side:
            found.append(area.what)
    return found


def surfaces(fight: Fight, at: Square, side: int) -> list[str]:
    """Return the perilous surfaces under a space (woa.terrain.perilous.definition)."""
    named = coverings_of_space(fight, at, side)
    if not named:
        return []
    known = {row["surface"] for row in fight.figure("woa.terrain.perilous.check") if "surface" in row}
    return [name for name in named if name in known]


def difficulties(fight: Fight, mover: Combatant, at: Square) -> list[str]:
    """Return the kinds of difficult terrain that a mover meets at a square, each once.

    Who wades without a swim speed is in a pool of water (woa.terrain.difficult.examples).
    """
    rough = any(fight.field.at(one) == ROUGH for one in squares_of_space(at, mover.space))
    found = ["difficult terrain"] if rough else []
    wades = (
        environment.depth_of(mover) == environment.CHEST and not speed.listed_speed(fight, mover, "swim").feet
    )
    if wades or fight.state.ground:
        known = fight.figure("woa.terrain.difficult.examples")
        names = [POOL] if wades else []
        names += coverings_of_space(fight, at, mover.space)
        found += [name for name in dict.fromkeys(names) if name in known]
    return found


def is_rough(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether difficult terrain at a square hampers a mover."""
    return not is_spared(mover) and bool(difficulties(fight, mover, at))


def is_barred(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether a square bars a mover: only walls bar flyers, nothing bars the incorporeal.

    woa.terrain.obstacle.blocking, woa.terrain.obstacle.flying-incorporeal
    """
    if is_a(mover, INCORPOREAL):
        return False
    return fight.field.at(at) == WALL if aloft(mover) else not fight.field.passable(at)


def is_obstacle(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether a hampering obstacle at a square is in a mover's way."""
    return not avoids_obstacles(mover) and any(
        fight.field.at(one) == LOW for one in squares_of_space(at, mover.space)
    )


def barriers_in_way(fight: Fight, mover: Combatant, here: Square, there: Square) -> list[Barrier]:
    """Return the hampering obstacles between squares that a step crosses; none for movers that avoid them."""
    if not fight.state.barriers or avoids_obstacles(mover):
        return []
    return crossed_by(fight, mover, here, there)


def is_fenced(fight: Fight, mover: Combatant, whole: Sequence[Square]) -> bool:
    """Return whether a path, which begins with the mover's square, crosses a hampering obstacle between
    squares.
    """
    return any(barriers_in_way(fight, mover, here, there) for here, there in pairwise(whole))


def hampers(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether the ground at a square hampers a mover in any way."""
    return is_rough(fight, mover, at) or is_obstacle(fight, mover, at)


def rules_of_ground(fight: Fight, mover: Combatant, whole: Sequence[Square]) -> tuple[str, ...]:
    """Return the rules of the ground that affect the cost of a path."""
    topics, path = [], whole[1:]
    kinds = [difficulties(fight, mover, at) for at in path]
    if any(kinds):
        if is_spared(mover):
            topics.append("woa.terrain.difficult.exempt")
        else:
            topics += ["woa.terrain.default", "woa.terrain.difficult.half-speed"]
            if any(len(one) > 1 for one in kinds) or is_slowed(fight, mover):
                topics.append("woa.terrain.difficult.multiply")
            if any(name != "difficult terrain" for one in kinds for name in one):
                topics.append("woa.terrain.difficult.examples")
    barred = [at for at in path if not fight.field.passable(at, mover.space)]
    low = any(fight.field.at(one) == LOW for at in path for one in squares_of_space(at, mover.space))
    low = low or any(crossed_by(fight, mover, here, there) for here, there in pairwise(whole))
    if avoids_obstacles(mover) and (barred or low):
        topics.append("woa.terrain.obstacle.flying-incorporeal")
    elif low:
        topics += ["woa.terrain.default", "woa.terrain.obstacle.hampering"]
    return fight.rules(*topics)


def refuse_rough(fight: Fight, mover: Combatant, path: Sequence[Square], what: str, topic: str) -> None:
    """Refuse to rush or step (`what`) over hampering ground."""
    for at in path:
        if is_rough(fight, mover, at) or (what == "step" and is_obstacle(fight, mover, at)):
            where = f"the ground at {at[0]},{at[1]}"
            raise Refusal(f"{where} is too difficult to {what}", fight.rule(topic))
    if what == "step" and is_fenced(fight, mover, (mover.at, *path)):
        reason = f"an obstacle before {path[-1][0]},{path[-1][1]} is in the way of a short step"
        raise Refusal(reason, fight.rule(topic))


def perilous_underfoot(fight: Fight, mover: Combatant, at: Square) -> list[str]:
    """Return the perilous surfaces on which a mover must keep its footing at a square; none if it
    is aloft.
    """
    return [] if not fight.state.ground or avoids_obstacles(mover) else surfaces(fight, at, mover.space)


#: Ways of moving through opponents: by Acrobatics, slowly or at full speed, or with their permission.
TUMBLE, TUMBLE_FAST, LEAVE = "tumble", "tumble-fast", "leave"


def get_paralyzed_bodies_on_path(
    fight: Fight, mover: Combatant, path: Sequence[Square]
) -> tuple[int, tuple[str, ...]]:
    """Return how many squares of a path lead over paralyzed creatures, and the rule if there are any.

    They are crossed like lifeless obstacles, at half speed (woa.condition.paralyzed.obstacle).
    """
    bodies = [one for one in fight.state.combatants.values() if "paralyzed" in one.conditions]
    if not bodies:
        return 0, ()
    count = sum(any(one in bodies for one in known_occupants(fight, mover, at)) for at in path)
    return count, fight.rules("woa.condition.paralyzed.obstacle") if count else ()


def speed_with_burdens(fight: Fight, mover: Combatant) -> int:
    """Return the speed on the ground in feet, reduced by holding, being held and carrying creatures."""
    feet = speed.speed(fight, mover)
    return speed_under_holds(fight, mover, feet) if mover.conditions else feet


def listed_speed_here(mover: Combatant) -> int:
    """Return the listed speed of the mover's mode of movement: on the ground, in the air or in deep water."""
    own = speed.own_speed(mover)
    return mover.sheet.speed if own is None else own


def refuse_lying(fight: Fight, mover: Combatant) -> None:
    """Refuse to walk while prone."""
    if "prone" in mover.conditions:
        raise Refusal(f"{mover.id} is prone and must get up first", fight.rule("woa.posture.stand-cost"))


def refuse_after_step(fight: Fight, mover: Combatant) -> None:
    """Refuse any other movement in a round with a short step (woa.short-step.conditions)."""
    if mover.spent.get("step"):
        raise Refusal(
            f"{mover.id} has taken a short step this round", fight.rule("woa.short-step.conditions")
        )


#: Names of plain moves, and those made faster and harder by `fast`.
PLAIN = {
    "normal": "normal",
    "tumble": TUMBLE,
    "leave": LEAVE,
    "vault": OVER,
}
HASTY = {"normal": FAST, "tumble": TUMBLE_FAST}


class Rising(Struct, frozen=True):
    """Getting up as part of a movement: the feet that it costs, and its steps (woa.posture.stand-*)."""

    feet: int = 0
    steps: Steps[bool] | None = None


NOT_RISING = Rising()


def rise_to_move(fight: Fight, mover: Combatant, rising: Rising) -> Steps[bool]:
    """Get up as part of a movement; return whether the mover then stands or crouches and goes on."""
    return True if rising.steps is None else (yield from rising.steps)


def move_up_to_speed(fight: Fight, act: acts.Move, rising: Rising = NOT_RISING) -> Steps[None]:
    """Move up to the mover's speed as a move action, or half of it to disengage defensively.

    woa.move.action

    "tumble" leads through opponents by Acrobatics, "leave" with their permission, "vault" over obstacles by
    Athletics; `fast` passes obstacles and opponents at full speed, which is harder.
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "move")
    refuse_after_step(fight, mover)
    if not rising.feet:
        refuse_lying(fight, mover)
    rule = fight.rule("woa.move.action")
    feet = speed_with_burdens(fight, mover) * fight.figure("woa.speed.distance-multipliers", "move_action")
    if act.how == "defensive":
        topic = "aoo.avoid.defensive-disengage"  # woa.aoo.avoid.defensive-disengage
        slowed = any(name in SLOWING for name in mover.conditions) or speed.is_slowed(fight, mover)
        hindered = any(hampers(fight, mover, square) for square in act.path)
        if slowed or hindered or is_fenced(fight, mover, (mover.at, *act.path)):
            why = "is slowed" if slowed else "would cross difficult terrain or an obstacle"
            raise Refusal(
                f"{mover.id} {why} and cannot disengage defensively",
                fight.rule("woa.aoo.avoid.defensive-disengage-limits"),
            )
        feet = feet * int(fight.figure(topic, "speed_multiplier") * 100) // 100
        rule, how = fight.rule(topic), act.how
    elif act.how in PLAIN and not (act.fast and act.how not in HASTY):
        how = HASTY[act.how] if act.fast else PLAIN[act.how]
    else:
        reason = (
            f"{mover.id} cannot move fast with how {act.how!r}, only with {' or '.join(map(repr, HASTY))}"
        )
        raise Refusal(reason, rule)
    if act.fast and any(is_rough(fight, mover, square) for square in act.path):
        topic = "woa.terrain.difficult.no-run-charge"
        raise Refusal("no skill makes difficult terrain any faster", fight.rule(topic))
    over, more = get_paralyzed_bodies_on_path(fight, mover, act.path)
    refuse_path(fight, mover, act.path, feet - over * SQUARE_FT - rising.feet, rule, how=how)
    cites = fight.rules("woa.move.general", "woa.speed.distance-multipliers")
    again = ("woa.move.double-move",) if mover.spent.get("move") else ()
    yield spending(fight, mover, "move", "move", rule, *cites, *fight.rules(*again))
    if told := speed.speed_told(fight, mover):
        yield told
    if (yield from rise_to_move(fight, mover, rising)):
        yield from fight.dialect.movement.walk(fight, mover, act.path, how, rule, *more)


def short_step(fight: Fight, act: acts.Step) -> Steps[None]:
    """Take a short step of the mover's natural reach, in a round without other movement (woa.short-step.*).

    It may not enter difficult ground, and slow creatures cannot take one. The option `standing_up_and_step`
    decides whether getting up counts as movement.
    """
    mover = fight.combatant(act.actor)
    check_turn(fight, mover)
    rule = fight.rule("woa.short-step.conditions")
    if mover.spent.get("step", 0) >= fight.figure("woa.short-step.conditions", "max_per_round"):
        raise Refusal(f"{mover.id} has taken a short step this round", rule)
    refuse_lying(fight, mover)
    if mover.spent.get("feet") and not mover.spent.get("step"):
        moved = fight.rule("woa.move.no-short-step") if mover.spent.get("move") else rule
        raise Refusal(f"{mover.id} has moved {mover.spent['feet']} ft. this round", moved)
    if mover.spent.get("stood") and fight.option("standing_up_and_step") == "forbids-step":
        raise Refusal(f"{mover.id} has got up this round", fight.rule("woa.posture.stand-as-movement"))
    if mover.spent.get("rush"):
        raise Refusal(
            f"{mover.id} has run or charged this round and cannot take a short step",
            fight.rule("woa.action-type.full-round-no-step"),
        )
    feet = max(mover.reach, SQUARE_FT)
    if speed_with_burdens(fight, mover) < feet:
        raise Refusal(f"{mover.id} is too slow for a short step", fight.rule("woa.short-step.slow-creatures"))
    path = straight_way(mover.at, act.to)
    if not path:
        raise Refusal("a short step goes along one straight line", fight.rule("woa.short-step.distance"))
    refuse_rough(fight, mover, path, "step", "woa.short-step.blocked-by-hampered")
    refuse_path(fight, mover, path, feet, fight.rule("woa.short-step.distance"), how="step")
    topics = ["short-step.conditions", "woa.short-step.distance", *topics_of_short_step(mover)]
    topics += ["woa.size.short-step"] if mover.sheet.size != "medium" else []
    topics += ["woa.short-step.timing"] if mover.spent.get("standard") or mover.spent.get("move") else []
    if mover.spent.get("full-round"):
        topics += [
            "woa.short-step.timing",
            "woa.move.short-step-with-full-actions",
            "woa.move.and-attack-options",
        ]
    yield ActionSpent(who=mover.id, kind="step", what="short step", cites=fight.rules(*topics))
    yield from fight.dialect.movement.walk(fight, mover, path, "step", rule)


def topics_of_short_step(mover: Combatant) -> tuple[str, ...]:
    """Return the topic that allows a short step with the other actions of the round."""
    if mover.spent.get("full-round"):
        return ("woa.action-type.full-round-allowances",)
    return ("woa.action-type.short-step-allowance",)


def straight_way(start: Square, end: Square) -> tuple[Square, ...]:
    """Return the squares of a straight path without the first; none if there is no straight one."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    count = max(abs(dx), abs(dy))
    if not count or any(abs(part) not in (0, count) for part in (dx, dy)):
        return ()
    return tuple((start[0] + dx // count * n, start[1] + dy // count * n) for n in range(1, count + 1))


def running(fight: Fight, mover: Combatant) -> ConditionGained:
    """Return the condition that gives the penalties for running until the end of the round.

    woa.run.penalties
    """
    until = Until("round-end", "", fight.state.round)
    rule = fight.rule("woa.run.penalties")
    return ConditionGained(who=mover.id, condition="running", source="run", until=until, cites=(rule,))


def refuse_slowed(fight: Fight, mover: Combatant) -> None:
    """Refuse to charge to a mover that is slowed in any way (woa.charge.impeded)."""
    refuse_weary(fight, mover)
    if speed_with_burdens(fight, mover) < listed_speed_here(mover):
        raise Refusal(f"{mover.id} is slower than usual and cannot charge", fight.rule("woa.charge.impeded"))


def refuse_weary(fight: Fight, mover: Combatant) -> None:
    """Refuse to charge to the fatigued, and to a mover slowed by a condition (woa.condition.fatigued)."""
    slow = next((name for name in mover.conditions if name in SLOWING or name == "fatigued"), "")
    if slow:
        topic = "woa.condition.fatigued" if slow == "fatigued" else "woa.charge.impeded"
        raise Refusal(f"{mover.id} is {slow} and cannot charge", fight.rule(topic))


def get_single_attack_rule(
    fight: Fight, mover: Combatant, target: Combatant, weapon: Weapon
) -> tuple[str, ...]:
    """Return the rule that limits a charge to one attack, if the attacker could otherwise make more."""
    whole = acts.FullAttack(actor=mover.id, strikes=(acts.Strike(target.id, weapon.name),))
    often = len(fight.dialect.attacks.attack_series(fight, mover, whole)) > 1
    return fight.rules("woa.charge.single-attack") if often else ()


def leading_number(fight: Fight, path: str) -> int:
    """Return the multiplier at the start of a figure, such as 2 for "2 x speed"."""
    return int(str(fight.figure("woa.charge.distance", path)).split()[0])


def refuse_hindered(fight: Fight, mover: Combatant, target: Combatant, path: Sequence[Square]) -> None:
    """Refuse a charge that is not straight and clear (woa.charge.path, woa.charge.impeded)."""
    rule = fight.rule("woa.charge.path")
    line = line_squares(mover.at, path[-1], mover.space)
    for square in (*path, *sorted(line)):
        where = f"the ground at {square[0]},{square[1]} hinders a charge"
        if is_rough(fight, mover, square):
            raise Refusal(where, fight.rule("woa.charge.impeded"))
        if is_barred(fight, mover, square):
            raise Refusal(where, rule)
    if not is_a(mover, INCORPOREAL) and has_walls_on_line(fight.field, mover.at, path[-1], mover.space):
        raise Refusal("a wall stands in the line of the charge", rule)
    refuse_swerving(mover, path, rule)
    for other in fight.state.combatants.values():
        if other is mover or other is target or "dead" in other.conditions or is_helpless(fight, other):
            continue
        held = {(other.at[0] + x, other.at[1] + y) for x in range(other.space) for y in range(other.space)}
        # The mover may get past combatants on the path itself by Acrobatics.
        passed = any(other in occupants(fight, mover, square) for square in path)
        if held & line and not passed and knows_of(fight, mover, other):
            raise Refusal(f"{other.id} stands in the way of the charge", rule)


# --- A double move, a run and how long it can last (woa.move.double-move, woa.run.*)

#: Running without a pause, its level the number of rounds; and having run to the limit.
EXERTED, WINDED = "exerted", "winded"


def double_move(fight: Fight, act: acts.Move, rising: Rising = NOT_RISING) -> Steps[None]:
    """Spend both actions of the round on one path of up to twice the speed; it uses both moves of the plan.

    woa.move.double-move
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule("woa.move.double-move")
    refuse_unless_allowed(fight, mover, "move")
    refuse_after_step(fight, mover)
    if not rising.feet:
        refuse_lying(fight, mover)
    declared = [at for at, one in declared_actions.unused_plans(mover) if one[:2] == ("move", "move")]
    if mover.spent.get("standard") or mover.spent.get("move") or (mover.plan and len(declared) < 2):
        raise Refusal(f"{mover.id} does not have two move actions left for a double move", rule)
    times = fight.figure("woa.move.double-move", "multiplier")
    refuse_path(fight, mover, act.path, speed_with_burdens(fight, mover) * times - rising.feet, rule)
    if mover.plan:
        yield ActionSpent(
            who=mover.id,
            kind="planned",
            what="move",
            amount=1 << declared[1],
            cites=(fight.rule("woa.declare.start-of-round"),),
        )
    yield spending(fight, mover, "move", "double move", rule, fight.rule("woa.speed.distance-multipliers"))
    yield spending(fight, mover, "move", "double move", rule)
    if told := speed.speed_told(fight, mover):
        yield told
    if (yield from rise_to_move(fight, mover, rising)):
        yield from fight.dialect.movement.walk(fight, mover, act.path, "double", rule)


def run(fight: Fight, act: acts.Run) -> Steps[None]:
    """Run up to four times the speed in a straight line, as long as endurance lasts (woa.run.*).

    -2 AC, no reactions, no short step. After as many rounds as the Constitution score, each further round
    takes an Endurance check of a rising DC; a mover that has reached its limit must rest before it runs
    again.
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "full-round")
    refuse_after_step(fight, mover)
    refuse_lying(fight, mover)
    rule = fight.rule("woa.run.action")
    for name in ("fatigued", "exhausted", "entangled"):
        if name in mover.conditions:
            raise Refusal(f"{mover.id} is {name} and cannot run", fight.rule(f"condition.{name}"))
    refuse_rough(fight, mover, act.path, "run", "woa.terrain.difficult.no-run-charge")
    most = speed_with_burdens(fight, mover) * fight.figure("woa.run.action", "multiplier")
    refuse_path(fight, mover, act.path, most, rule, how="run")
    refuse_crooked(mover, act.path, rule)
    yield ActionSpent(
        who=mover.id,
        kind="full-round",
        what="run",
        cites=(rule, fight.rule("woa.speed.distance-multipliers")),
    )
    yield ActionSpent(
        who=mover.id, kind="rush", what="run", cites=(fight.rule("woa.action-type.full-round-no-step"),)
    )
    if told := speed.speed_told(fight, mover):
        yield told
    if not (yield from keeps_running(fight, mover)):
        return
    yield running(fight, mover)
    yield from fight.dialect.movement.walk(fight, mover, act.path, "run", rule)


def keeps_running(fight: Fight, mover: Combatant) -> Steps[bool]:
    """Count the round, with a check beyond the free ones; return whether the run continues.

    woa.run.duration, woa.run.endurance-check, woa.run.rest
    """
    before = mover.conditions[EXERTED].level if EXERTED in mover.conditions else 0
    score = score_now(fight, mover, "con")
    rules = fight.rules("woa.run.duration")
    if score is not None and before >= score:
        topic = "woa.run.endurance-check"
        dc = fight.figure(topic, "base_dc")
        dc += (before - score) * fight.figure(topic, "dc_increase_per_round")
        rules = (*rules, fight.rule(topic))
        parts = skill_parts(fight, mover, "endurance", "con", fight.rule(topic))
        if not (yield from check(fight, mover, "endurance", parts, dc, *rules, why="to go on running")):
            yield ConditionLost(who=mover.id, condition=EXERTED, why="must stop", cites=rules)
            yield spent_out(fight, mover)
            return False
    yield ConditionGained(
        who=mover.id,
        condition=EXERTED,
        source="running",
        until=Until("round-end", "", fight.state.round + 1),
        level=before + 1,
        cites=rules,
    )
    if score is not None and before + 1 >= score:
        yield spent_out(fight, mover)
    return True


def spent_out(fight: Fight, mover: Combatant) -> ConditionGained:
    """Return the condition of having run to the limit, which needs a rest (woa.run.rest)."""
    until = Until("round-end", "", fight.state.round + fight.figure("woa.run.rest", "rest_rounds"))
    rule = fight.rule("woa.run.rest")
    return ConditionGained(
        who=mover.id, condition=WINDED, source="run to the limit", until=until, cites=(rule,)
    )


def refuse_winded(fight: Fight, mover: Combatant, act: acts.Act) -> None:
    """Refuse movement faster than one move a round to a mover that rests from running (woa.run.rest)."""
    if EXERTED in mover.conditions and isinstance(act, acts.Run):
        return
    double = isinstance(act, acts.Move) and (act.how == "double" or mover.spent.get("move", 0) > 0)
    if double or not isinstance(act, acts.Move):
        reason = f"{mover.id} is resting from running and can make only one move a round"
        raise Refusal(reason, fight.rule("woa.run.rest"))


# --- Crossing obstacles, and keeping one's footing on perilous ground (woa.terrain.*)

#: The skills by which obstacles are crossed.
OBSTACLES_SKILLS = ("acrobatics", "athletics")
#: Ways of moving at twice the usual pace or more.
RUSHING = frozenset({"run", "charge"})


def climbs_over(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Return whether a step leads onto an obstacle, or over one between squares, which takes a check."""
    if how == "step":
        return False
    onto = is_obstacle(fight, mover, there) and not is_obstacle(fight, mover, here)
    return onto or bool(barriers_in_way(fight, mover, here, there))


def cross_obstacle(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[bool]:
    """Check whether a mover gets onto or over an obstacle; return whether it does.

    It takes Acrobatics at half speed, with a higher DC at full speed and the highest in a rush; Athletics to
    climb or jump over it (woa.terrain.obstacle.hampering, .full-speed, .athletics). A barrier may have its
    own skill and DC, which replace those for half speed.

    woa.terrain.obstacle.athletics, woa.terrain.obstacle.full-speed.
    """
    fences = barriers_in_way(fight, mover, here, there)
    pace = {FAST: "full", OVER: "over"}.get(how, "double" if how in RUSHING else "half")
    topics = {"full": ["full-speed"], "over": ["athletics"], "double": ["full-speed"]}.get(pace, [])
    found = cell(fight, "woa.terrain.obstacle.hampering", f"pace={pace}", "dc")
    cites = fight.rules(
        "woa.terrain.obstacle.hampering",
        *(f"terrain.obstacle.{topic}" for topic in topics),
        "woa.movement.skills.basis",
    )
    skill = (
        "athletics"
        if pace == "over"
        else next((barrier.check for barrier in fences if barrier.check), "acrobatics")
    )
    own = max((barrier.dc for barrier in fences), default=0)
    usual = cell(fight, "woa.terrain.obstacle.hampering", "pace=half", "dc")
    if own and pace == "half":
        dc = own
    elif found is None or (own and usual is None):
        dc = yield from speed.ask_for_dc("the obstacle", cites[0])
    else:
        dc = own + found.value - usual.value if own and usual is not None else found.value
        cites = (*cites, found.rule)
    check = speed.athletics if skill == "athletics" else speed.acrobatics
    hampered = is_rough(fight, mover, there)
    margin = yield from check(fight, mover, dc, *dict.fromkeys(cites), rough=hampered, why="an obstacle")
    if margin < 0:
        yield RuleApplied(who=mover.id, what="does not get over the obstacle", cites=cites[:1])
    return margin >= 0


def fault_of_barrier(barrier: Barrier) -> str:
    """Return the error that a barrier names a skill that crosses no obstacles, "" if its skill is valid."""
    if barrier.check in ("", *OBSTACLES_SKILLS):
        return ""
    return f"asks for {barrier.check}, where obstacles are crossed by {' or '.join(OBSTACLES_SKILLS)}"


def dc_of(fight: Fight, names: Sequence[str], pace: str) -> tuple[int, tuple[str, ...]] | None:
    """Return the DC of a perilous surface at a pace, and the rules; None if only printed figures count.

    Of several surfaces the worst sets the DC, and the others raise it.
    """
    topic = "woa.terrain.perilous.check"
    rows = {row["surface"]: row for row in fight.figure(topic) if "surface" in row}
    ranked = sorted(names, key=lambda name: -rows[name]["dc"])
    cells = [cell(fight, topic, f"surface={ranked[0]}", "dc"), cell(fight, topic, f"pace={pace}", "modifier")]
    cells += [cell(fight, topic, f"surface={n}", "modifier") for n in ranked[1:] if "modifier" in rows[n]]
    known = [one for one in cells if one is not None]
    if len(known) < len(cells):
        return None
    examples = fight.figure("woa.terrain.perilous.examples")
    topics = ["woa.terrain.perilous.definition", topic]
    topics += ["woa.terrain.perilous.examples"] if any(name in examples for name in names) else []
    return sum(one.value for one in known), fight.rules(*topics)


def keep_footing(fight: Fight, mover: Combatant, names: Sequence[str], how: str, why: str) -> Steps[bool]:
    """Check whether a mover keeps its footing on a perilous surface; otherwise it falls prone.

    Return whether it stays up (woa.terrain.perilous.*).
    """
    found = dc_of(fight, names, how if how in RUSHING else "normal")
    if found is None:
        rules = fight.rules("woa.terrain.perilous.definition", "woa.terrain.perilous.check")
        found = (yield from speed.ask_for_dc(names[0], rules[1])), rules
    dc, cites = found
    basis = fight.rule("woa.movement.skills.basis")
    hampered = is_rough(fight, mover, mover.at)
    margin = yield from speed.acrobatics(fight, mover, dc, *cites, basis, rough=hampered, why=why)
    if margin >= 0:
        return True
    if "prone" not in mover.conditions:
        yield ConditionGained(who=mover.id, condition="prone", source=names[0], cites=cites[:2])
    return False


# --- Moving without seeing: unsure footing, and running into obstacles (woa.visibility.*)

FEET, COLLISION, BLIND_MOVEMENT_SKILLS = (
    "woa.visibility.movement.acrobatics-penalty",
    "woa.visibility.movement.collision",
    "woa.visibility.skill-penalty",
)
#: Other checks that need sight of, or a hand on, the surroundings.
SEEING = frozenset(
    {"search", "athletics", "disable device", "open lock", "sleight of hand", "heal", "survival"}
)


def sight_on_check(fight: Fight, mover: Combatant, name: str, detail: str) -> Iterable[Modifier]:
    """Return the penalty for poor sight on a check: on Acrobatics, and on skills that need to see.

    It is the attack penalty of the degree of concealment (woa.visibility.movement.acrobatics-penalty,
    woa.visibility.skill-penalty).
    """
    if name != "acrobatics" and name not in SEEING:
        return ()
    if name in HANDLING and "blinded" in mover.conditions:
        return ()  # the penalty of the condition itself applies instead
    degree, value = sight_of_ground(fight, mover)
    if not value:
        return ()
    topic = FEET if name == "acrobatics" else BLIND_MOVEMENT_SKILLS
    return (Modifier(value, "penalty", f"{degree} concealment of the ground", fight.rule(topic)),)


def unseen_wall(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> int | None:
    """Return the index of the first step that the map forbids; None for a clear path, or if the mover sees
    it.
    """
    if sight_of_ground(fight, mover)[0] != TOTAL:
        return None
    here = mover.at
    for place, there in enumerate(path):
        if obstructed(fight.field, here, there, mover.space):
            return place
        here = there
    return None


def run_blindly(fight: Fight, act: acts.Run) -> Steps[None]:
    """Run; a mover that does not see its path may run into something (woa.visibility.movement.collision)."""
    mover = fight.combatant(act.actor)
    wall = unseen_wall(fight, mover, act.path)
    if wall is None:
        yield from run(fight, act)
        return
    refuse_crooked(mover, act.path, fight.rule("woa.run.action"))
    if wall:
        yield from run(fight, replace(act, path=act.path[:wall]))
    else:
        refuse_unless_allowed(fight, mover, "full-round")
        refuse_lying(fight, mover)
        cites = fight.rules("woa.run.action")
        yield ActionSpent(who=mover.id, kind="full-round", what="run", cites=cites)
    yield from collide(fight, mover, act.path[:wall])


def charge_blindly(fight: Fight, act: acts.Charge, wall: int) -> Steps[None]:
    """Charge without seeing the path: run into the wall after `wall` steps, and attack an empty square."""
    mover = fight.combatant(act.actor)
    rule = fight.rule("woa.charge.path")
    refuse_unless_allowed(fight, mover, "full-round")
    refuse_after_step(fight, mover)
    refuse_lying(fight, mover)
    refuse_crooked(mover, act.path, rule)
    if not wall:
        raise Refusal(f"{mover.id} is directly in front of a wall and has no room to charge", rule)
    most = leading_number(fight, "max") * speed_with_burdens(fight, mover)
    refuse_path(fight, mover, act.path[:wall], most, rule)
    yield ActionSpent(who=mover.id, kind="full-round", what="charge", cites=(rule,))
    yield running(fight, mover)
    yield from fight.dialect.movement.walk(fight, mover, act.path[:wall], "charge", rule)
    yield from collide(fight, mover, act.path[:wall])


def hurt_by_rushing(fight: Fight, mover: Combatant, other: Combatant, how: str) -> Steps[None]:
    """Hurt a mover that runs or charges into another combatant, as any obstacle would.

    woa.visibility.movement.collision
    """
    if how in RUSHING:
        yield from collide(fight, mover, ())


def collide(fight: Fight, mover: Combatant, path: tuple[Square, ...]) -> Steps[None]:
    """Apply the damage of running into an unseen obstacle; the game master may make it lethal.

    woa.visibility.movement.collision
    """
    if is_down(fight, mover) or (path and mover.at != path[-1]):
        return
    rule = fight.rule(COLLISION)
    kind = str(fight.figure(COLLISION, "type"))
    question = f"{mover.id} runs into something: what harm does it do?"
    answer = yield Choice("", "collision", question, (kind, "lethal"), rule)
    yield RuleApplied(who=mover.id, what="runs into an obstacle that it does not see", cites=(rule,))
    rolled = yield Roll("", "collision", fight.figure(COLLISION, "damage"))
    harm = Harm(mover, rolled.total, "", "running into an obstacle", nonlethal=answer == kind, cites=(rule,))
    yield from fight.dialect.damage.suffer(fight, harm)
