"""Rage in pf1: as many rounds a day as a barbarian has, and fatigue for twice as long after it (pf1.rage)."""

from typing import Final

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.levels import class_level
from affray.engine.rules.classes.rage import rage_hit_points, refuse_to_rage
from affray.engine.rules.classes.rage_scores import RAGING, TOPIC
from affray.engine.rules.damage.injury import settle_health
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectGained,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant, Condition, Effect

RAGE: Final = "rage"
END: Final = "end rage"
#: The stat of what notes how many rounds of rage were used up before this one began.
BEGAN: Final = "rounds of rage before"
OVER: Final = "the rage is over"


def rounds_a_day(fight: Fight, combatant: Combatant) -> int:
    """Return the rounds of rage of a day: 4 + Constitution, and 2 for each level after the first.

    Constitution that only rage or a spell lends adds none.
    """
    level = max(1, class_level(combatant, "barbarian"))
    more = int(fight.figure(TOPIC, "per_level")) * (level - 1)
    lasting, now = ability(combatant.sheet, "con"), ability_now(fight, combatant, "con")
    return max(0, fight.formula(TOPIC, "rounds") + min(lasting, now) + more)


def rounds_left(fight: Fight, combatant: Combatant) -> int:
    """Return how many rounds of rage a combatant has left today."""
    return rounds_a_day(fight, combatant) - combatant.resources.get(RAGE, 0)


def rage(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Fly into a rage as a free action; each round of it uses one up (pf1.rage)."""
    actor, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    refuse_to_rage(fight, actor, rule)
    if rounds_left(fight, actor) <= 0:
        raise Refusal(f"{actor.id} has no rounds of rage left today", rule)
    yield ActionSpent(who=actor.id, kind="free", what=RAGE, cites=(rule,))
    yield from fly_into_rage(fight, actor, RAGE)


def fly_into_rage(fight: Fight, actor: Combatant, source: str, *cited: str) -> Steps[None]:
    """Rage from now on, with the hit points of it, as long as there are rounds of rage."""
    cites = fight.rules(TOPIC)
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:{RAGE}",
        stat=BEGAN,
        modifier=Modifier(actor.resources.get(RAGE, 0), "untyped", RAGE, cites[0]),
        until=Until(),
        cites=cites,
    )
    yield ResourceSpent(who=actor.id, resource=RAGE, amount=1, cites=cites)
    fact = ConditionGained(
        who=actor.id, condition=RAGING, source=source, until=Until(), cites=(*cites, *cited)
    )
    yield fact
    yield from rage_hit_points(fight, actor, 1, RAGE)


def come_into_rage(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let a rage come over a combatant, with its hit points; one without a time of its own uses up rounds."""
    actor = fight.combatant(fact.who)
    if fact.until.when:
        yield fact
        yield from rage_hit_points(fight, actor, 1, RAGE)
    else:
        yield from fly_into_rage(fight, actor, fact.source, *fact.cites)


def start_raging(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let a combatant enter in a rage that begins with its entry."""
    return fly_into_rage(fight, fight.combatant(fact.who), fact.source)


def rage_on(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Use up another round of rage as a turn begins, or end the rage with the last one (pf1.rage).

    A rage that a spell has brought uses up none.
    """
    if beginning_of(combatant) is None:
        return
    if rounds_left(fight, combatant) > 0:
        yield ResourceSpent(who=combatant.id, resource=RAGE, amount=1, cites=fight.rules(TOPIC))
    else:
        yield from end_rage(fight, combatant, "no rounds of rage are left")


def lose_rage(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End the rage of whoever falls unconscious, which may be its death (pf1.rage)."""
    if is_down(fight, combatant):
        yield from end_rage(fight, combatant, "unconscious")


def calm_down(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """End one's rage as a free action."""
    actor, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    check_turn(fight, actor)
    if RAGING not in actor.conditions:
        raise Refusal(f"{actor.id} does not rage", rule)
    yield ActionSpent(who=actor.id, kind="free", what=END, cites=(rule,))
    yield from end_rage(fight, actor, "ends the rage")


def end_rage(fight: Fight, combatant: Combatant, why: str) -> Steps[None]:
    """End a rage: its hit points go, and fatigue comes for twice the rounds that it has lasted (pf1.rage)."""
    rule, began = fight.rule(TOPIC), beginning_of(combatant)
    if began is not None:
        yield EffectEnded(who=combatant.id, id=began.id, why=why, cites=(rule,))
    yield from rage_hit_points(fight, combatant, -1, OVER)
    yield ConditionLost(who=combatant.id, condition=RAGING, why=why, cites=(rule,))
    yield from tire(fight, combatant, began)


def wear_off(fight: Fight, combatant: Combatant, condition: str, held: Condition) -> Steps[None]:
    """Let a rage that something else has ended take its toll: the hit points, and fatigue after its own."""
    began = beginning_of(combatant)
    if began is not None:
        yield EffectEnded(who=combatant.id, id=began.id, why=OVER, cites=fight.rules(TOPIC))
    yield from rage_hit_points(fight, combatant, -1, OVER)
    yield from tire(fight, combatant, began)


def beginning_of(combatant: Combatant) -> Effect | None:
    """Return what notes how a rage of one's own began, None in that of a spell."""
    return next((one for one in combatant.effects if one.stat == BEGAN), None)


def tire(fight: Fight, combatant: Combatant, began: Effect | None) -> Steps[None]:
    """Settle what the lost hit points bring about; after a rage of one's own fatigue comes."""
    yield from settle_health(fight, combatant, OVER)
    if began is None or "dead" in combatant.conditions:
        return
    rule, raged = fight.rule(TOPIC), combatant.resources.get(RAGE, 0) - began.modifier.value
    rounds = raged * int(fight.figure(TOPIC, "fatigue"))
    until = for_rounds(fight, combatant, rounds)
    tired = ConditionGained(who=combatant.id, condition="fatigued", source=RAGE, until=until, cites=(rule,))
    yield from fight.dialect.conditions.gain(fight, tired)
