"""Swimming (srd35.skill.swim)."""

from affray.engine.dialects.srd35.environment.drowning import breathe, without_air
from affray.engine.dialects.srd35.environment.water import COMBAT, OFF_BALANCE
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, speed
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
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
    who = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    kind = "full-round" if act.fast else "move"
    refuse_unless_allowed(fight, who, kind)
    refuse_after_step(fight, who)
    if act.surface not in WATERS:
        raise Refusal(f"water is {', '.join(WATERS)}, not {act.surface!r}", rule)
    most, why = swimming_feet(fight, who, act.fast)
    refuse_path(fight, who, act.path, most, why)
    yield spending(fight, who, kind, "swim", rule, why)
    if who.sheet.swim:
        yield from fight.dialect.movement.walk(fight, who, act.path, "swim", why)
        return
    parts = skill_parts(fight, who, "swim", "str", rule)
    margin = yield from check_by(fight, who, "swim", parts, fight.figure(TOPIC, act.surface), rule)
    if margin >= 0:
        if OFF_BALANCE in who.conditions:
            yield ConditionLost(who=who.id, condition=OFF_BALANCE, why="swims", cites=fight.rules(COMBAT))
        yield from breathe(fight, who, "above the water")
        yield from fight.dialect.movement.walk(fight, who, act.path, "swim", rule)
        return
    yield RuleApplied(who=who.id, what="makes no progress", cites=(rule,))
    if OFF_BALANCE not in who.conditions:
        yield ConditionGained(
            who=who.id, condition=OFF_BALANCE, source="in the water", cites=fight.rules(COMBAT)
        )
    if margin <= -fight.figure(TOPIC, "under_by"):
        yield from without_air(fight, who, "going under")


def swimming_feet(fight: Fight, who: Combatant, fast: bool) -> tuple[int, str]:
    """Return how far an action of swimming leads, in feet, and the rule that says so."""
    if who.sheet.swim:
        return who.sheet.swim, fight.rule("srd35.move-action.move")
    if fast:
        return int(speed(fight, who) * fight.figure(TOPIC, "full_round_speed")), fight.rule(TOPIC)
    share = fight.figure("srd35.move-action.move", "swim_fraction")
    return int(speed(fight, who) * share), fight.rule("srd35.move-action.move")
