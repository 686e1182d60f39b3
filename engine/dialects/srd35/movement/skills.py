"""Skills of movement: balance, climb, jump, swim and tumble."""

from functools import partial
from typing import Any, Final

from affray.engine.dialects.srd35.movement.flight import come_down, fall
from affray.engine.dialects.srd35.movement.speed import what_slows
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.checks import check_by, skill_parts
from affray.engine.rules.conditions.conditions import number_of_condition
from affray.engine.rules.environment import COMBAT, OFF_BALANCE, begin_holding_breath, breathe
from affray.engine.rules.mounted.stay_mounted import is_anybody_mounted, what_fact_does_to_seat
from affray.engine.rules.movement import skills
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.movement.skills import (
    Balance,
    Leaping,
    Tumbling,
    fall_off_balance,
    gets_past_by_skill,
    keep_balance_when_hurt,
    leap,
)
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import NOTHING, Refusal, Steps, answered
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Moved
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

# --- Balancing on narrow or uneven surfaces, by the Balance skill (srd35.skill.balance)

BALANCE_TOPIC: Final = "srd35.skill.balance"
BALANCE_SURFACES: Final = ("7-12 in", "2-6 in", "under 2 in")


def balance(fight: Fight, act: acts.Move) -> Steps[None]:
    """Balance along a narrow path (srd35.skill.balance)."""
    return skills.balance(fight, act, BALANCE)


def ground_of(fight: Fight, act: acts.Move) -> str:
    """Return the surface to balance on; refuses one that the rule does not know."""
    if act.surface not in BALANCE_SURFACES:
        rule = fight.rule(BALANCE_TOPIC)
        raise Refusal(f"the surface must be one of {', '.join(BALANCE_SURFACES)}, not {act.surface!r}", rule)
    return act.surface


def is_sure_footed(fight: Fight, mover: Combatant) -> bool:
    """Return whether a combatant's ranks keep it from being flat-footed while it balances."""
    return bool(mover.sheet.ranks.get("balance", 0) >= fight.figure(BALANCE_TOPIC, "ranks"))


def keeps_balance(fight: Fight, mover: Combatant, surface: str, fast: bool) -> Steps[bool]:
    """Check whether a combatant keeps its balance: a failure by 4 or less stops it, by 5 or more it falls."""
    rule = fight.rule(BALANCE_TOPIC)
    parts = skill_parts(fight, mover, "balance", "dex", rule)
    if fast:
        parts.append(fight.modifier(BALANCE_TOPIC, "full_speed", kind="penalty", source="at full speed"))
    margin = yield from check_by(
        fight, mover, "balance", parts, fight.figure(BALANCE_TOPIC, surface), rule, why=f"on {surface}"
    )
    if margin <= -fight.figure(BALANCE_TOPIC, "fall_by") and not is_down(fight, mover):
        yield from fall_off_balance(fight, mover)
    return bool(margin >= 0)


BALANCE: Final = Balance(ground_of, keeps_balance, is_sure_footed)


def check_balance_when_hurt(fight: Fight, mover: Combatant) -> Steps[None]:
    """Check the balance of a combatant hurt while balancing.

    A balancing condition without a surface has the broadest one.
    """
    return keep_balance_when_hurt(
        fight, mover, BALANCE, lambda told: told if told in BALANCE_SURFACES else BALANCE_SURFACES[0]
    )


# --- Climbing walls (srd35.skill.climb, srd35.move-action.move)

CLIMB_TOPIC = "srd35.skill.climb"
CLIMBING = "climbing"


