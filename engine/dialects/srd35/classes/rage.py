"""Rage: strength and fury for some rounds, and weariness after (srd35.class.rage)."""

from typing import Any, Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.rage import rage_hit_points, rage_modifier, refuse_to_rage
from affray.engine.rules.classes.rage_scores import RAGING, TOPIC
from affray.engine.rules.damage.injury import settle_health
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.rules.turns.expiry import START
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant, Condition

RAGE: Final = "rage"


def rage(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Fly into a rage: no action; it lasts 3 rounds + the raised Constitution modifier."""
    actor = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    refuse_to_rage(fight, actor, rule)
    yield ActionSpent(who=actor.id, kind="free", what=RAGE, cites=(rule,))
    yield ResourceSpent(who=actor.id, resource=RAGE, amount=1, cites=(rule,))
    yield from fly_into_rage(fight, actor, RAGE)


def fly_into_rage(fight: Fight, actor: Combatant, source: str, *cited: str) -> Steps[None]:
    """Rage from now on, with the hit points of the raised Constitution, until so many rounds are over."""
    rounds = (
        fight.formula(TOPIC, "rounds") + ability_now(fight, actor, "con") + rage_modifier(fight, actor, "con")
    )
    until = Until("turn-start", actor.id, max(1, fight.state.round) + max(1, rounds))
    cites = (fight.rule(TOPIC), *cited)
    yield ConditionGained(who=actor.id, condition=RAGING, source=source, until=until, cites=cites)
    yield from rage_hit_points(fight, actor, 1, RAGE)


def come_into_rage(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let a rage come over a combatant, with its hit points; one without a time of its own lasts as any."""
    actor = fight.combatant(fact.who)
    if fact.until.when:
        yield fact
        yield from rage_hit_points(fight, actor, 1, RAGE)
    else:
        yield from fly_into_rage(fight, actor, fact.source, *fact.cites)


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
    held = actor.conditions[RAGING]
    yield ActionSpent(who=actor.id, kind="free", what="end rage", cites=(rule,))
    yield ConditionLost(who=actor.id, condition=RAGING, why="ends the rage", cites=(rule,))
    yield from wear_off(fight, actor, RAGING, held)


def wear_off(fight: Fight, combatant: Combatant, condition: str, held: Condition) -> Steps[None]:
    """After rage the hit points go and fatigue comes, unless one is tireless or a spell has brought it."""
    rule = fight.rule(TOPIC)
    yield from rage_hit_points(fight, combatant, -1, "the rage is over")
    yield from settle_health(fight, combatant, "the rage is over")
    if "dead" in combatant.conditions or not is_own_rage(combatant, held):
        return
    if combatant.sheet.classes.get("barbarian", 0) >= fight.figure(TOPIC, "tireless_level"):
        yield RuleApplied(who=combatant.id, what="tireless: no fatigue after rage", cites=(rule,))
    else:
        tired = ConditionGained(who=combatant.id, condition="fatigued", source=RAGE, cites=(rule,))
        yield from fight.dialect.conditions.gain(fight, tired)


def is_own_rage(combatant: Combatant, held: Condition) -> bool:
    """Say whether a rage has lasted by the rule on rage, and not as long as a spell."""
    own = held.until.when == START and held.until.who == combatant.id
    return own and all(spell.name != held.source for spell in combatant.sheet.spells)


def refuse_patience(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse to the raging what takes patience: casting spells, Combat Expertise."""
    if isinstance(act, acts.Cast):
        raise Refusal(f"{actor.id} rages and cannot cast spells", fight.rule(TOPIC))
    if act.expertise:
        raise Refusal(f"{actor.id} rages and cannot use Combat Expertise", fight.rule(TOPIC))
