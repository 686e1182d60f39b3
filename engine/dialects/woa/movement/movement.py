"""Movement: moves, defensive disengagement, short steps, running, charging (woa.move.*, woa.short-step.*)."""

from collections.abc import Sequence

from msgspec import Struct

from affray.engine.dialects.woa.conditions.condition_table import SLOWING
from affray.engine.dialects.woa.grapple.grab_modifiers import speed_under_holds
from affray.engine.dialects.woa.movement import speed as woa_speed
from affray.engine.dialects.woa.movement import terrain
from affray.engine.dialects.woa.movement.terrain import paralyzed_on_way
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.rules.attacks.charge import line_squares, refuse_swerving, walls_on_line
from affray.engine.rules.classes.natures import INCORPOREAL, is_a
from affray.engine.rules.movement.movement import refuse_path
from affray.engine.rules.movement.noticed import knows_of
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def speed_with_burdens(fight: Fight, mover: Combatant) -> int:
    """Return the speed on the ground in feet, less what holding, being held and a load of people take."""
    feet = woa_speed.speed(fight, mover)
    return speed_under_holds(fight, mover, feet) if mover.conditions else feet


def listed_speed_here(mover: Combatant) -> int:
    """Return the listed speed of the mode in which somebody moves: in the air or deep water its own."""
    own = woa_speed.own_speed(mover)
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


#: Ways of a plain move by what they are called, with `fast` for the harder way.
PLAIN = {
    "normal": "normal",
    "tumble": terrain.TUMBLE,
    "leave": terrain.LEAVE,
    "vault": terrain.OVER,
}
HASTY = {"normal": terrain.FAST, "tumble": terrain.TUMBLE_FAST}


class Rising(Struct, frozen=True):
    """Getting up as part of a movement: the feet that it takes of it, and its steps (woa.posture.stand-*)."""

    feet: int = 0
    steps: Steps[bool] | None = None


NOT_RISING = Rising()


def rises_to_go(fight: Fight, mover: Combatant, rising: Rising) -> Steps[bool]:
    """Get up as part of a movement; return whether the mover then stands or crouches and goes on."""
    return True if rising.steps is None else (yield from rising.steps)


def move_up_to_speed(fight: Fight, act: acts.Move, rising: Rising = NOT_RISING) -> Steps[None]:
    """Move up to one's speed as a move action; at half speed to disengage defensively (woa.move.action).

    "tumble" leads through opponents by Acrobatics, "leave" by their leave, "vault" over obstacles by
    Athletics; `fast` takes obstacles and opponents at the full speed, which is harder.
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
        slowed = any(name in SLOWING for name in mover.conditions) or woa_speed.is_slowed(fight, mover)
        hindered = any(terrain.hampers(fight, mover, square) for square in act.path)
        if slowed or hindered or terrain.is_fenced(fight, mover, (mover.at, *act.path)):
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
    if act.fast and any(terrain.is_rough(fight, mover, square) for square in act.path):
        topic = "woa.terrain.difficult.no-run-charge"
        raise Refusal("no skill makes difficult terrain any faster", fight.rule(topic))
    over, more = paralyzed_on_way(fight, mover, act.path)
    refuse_path(fight, mover, act.path, feet - over * SQUARE_FT - rising.feet, rule, how=how)
    cites = fight.rules("woa.move.general", "woa.speed.distance-multipliers")
    again = ("woa.move.double-move",) if mover.spent.get("move") else ()
    yield spending(fight, mover, "move", "move", rule, *cites, *fight.rules(*again))
    if told := woa_speed.speed_told(fight, mover):
        yield told
    if (yield from rises_to_go(fight, mover, rising)):
        yield from fight.dialect.movement.walk(fight, mover, act.path, how, rule, *more)


def short_step(fight: Fight, act: acts.Step) -> Steps[None]:
    """Take a short step of one's natural reach, in a round without other movement (woa.short-step.*).

    Not into difficult ground and not by the slow. Whether getting up counts as movement is the option
    `standing_up_and_step`.
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
    terrain.refuse_rough(fight, mover, path, "step", "woa.short-step.blocked-by-hampered")
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
    """Return the topics of what lets a short step go with the other actions of the round."""
    if mover.spent.get("full-round"):
        return ("woa.action-type.full-round-allowances",)
    return ("woa.action-type.short-step-allowance",)


