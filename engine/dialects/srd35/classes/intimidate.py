"""Demoralizing an opponent (srd35.skill.intimidate)."""

from affray.engine.dialects.srd35.maneuvers.opposed_checks import beats_opposed
from affray.engine.dialects.srd35.senses.concealment import look
from affray.engine.fight.fight import Fight
from affray.engine.record.maneuvers import Side
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.levels import lost_levels
from affray.engine.rules.classes.saves_and_checks import skill_parts
from affray.engine.rules.maneuvers.opposed_checks import side_of
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.rules.turns.sides import refuse_no_opponent
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier

FEAR = "srd35.skill.intimidate"


def demoralize(fight: Fight, act: acts.Demoralize) -> Steps[None]:
    """Shake an opponent within reach that sees the actor, for a round (srd35.skill.intimidate)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(FEAR)
    refuse_no_opponent(actor, target, rule, "to demoralize")
    if not threatens(fight, actor, target):
        raise Refusal(f"{actor.id} does not threaten {target.id}", rule)
    if look(fight, target, actor, True).unseen:
        raise Refusal(f"{target.id} does not see {actor.id}", rule)
    yield spending(fight, actor, "standard", "demoralize", rule)
    immune = fight.dialect.conditions.immune_mind(fight, target, "shaken")
    if immune:
        yield RuleApplied(who=target.id, what="immune: not shaken", cites=immune)
        return
    mine = skill_parts(fight, actor, "intimidate", "cha", rule)
    steps = size_step(actor) - size_step(target)
    if steps:
        source = "larger" if steps > 0 else "smaller"
        mine.append(Modifier(fight.figure(FEAR, "size") * steps, "size difference", source, rule))
    theirs = [
        Modifier(target.sheet.hit_dice, "level", "level or Hit Dice", rule),
        *lost_levels(fight, target),
        Modifier(max(0, ability_now(fight, target, "wis")), "ability", "Wisdom", rule),
        *fight.dialect.classes.save_against_condition(fight, target, "shaken", ""),
    ]
    daring = side_of(fight, actor, "intimidate", mine)
    contest = yield from beats_opposed(fight, "demoralize", daring, Side(target, theirs), rule)
    if contest.won:
        until = for_rounds(fight, actor, fight.figure(FEAR, "rounds"))
        daunted = ConditionGained(
            who=target.id, condition="shaken", source=actor.id, until=until, cites=(rule,)
        )
        yield from fight.dialect.conditions.gain(fight, daunted)
