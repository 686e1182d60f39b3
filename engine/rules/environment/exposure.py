"""The game master exposes somebody to the dangers of a place; its turns bring the rest.

srd35.hazard.*, pf1.hazard.ref, pf1.hazard.water.
"""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.environment.hazard_damage import deal_hazard_damage
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent
from affray.projections.state import Combatant

CLIMATE = "hazard.cold-heat"
"""srd35.hazard.cold-heat, pf1.hazard.ref."""


def expose_to_danger(fight: Fight, act: acts.Expose) -> Steps[None]:
    """Expose a combatant to a danger of its surroundings, or end that, by the game master's word."""
    target = fight.combatant(act.target)
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("cond.dead"))
    if act.over:
        yield from end_danger(fight, target, act.to)
    else:
        yield from fight.dialect.environment.dangers[act.to].begin(fight, target, act)


def end_danger(fight: Fight, target: Combatant, name: str) -> Steps[None]:
    """End what a danger keeps doing, with what comes of it afterwards, as lava that burns on for a while."""
    danger = fight.dialect.environment.dangers[name]
    held = [condition for condition in danger.ends if condition in target.conditions]
    if not held and (danger.ends or danger.afterwards is None):
        raise Refusal(f"{target.id} is not exposed to {name}", fight.rule(danger.topic))
    degree = ""
    for condition in held:
        degree = target.conditions[condition].source
        yield ConditionLost(who=target.id, condition=condition, why=f"out of the {name}")
    if danger.afterwards is not None:
        yield from danger.afterwards(fight, target, degree)


def expose_to_climate(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Let cold or heat wear one down: one check for each span of time.

    srd35.hazard.cold-heat, pf1.hazard.ref.
    """
    if spared := fight.dialect.environment.untouched(fight, target, act.to):
        yield spared
        return
    rule = fight.rule(CLIMATE)
    counter = f"checks against {act.to}"
    before = target.resources.get(counter, 0)
    dc = fight.figure(CLIMATE, "dc") + before * fight.figure(CLIMATE, "dc_step")
    yield ResourceSpent(who=target.id, resource=counter, amount=1, cites=(rule,))
    extra = tuple(fight.dialect.environment.hardy(fight, target))
    if (yield from saving_throw(fight, target, "fort", dc, act.to, rule, extra=extra)):
        return
    yield from deal_hazard_damage(
        fight, target, fight.figure(CLIMATE, act.to), "", act.to, rule, nonlethal=True
    )
    if not is_down(fight, target) and "fatigued" not in target.conditions:
        tired = ConditionGained(who=target.id, condition="fatigued", source=act.to, cites=(rule,))
        yield from fight.dialect.conditions.gain(fight, tired)
