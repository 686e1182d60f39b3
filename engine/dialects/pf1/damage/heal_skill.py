"""What the Heal skill does: first aid, and the treatment of deadly wounds (pf1.skill.heal)."""

from affray.engine.dialects.pf1.conditions.bleed import BLEED, stop_bleeding
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.levels import character_level
from affray.engine.rules.classes.saves_and_checks import check, check_by, skill_parts
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.rules.damage.injury import change_health, settle_health
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import AfflictionHeld
from affray.events.facts.sheet_parts import Rider
from affray.projections.state import Combatant

#: What is held of wounds that were treated, until they can be treated again.
TREATED = "treated wounds"
MINUTES_A_DAY = 24 * 60


def first_aid(fight: Fight, act: acts.Stabilize) -> Steps[None]:
    """Give first aid to the dying or bleeding: a Heal check against DC 15; it provokes.

    The dying stabilize, the bleeding bleed no more (pf1.injury.first-aid, pf1.skill.heal, pf1.cond.bleed).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("pf1.injury.first-aid")
    bleeds = BLEED in target.conditions
    if "dead" in target.conditions or not (bleeds or "dying" in target.conditions):
        raise Refusal(f"{target.id} is not dying and does not bleed", rule)
    refuse_apart(actor, target, rule)
    cites = (rule, *(fight.rules("pf1.skill.heal", "pf1.cond.bleed") if bleeds else ()))
    yield spending(fight, actor, "standard", "first aid", rule)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "gives first aid", f"aid:{fight.declaration}", rule
    )
    if is_down(fight, actor):
        return
    parts = skill_parts(fight, actor, "heal", "wis", rule)
    topic = "pf1.cond.bleed" if bleeds else "pf1.injury.first-aid"
    if not (yield from check(fight, actor, "heal", parts, fight.figure(topic, "heal_dc"), *cites)):
        return
    source = f"first aid from {actor.id}"
    if BLEED in target.conditions:
        yield stop_bleeding(fight, target, source)
    if "dying" in target.conditions:
        yield from change_health(fight, target, "stable", source, "pf1.injury.first-aid")


def treat_deadly_wounds(fight: Fight, healer: Combatant, patient: Combatant) -> Steps[None]:
    """Treat wounds for an hour: a Heal check against DC 20 gives back 1 hit point a level, once a day.

    The healer's Wisdom counts too where the check beats the DC by 5 (pf1.skill.heal).
    """
    topic = "pf1.skill.heal"
    rule = fight.rule(topic)
    parts = skill_parts(fight, healer, "heal", "wis", rule)
    dc = fight.figure(topic, "wounds")
    by = yield from check_by(fight, healer, "heal", parts, dc, rule, why=f"the wounds of {patient.id}")
    yield AfflictionHeld(
        who=patient.id,
        id=fight.key(patient.id, "treated"),
        rider=Rider(TREATED),
        by=healer.id,
        dc=dc,
        minute=fight.state.minutes + MINUTES_A_DAY,
        cites=(rule,),
    )
    if by < 0:
        return
    points = max(1, character_level(patient))
    if by >= fight.figure(topic, "wisdom_by"):
        points = max(points, points + ability_now(fight, healer, "wis"))
    yield hit_points_set(patient, min(patient.max_hp, patient.hp + points), "treated wounds", rule)
    yield from settle_health(fight, patient, "treated wounds")


def can_be_treated(patient: Combatant) -> bool:
    """Say whether a combatant has wounds that were not treated within a day."""
    hurt = patient.hp < patient.max_hp and "dead" not in patient.conditions
    return hurt and all(one.rider.name != TREATED for one in patient.afflictions)
