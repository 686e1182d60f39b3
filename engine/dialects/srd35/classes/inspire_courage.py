"""Inspire courage: music that gives heart, and rings on when it ends (srd35.class.inspire-courage)."""

from affray.engine.dialects.srd35.classes import fear_bonuses
from affray.engine.dialects.srd35.classes.monk_levels import at_level
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.levels import class_level
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectEnded, EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

INSPIRE, STOP = "inspire courage", "stop music"
TOPIC = "srd35.class.inspire-courage"
PLAYING = "making music"
STATS = ("attack", "damage", fear_bonuses.STAT)


def inspire(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Begin to play as a standard action: allies who hear it gain a morale bonus as long as it lasts.

    The bonus counts for attacks, weapon damage, saves against fear and charm (srd35.class.inspire-courage).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    if PLAYING in actor.conditions:
        raise Refusal(f"{actor.id} makes music already", rule)
    value = at_level(fight.figure(TOPIC), class_level(actor, "bard"))
    if value is None:
        raise Refusal(f"{actor.id} has no level to inspire courage with", rule)
    yield spending(fight, actor, "standard", INSPIRE, rule)
    yield ConditionGained(who=actor.id, condition=PLAYING, source=INSPIRE, cites=(rule,))
    for one in [actor, *fight.allies(actor)]:
        if "deafened" in one.conditions or is_down(fight, one):
            continue
        yield from give_courage(fight, actor, one, Modifier(value, "morale", INSPIRE, rule), Until())


def give_courage(
    fight: Fight, combatant: Combatant, ally: Combatant, part: Modifier, until: Until
) -> Steps[None]:
    """Give one listener the bonus until a moment, "" for as long as the music lasts."""
    for stat in STATS:
        yield EffectGained(
            who=ally.id,
            id=f"{fight.declaration}:{combatant.id}:{ally.id}:{stat}",
            stat=stat,
            modifier=part,
            until=until,
            cites=(part.rule,),
        )


def stop_music(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """End the music: its effect lingers for some rounds."""
    actor = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    check_turn(fight, actor)
    if PLAYING not in actor.conditions:
        raise Refusal(f"{actor.id} makes no music", rule)
    yield ActionSpent(who=actor.id, kind="free", what=STOP, cites=(rule,))
    yield from end_music(fight, actor, "the music ends")


def end_music(fight: Fight, combatant: Combatant, why: str) -> Steps[None]:
    """Let the music end and what it gave last 5 rounds more."""
    rule = fight.rule(TOPIC)
    until = for_rounds(fight, combatant, fight.figure(TOPIC, "linger_rounds"))
    yield ConditionLost(who=combatant.id, condition=PLAYING, why=why, cites=(rule,))
    for one in fight.state.combatants.values():
        mine = [
            effect
            for effect in one.effects
            if effect.modifier.rule == rule and not effect.until.when and f":{combatant.id}:" in effect.id
        ]
        for effect in mine:
            yield EffectEnded(who=one.id, id=effect.id, why=why, cites=(rule,))
        if mine:
            yield from give_courage(fight, combatant, one, mine[0].modifier, until)