def straight_way(start: Square, end: Square) -> tuple[Square, ...]:
    """Return the squares of a straight way, without the first; none when there is no straight one."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    count = max(abs(dx), abs(dy))
    if not count or any(abs(part) not in (0, count) for part in (dx, dy)):
        return ()
    return tuple((start[0] + dx // count * n, start[1] + dy // count * n) for n in range(1, count + 1))


def running(fight: Fight, mover: Combatant) -> ConditionGained:
    """Return what running costs until the round's end (woa.run.penalties)."""
    until = Until("round-end", "", fight.state.round)
    rule = fight.rule("woa.run.penalties")
    return ConditionGained(who=mover.id, condition="running", source="run", until=until, cites=(rule,))


def refuse_slowed(fight: Fight, mover: Combatant) -> None:
    """Refuse to charge to whoever is slowed in any way (woa.charge.impeded)."""
    refuse_weary(fight, mover)
    if speed_with_burdens(fight, mover) < listed_speed_here(mover):
        raise Refusal(f"{mover.id} is slower than usual and cannot charge", fight.rule("woa.charge.impeded"))


def refuse_weary(fight: Fight, mover: Combatant) -> None:
    """Refuse to charge to the fatigued, and to whom a condition slows (woa.condition.fatigued)."""
    slow = next((name for name in mover.conditions if name in SLOWING or name == "fatigued"), "")
    if slow:
        topic = "woa.condition.fatigued" if slow == "fatigued" else "woa.charge.impeded"
        raise Refusal(f"{mover.id} is {slow} and cannot charge", fight.rule(topic))


def only_one(fight: Fight, mover: Combatant, target: Combatant, weapon: Weapon) -> tuple[str, ...]:
    """Return the rule that leaves a charge one attack, if its maker could otherwise strike more often."""
    whole = acts.FullAttack(actor=mover.id, strikes=(acts.Strike(target.id, weapon.name),))
    often = len(fight.dialect.attacks.attack_series(fight, mover, whole)) > 1
    return fight.rules("woa.charge.single-attack") if often else ()


def leading_number(fight: Fight, path: str) -> int:
    """Return the multiplier that a figure such as "2 x speed" begins with."""
    return int(str(fight.figure("woa.charge.distance", path)).split()[0])


def refuse_hindered(fight: Fight, mover: Combatant, target: Combatant, path: Sequence[Square]) -> None:
    """Refuse a charge that is not straight and clear (woa.charge.path, woa.charge.impeded)."""
    rule = fight.rule("woa.charge.path")
    line = line_squares(mover.at, path[-1], mover.space)
    for square in (*path, *sorted(line)):
        where = f"the ground at {square[0]},{square[1]} hinders a charge"
        if terrain.is_rough(fight, mover, square):
            raise Refusal(where, fight.rule("woa.charge.impeded"))
        if terrain.is_barred(fight, mover, square):
            raise Refusal(where, rule)
    if not is_a(mover, INCORPOREAL) and walls_on_line(fight.field, mover.at, path[-1], mover.space):
        raise Refusal("a wall stands in the line of the charge", rule)
    refuse_swerving(mover, path, rule)
    for other in fight.state.combatants.values():
        if other is mover or other is target or "dead" in other.conditions or is_helpless(fight, other):
            continue
        held = {(other.at[0] + x, other.at[1] + y) for x in range(other.space) for y in range(other.space)}
        # Those on the path itself may be got past by Acrobatics.
        passed = any(other in occupants(fight, mover, square) for square in path)
        if held & line and not passed and knows_of(fight, mover, other):
            raise Refusal(f"{other.id} stands in the way of the charge", rule)