def climb(fight: Fight, act: acts.Move) -> Steps[None]:
    """Climb up or down a wall at a quarter of the speed, or faster at a penalty.

    A failure by 4 or less makes no progress, by 5 or more it is a fall. A creature with a climb speed climbs
    at that, by the rules of a move. The condition's level is the height in feet.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(CLIMB_TOPIC)
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    height = height_climbed(mover)
    if height + act.up < 0:
        raise Refusal(f"{mover.id} is {height} ft. up and cannot climb {-act.up} ft. down", rule)
    most, why = climbing_feet(fight, mover, act.fast)
    if abs(act.up) > most:
        raise Refusal(f"{mover.id} climbs {most} ft. with this action, not {abs(act.up)}", why)
    if act.path:
        refuse_path(fight, mover, act.path, most - abs(act.up), rule)
    yield spending(fight, mover, "move", "climb", rule, why)
    dc = act.dc or dc_of(mover)
    margin = yield from clings(fight, mover, dc, act.fast)
    if margin < 0:
        return
    if act.path:
        yield from fight.dialect.movement.walk(fight, mover, act.path, "climb", rule)
    now = height + act.up
    if now == 0 and CLIMBING in mover.conditions:
        yield ConditionLost(who=mover.id, condition=CLIMBING, why="down on the ground", cites=(rule,))
    elif now:
        source = f"a wall of DC {dc}"
        yield ConditionGained(
            who=mover.id, condition=CLIMBING, source=source, level=now, aloft=True, cites=(rule,)
        )


def climbing_feet(fight: Fight, mover: Combatant, fast: bool) -> tuple[int, str]:
    """Return how far a move action of climbing leads, in feet, and its rule."""
    if mover.sheet.climb:
        return mover.sheet.climb, fight.rule("srd35.move-action.move")
    if fast:
        return int(speed(fight, mover) * fight.figure(CLIMB_TOPIC, "accelerated_speed")), fight.rule(
            CLIMB_TOPIC
        )
    share = fight.figure("srd35.move-action.move", "climb_fraction")
    return int(speed(fight, mover) * share), fight.rule("srd35.move-action.move")


def clings(fight: Fight, mover: Combatant, dc: int, fast: bool = False) -> Steps[int]:
    """Check whether a climber makes progress, and make it fall if it fails badly; return the check's
    margin.
    """
    rule = fight.rule(CLIMB_TOPIC)
    parts = skill_parts(fight, mover, "climb", "str", rule)
    if fast:
        parts.append(fight.modifier(CLIMB_TOPIC, "accelerated", kind="penalty", source="in haste"))
    margin: int = yield from check_by(fight, mover, "climb", parts, dc, rule)
    if margin <= -fight.figure(CLIMB_TOPIC, "fall_by") and CLIMBING in mover.conditions:
        yield from let_go(fight, mover)
    elif margin < 0:
        yield RuleApplied(who=mover.id, what="makes no progress", cites=(rule,))
    return margin


def let_go(fight: Fight, mover: Combatant) -> Steps[None]:
    """Fall from the height one has climbed to."""
    height = height_climbed(mover)
    yield ConditionLost(who=mover.id, condition=CLIMBING, why="falls", cites=(fight.rule(CLIMB_TOPIC),))
    yield from come_down(fight, mover, height)


#: How those are moved that others drive back or knock away.
FORCED: Final = ("bull rush", "knocked ")


def watch_climbers_and_seats(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Run steps; right after each fact make climbers fall that it knocks prone or moves off their wall.

    After that comes its effect on a rider's seat.
    """
    # A loop takes no call, and this is asked of every declaration.
    for one in fight.state.combatants.values():
        if CLIMBING in one.conditions:
            steps = answered(steps, partial(what_fact_does_to_climber, fight))
            break
    if fight.memory.company[is_anybody_mounted]:
        steps = answered(steps, partial(what_fact_does_to_seat, fight))
    return steps


def what_fact_does_to_climber(fight: Fight, step: Any) -> Steps[None]:
    """Return the fall of a climber that lies or has been moved by others; nothing otherwise."""
    laid = isinstance(step, ConditionGained) and step.condition == "prone"
    moved = isinstance(step, Moved) and step.how.startswith(FORCED)
    if laid or moved:
        mover = fight.state.combatants[step.who]
        if CLIMBING in mover.conditions:
            return let_go(fight, mover)
    return NOTHING


def check_grip_when_hurt(fight: Fight, mover: Combatant) -> Steps[None]:
    """Check whether a climber that was hurt clings to the wall, against the wall's own DC."""
    rule = fight.rule(CLIMB_TOPIC)
    parts = skill_parts(fight, mover, "climb", "str", rule)
    if (yield from check_by(fight, mover, "climb", parts, dc_of(mover), rule, why="hurt while climbing")) < 0:
        yield from let_go(fight, mover)


def height_climbed(mover: Combatant) -> int:
    """Return how many feet up a wall a climber is."""
    return mover.conditions[CLIMBING].level if CLIMBING in mover.conditions else 0


def dc_of(mover: Combatant) -> int:
    """Return the DC of a climber's wall."""
    return number_of_condition(mover, CLIMBING) if CLIMBING in mover.conditions else 0


# --- Jumping, and deliberate leaps down (srd35.skill.jump)


def jump_down(fight: Fight, mover: Combatant, act: acts.Jump) -> Steps[None]:
    """Leap down deliberately, onto the ground or into water (srd35.falling.soften)."""
    yield from fall(fight, mover, act.feet, onto=act.onto, depth=act.depth, jumped=True)


#: The skill of jumping; with a run-up the Run feat helps (srd35.skill.jump, srd35.feat.run).
LEAPING: Final = Leaping("jump", "str", jump_down, ("srd35.feat.run", "running_jump"))


def jump(fight: Fight, act: acts.Jump) -> Steps[None]:
    """Jump by the Jump skill (srd35.skill.jump)."""
    return leap(fight, act, LEAPING)


# --- Swimming (srd35.skill.swim)

