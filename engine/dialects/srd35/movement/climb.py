"""Climbing walls (srd35.skill.climb, srd35.move-action.move)."""

from affray.engine.dialects.srd35.movement.fall import come_down
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.conditions.condition_rules import number_of_condition
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

TOPIC = "srd35.skill.climb"
CLIMBING = "climbing"


def climb(fight: Fight, act: acts.Move) -> Steps[None]:
    """Climb up or down a wall at a quarter of the speed, or faster at a penalty.

    A failure by 4 or less makes no progress, by 5 or more it is a fall. Whoever has a climb speed climbs by
    that, in the rules of a move. The condition's level is the height in feet.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
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
    """Return how far a move action of climbing leads, in feet, and the rule that says so."""
    if mover.sheet.climb:
        return mover.sheet.climb, fight.rule("srd35.move-action.move")
    if fast:
        return int(speed(fight, mover) * fight.figure(TOPIC, "accelerated_speed")), fight.rule(TOPIC)
    share = fight.figure("srd35.move-action.move", "climb_fraction")
    return int(speed(fight, mover) * share), fight.rule("srd35.move-action.move")


def clings(fight: Fight, mover: Combatant, dc: int, fast: bool = False) -> Steps[int]:
    """Check whether a climber gets on, and let it fall if it fails badly; return the check's margin."""
    rule = fight.rule(TOPIC)
    parts = skill_parts(fight, mover, "climb", "str", rule)
    if fast:
        parts.append(fight.modifier(TOPIC, "accelerated", kind="penalty", source="in haste"))
    margin: int = yield from check_by(fight, mover, "climb", parts, dc, rule)
    if margin <= -fight.figure(TOPIC, "fall_by") and CLIMBING in mover.conditions:
        yield from let_go(fight, mover)
    elif margin < 0:
        yield RuleApplied(who=mover.id, what="makes no progress", cites=(rule,))
    return margin


def let_go(fight: Fight, mover: Combatant) -> Steps[None]:
    """Fall from the height one has climbed to."""
    height = height_climbed(mover)
    yield ConditionLost(who=mover.id, condition=CLIMBING, why="falls", cites=(fight.rule(TOPIC),))
    yield from come_down(fight, mover, height)


def check_grip_when_hurt(fight: Fight, mover: Combatant) -> Steps[None]:
    """Check whether a climber who was hurt clings to the wall, against the wall's own DC."""
    rule = fight.rule(TOPIC)
    parts = skill_parts(fight, mover, "climb", "str", rule)
    if (yield from check_by(fight, mover, "climb", parts, dc_of(mover), rule, why="hurt while climbing")) < 0:
        yield from let_go(fight, mover)


def height_climbed(mover: Combatant) -> int:
    """Return how many feet up a wall a climber is."""
    return mover.conditions[CLIMBING].level if CLIMBING in mover.conditions else 0


def dc_of(mover: Combatant) -> int:
    """Return the DC of the wall on which a climber is."""
    return number_of_condition(mover, CLIMBING) if CLIMBING in mover.conditions else 0
