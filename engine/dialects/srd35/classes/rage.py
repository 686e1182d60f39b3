"""Rage: strength and fury for some rounds, and weariness after (srd35.class.rage)."""

from typing import Any

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.rage import rage_hit_points, rage_modifier, refuse_to_rage
from affray.engine.rules.classes.rage_scores import RAGING, TOPIC
from affray.engine.rules.damage.injury import settle_health
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant


def rage(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Fly into a rage: no action; it lasts 3 rounds + the raised Constitution modifier."""
    actor = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    refuse_to_rage(fight, actor, rule)
    yield ActionSpent(who=actor.id, kind="free", what="rage", cites=(rule,))
    yield ResourceSpent(who=actor.id, resource="rage", amount=1, cites=(rule,))
    yield from fly_into_rage(fight, actor, "rage")


def fly_into_rage(fight: Fight, actor: Combatant, source: str) -> Steps[None]:
    """Rage from now on, with the hit points of the raised Constitution, until so many rounds are over."""
    rounds = (
        fight.formula(TOPIC, "rounds") + ability_now(fight, actor, "con") + rage_modifier(fight, actor, "con")
    )
    until = Until("turn-start", actor.id, max(1, fight.state.round) + max(1, rounds))
    cites = (fight.rule(TOPIC),)
    yield ConditionGained(who=actor.id, condition=RAGING, source=source, until=until, cites=cites)
    yield from rage_hit_points(fight, actor, 1, "rage")


def start_raging(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let a combatant enter in a rage that begins with its entry."""
    return fly_into_rage(fight, fight.combatant(fact.who), fact.source)


def calm_down(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """End one's rage before its time."""
    actor = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    check_turn(fight, actor)
    if RAGING not in actor.conditions:
        raise Refusal(f"{actor.id} does not rage", rule)
    yield ActionSpent(who=actor.id, kind="free", what="end rage", cites=(rule,))
    yield ConditionLost(who=actor.id, condition=RAGING, why="ends the rage", cites=(rule,))
    yield from wear_off(fight, actor)


def tire_after_rage(fight: Fight, combatant: Combatant, opening: Steps[None]) -> Steps[None]:
    """Begin a turn of one who rages; where the rage is over by then, let it take its toll."""
    yield from opening
    if RAGING not in combatant.conditions:
        yield from wear_off(fight, combatant)


def wear_off(fight: Fight, combatant: Combatant) -> Steps[None]:
    """After rage the hit points go and fatigue comes, unless one is tireless."""
    rule = fight.rule(TOPIC)
    yield from rage_hit_points(fight, combatant, -1, "the rage is over")
    yield from settle_health(fight, combatant, "the rage is over")
    if "dead" in combatant.conditions:
        return
    if combatant.sheet.classes.get("barbarian", 0) >= fight.figure(TOPIC, "tireless_level"):
        yield RuleApplied(who=combatant.id, what="tireless: no fatigue after rage", cites=(rule,))
    else:
        tired = ConditionGained(who=combatant.id, condition="fatigued", source="rage", cites=(rule,))
        yield from fight.dialect.conditions.gain(fight, tired)


def refuse_patience(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse to the raging what takes patience: casting spells, Combat Expertise."""
    if isinstance(act, acts.Cast):
        raise Refusal(f"{actor.id} rages and cannot cast spells", fight.rule(TOPIC))
    if act.expertise:
        raise Refusal(f"{actor.id} rages and cannot use Combat Expertise", fight.rule(TOPIC))