SWIM_TOPIC = "srd35.skill.swim"
WATERS = ("calm", "rough", "stormy")


def swim(fight: Fight, act: acts.Move) -> Steps[None]:
    """Swim a quarter of the speed as a move action, half of it (`fast`) as a full-round action.

    A failure by 4 or less makes no progress, by 5 or more the swimmer goes under; either leaves it off
    balance. A creature with a swim speed needs no check.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(SWIM_TOPIC)
    kind = "full-round" if act.fast else "move"
    refuse_after_step(fight, mover)
    if act.surface not in WATERS:
        raise Refusal(f"water is {', '.join(WATERS)}, not {act.surface!r}", rule)
    most, why = swimming_feet(fight, mover, act.fast)
    refuse_path(fight, mover, act.path, most, why)
    yield spending(fight, mover, kind, "swim", rule, why)
    if mover.sheet.swim:
        yield from fight.dialect.movement.walk(fight, mover, act.path, "swim", why)
        return
    parts = skill_parts(fight, mover, "swim", "str", rule)
    margin = yield from check_by(fight, mover, "swim", parts, fight.figure(SWIM_TOPIC, act.surface), rule)
    if margin >= 0:
        if OFF_BALANCE in mover.conditions:
            yield ConditionLost(who=mover.id, condition=OFF_BALANCE, why="swims", cites=fight.rules(COMBAT))
        yield from breathe(fight, mover, "above the water")
        yield from fight.dialect.movement.walk(fight, mover, act.path, "swim", rule)
        return
    yield RuleApplied(who=mover.id, what="makes no progress", cites=(rule,))
    if OFF_BALANCE not in mover.conditions:
        yield ConditionGained(
            who=mover.id, condition=OFF_BALANCE, source="in the water", cites=fight.rules(COMBAT)
        )
    if margin <= -fight.figure(SWIM_TOPIC, "under_by"):
        yield from begin_holding_breath(fight, mover, "going under")


def swimming_feet(fight: Fight, mover: Combatant, fast: bool) -> tuple[int, str]:
    """Return how far an action of swimming leads, in feet, and its rule."""
    if mover.sheet.swim:
        return mover.sheet.swim, fight.rule("srd35.move-action.move")
    if fast:
        return int(speed(fight, mover) * fight.figure(SWIM_TOPIC, "full_round_speed")), fight.rule(SWIM_TOPIC)
    share = fight.figure("srd35.move-action.move", "swim_fraction")
    return int(speed(fight, mover) * share), fight.rule("srd35.move-action.move")


# --- Tumbling past opponents and through their spaces (srd35.skill.tumble, srd35.skill.tumble-surface)

TUMBLE_TOPIC, SURFACE = "srd35.skill.tumble", "srd35.skill.tumble-surface"
TUMBLE_SURFACES = ("", "light", "severe")


def tumble(fight: Fight, act: acts.Move) -> Steps[None]:
    """Tumble by the Tumble skill (srd35.skill.tumble)."""
    return skills.tumble(fight, act, TUMBLING)


def refuse_to_tumble(fight: Fight, mover: Combatant, act: acts.Move) -> None:
    """Refuse the untrained, those whom armor or load slows, and tumbling in a deep bog."""
    rule = fight.rule(TUMBLE_TOPIC)
    if not mover.sheet.ranks.get("tumble") and "tumble" not in mover.sheet.skills:
        raise Refusal(f"{mover.id} is not trained to tumble", rule)
    if what_slows(fight, mover):
        raise Refusal(f"{mover.id} cannot tumble: it is slowed by its {what_slows(fight, mover)}", rule)
    if act.surface not in TUMBLE_SURFACES:
        raise Refusal(f"the ground {act.surface!r} does not allow tumbling", fight.rule(SURFACE))


def gets_past(
    fight: Fight, mover: Combatant, enemy: Combatant, act: acts.Move, through: bool, others: int
) -> Steps[bool]:
    """Check whether a tumbler gets past, or through the space of, one opponent."""
    harder, cites = 0, tuple[str, ...]()
    if act.surface:
        harder, cites = fight.figure(SURFACE, act.surface), fight.rules(SURFACE)
    return (
        yield from gets_past_by_skill(fight, mover, enemy, act, through, others, harder=harder, cites=cites)
    )


#: Tumbling takes a trained skill (srd35.skill.tumble).
TUMBLING: Final = Tumbling(refuse_to_tumble, gets_past)


def is_practiced(fight: Fight, mover: Combatant) -> bool:
    """Return whether a combatant's tumbling improves its defense: with 5 ranks in it.

    srd35.skill.tumble-defense
    """
    return bool(mover.sheet.ranks.get("tumble", 0) >= fight.figure("srd35.skill.tumble-defense", "ranks"))
