"""Fatigue, exhaustion, enervation: what ends them (woa.condition.fatigued.recovery and the like)."""

from affray.engine.dialects.woa.conditions.gained_conditions import PASSED_OUT
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant

#: What becomes of weariness by rest, the worst first, with the rule and its hours.
EASES = (
    ("enervated", "exhausted", "woa.condition.enervated.recovery"),
    ("exhausted", "fatigued", "woa.condition.exhausted.recovery"),
    ("fatigued", "", "woa.condition.fatigued.recovery"),
)
ROUSED = "woa.condition.enervated.roused"


def rest_from_weariness(fight: Fight, combatant: Combatant, hours: int) -> Steps[None]:
    """Let hours of complete rest ease weariness, one degree after the other."""
    for worse, better, topic in EASES:
        needed = fight.figure(topic, "hours")
        if worse in combatant.conditions and hours >= needed:
            hours -= needed
            yield from ease_weariness(fight, combatant, worse, better, "rest", fight.rule(topic))


def ease_weariness(
    fight: Fight, combatant: Combatant, worse: str, better: str, why: str, *cites: str
) -> Steps[None]:
    """Turn one degree of weariness into a better one; nobody stays passed out who is not enervated."""
    yield ConditionLost(who=combatant.id, condition=worse, why=better or why, cites=cites)
    if worse == "enervated" and PASSED_OUT in combatant.conditions:
        yield ConditionLost(who=combatant.id, condition=PASSED_OUT, why="wakes", cites=cites)
    if better and better not in combatant.conditions:
        yield ConditionGained(who=combatant.id, condition=better, source=why, cites=cites)


def wake_enervated(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let somebody woken from enervation try to act as if exhausted: Endurance.

    Failure leaves the enervated awake and unable to act; by 5 or more they pass out again.
    """
    rule = fight.rule(ROUSED)
    parts = skill_parts(fight, combatant, "endurance", "con", rule)
    dc = fight.figure(ROUSED, "dc")
    by = yield from check_by(fight, combatant, "endurance", parts, dc, rule, why="roused")
    if by >= 0:
        yield from ease_weariness(fight, combatant, "enervated", "exhausted", "roused", rule)
    elif by > -fight.figure(ROUSED, "pass_out_by"):
        yield ConditionLost(who=combatant.id, condition=PASSED_OUT, why="awake", cites=(rule,))
    else:
        yield ConditionGained(who=combatant.id, condition=PASSED_OUT, source="roused in vain", cites=(rule,))
