"""Opportunity Attacks: right before a creature leaves the reach of an enemy that sees it."""

from collections.abc import Sequence

from affray.engine.dialects.srd52 import maneuvers
from affray.engine.dialects.srd52.attacks import ability_for, is_ranged, reach_with, strike_with
from affray.engine.dialects.srd52.classes import fields_of
from affray.engine.dialects.srd52.features import Strike, ask, has
from affray.engine.dialects.srd52.movement import why_still
from affray.engine.dialects.srd52.position import distance
from affray.engine.dialects.srd52.ready import OPPORTUNITY, can_oppose
from affray.engine.fight.fight import Fight
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import ReactionSpent
from affray.projections.state import Combatant


def react(fight: Fight, mover: Combatant, enemies: Sequence[Combatant]) -> Steps[bool]:
    """Let enemies attack a mover right before it leaves their reach, each with its Reaction.

    With a weapon, or an Unarmed Strike that may be a Grapple or a Shove. By one reading a rider may be
    attacked as its mount moves. Return whether the mover goes on: a hit does not stop it, Speed 0 does.
    """
    topics = ("trigger", "must-see", "means", "timing", "attack", "everyone")
    cites = fight.rules(*(f"opportunity.{topic}" for topic in topics), "turns.reaction-limit")
    rider = fight.state.combatants.get(mover.rider)
    for enemy in enemies:
        if not goes_on(fight, mover):
            return False
        if not can_oppose(fight, enemy) or has(fight, enemy, "no_opportunity_attacks"):
            continue
        arms = [one for one in fight.dialect.kernel.arms(fight, enemy) if not is_ranged(one)]
        usable = [one for one in arms if distance(enemy, mover) <= reach_with(fight, enemy, one)]
        if not usable:
            continue
        names = tuple(one.name for one in usable)
        if any(one.wield == "unarmed" for one in usable):
            names += tuple(one for one in maneuvers.OPTIONS if maneuvers.can_try(fight, enemy, mover, one))
        question = f"{mover.id} leaves the reach of {enemy.id}: does it make an Opportunity Attack?"
        rule = fight.rule("opportunity.cost")
        answer = yield Choice(enemy.id, "opportunity", question, (*names, "decline"), rule)
        if answer == "decline":
            continue
        target, own = mover, fields_of(fight, enemy)
        if rider is not None and fight.option("oa_rider") == "either-by-attackers-choice":
            whom = yield Choice(
                enemy.id, "whom", f"which creature does {enemy.id} attack?", (mover.id, rider.id), rule
            )
            target = fight.combatant(whom)
        single = fight.rules(*(["monster.multiattack-opportunity"] if own.multiattack else []))
        more = [held.feature.topic for _, held in ask(fight, enemy, "more_opportunities")]
        single = (*single, *fight.rules(*more))
        outer, fight.scope = fight.scope, f"reaction:{enemy.id}"
        try:
            yield ReactionSpent(
                who=enemy.id,
                kind=OPPORTUNITY,
                against=target.id,
                opportunity="",
                cites=(rule, *cites, *single),
            )
            if answer in maneuvers.OPTIONS:
                yield from maneuvers.attempt(fight, enemy, target, answer)
                continue
            weapon = next(one for one in usable if one.name == answer)
            yield from strike_with(
                fight, Strike(enemy, target, weapon, True, ability_for(fight, enemy, weapon))
            )
        finally:
            fight.scope = outer
    return goes_on(fight, mover)


def goes_on(fight: Fight, mover: Combatant) -> bool:
    """Return whether an attack has left a mover able to go on: the Incapacitated still move."""
    return "dead" not in mover.conditions and not why_still(fight, mover)[0]
