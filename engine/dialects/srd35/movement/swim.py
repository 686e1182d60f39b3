"""Swimming (srd35.skill.swim)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.environment.drowning import breathe, without_air
from affray.engine.rules.environment.in_water import COMBAT, OFF_BALANCE
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, speed
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

TOPIC = "srd35.skill.swim"
WATERS = ("calm", "rough", "stormy")


def swim(fight: Fight, act: acts.Move) -> Steps[None]:
    """Swim a quarter of the speed as a move action, half of it (`fast`) as a full-round action.

    A failure by 4 or less makes no progress, by 5 or more one goes under; either leaves the swimmer off
    balance. A creature with a swim speed needs no check.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
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
    margin = yield from check_by(fight, mover, "swim", parts, fight.figure(TOPIC, act.surface), rule)
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
    if margin <= -fight.figure(TOPIC, "under_by"):
        yield from without_air(fight, mover, "going under")


def swimming_feet(fight: Fight, mover: Combatant, fast: bool) -> tuple[int, str]:
    """Return how far an action of swimming leads, in feet, and the rule that says so."""
    if mover.sheet.swim:
        return mover.sheet.swim, fight.rule("srd35.move-action.move")
    if fast:
        return int(speed(fight, mover) * fight.figure(TOPIC, "full_round_speed")), fight.rule(TOPIC)
    share = fight.figure("srd35.move-action.move", "swim_fraction")
    return int(speed(fight, mover) * share), fight.rule("srd35.move-action.move")
