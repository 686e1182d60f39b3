"""How a condition combines with those that a combatant has already (srd35.cond.combine)."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.rules.gear.let_go import drop_all
from affray.engine.rules.turns.expiry import lasts_longer
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied


def gain_combined(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition; what combines with one held already follows the worse.

    The same condition again lasts as long as the longer; fatigue upon fatigue is exhaustion; what empties
    the hands drops all that they hold (srd35.cond.combine, .fatigued, .stunned).
    """
    combatant = fight.combatant(fact.who)
    rule = rule_of(fight, fact.condition)
    if fact.condition == "fatigued" and "fatigued" in combatant.conditions:
        fact = replace(fact, condition="exhausted", cites=(*fact.cites, fight.rule("srd35.cond.fatigued")))
    if fact.condition == "exhausted" and "fatigued" in combatant.conditions:
        cites = fight.rules("srd35.cond.combine")
        yield ConditionLost(who=combatant.id, condition="fatigued", why="exhausted", cites=cites)
    worse = "exhausted" if fact.condition == "fatigued" else fact.condition
    held = combatant.conditions.get(worse)
    if held is not None:
        fact = replace(fact, cites=(*fact.cites, fight.rule("srd35.cond.combine")))
        if worse != fact.condition or not lasts_longer(fight, fact.until, held.until):
            yield RuleApplied(who=combatant.id, what=f"is {worse} already, and for as long", cites=fact.cites)
            return
    yield fact
    if rule.empties:
        yield from drop_all(fight, combatant, fight.rules(rule.topic))
