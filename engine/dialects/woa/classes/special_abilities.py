"""Implement the costs of racial and class abilities that are described elsewhere (woa.action-type.*).

The effect of the ability is in its own description; the sheet names it among its traits: "swift NAME" and
"immediate NAME" cost combat reactions, "reaction NAME" is a further kind of reaction, "ki N" is a monk's
pool.
"""

from collections.abc import Iterator

from affray.engine.dialects.woa.opportunity.reaction_budget import (
    cost_topic,
    has_reaction_left,
    paid_by,
    reactions_left,
    refuse_swift_in_defense,
)
from affray.engine.dialects.woa.turns import swift_actions
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.sheets import has_trait
from affray.engine.rules.conditions.conditions import refuse_down
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ResourceSpent, Until
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.projections.state import Combatant

KINDS = ("swift", "immediate", "reaction")
KI_MOVE = "ki move"
"""The ability and the condition by which a monk has one more move action this round."""


def use_known_ability(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Use a special ability at its cost: a monk's ki, a swift or immediate action, a reaction."""
    actor = fight.combatant(act.actor)
    if act.ability == KI_MOVE:
        return gain_ki_move(fight, actor, act.target)
    if act.target:
        fight.combatant(act.target)
    kind = ability_kind(actor, act.ability)
    return (
        use_reaction_ability(fight, actor, act)
        if kind == "reaction"
        else use_swift_ability(fight, actor, kind, act)
    )


def uses_known_ability(fight: Fight, act: acts.UseAbility) -> bool:
    """Return whether an ability costs ki or combat reactions (woa.reaction.other-sources)."""
    return act.ability == KI_MOVE or bool(ability_kind(fight.combatant(act.actor), act.ability))


def ability_kind(combatant: Combatant, ability: str) -> str:
    """Return the kind of an ability that costs combat reactions, "" for one that does not."""
    return next((kind for kind in KINDS if has_trait(combatant, f"{kind} {ability}")), "")


def use_swift_ability(fight: Fight, actor: Combatant, kind: str, act: acts.UseAbility) -> Steps[None]:
    """Use an ability as a swift or immediate action (woa.action-type.swift-cost, .immediate)."""
    swift_actions.refuse_swift(fight, actor, kind)
    yield from swift_actions.pay_for_swift(fight, actor, kind, act.ability)
    yield make_ability_used_fact(fight, actor, act, cost_topic(kind))


def use_reaction_ability(fight: Fight, actor: Combatant, act: acts.UseAbility) -> Steps[None]:
    """Use an ability that is a separate kind of combat reaction (woa.reaction.other-sources)."""
    rule = fight.rule("woa.reaction.other-sources")
    if fight.state.closed or fight.state.phase != "turns":
        raise Refusal("nobody's turn is running, and there is nothing to react to", rule)
    refuse_down(fight, actor, "react")
    if not has_reaction_left(fight, actor, act.ability):
        refuse_swift_in_defense(fight, actor)
        raise Refusal(f"{actor.id} has no combat reaction left", fight.rule(reactions_left(fight, actor)[1]))
    yield ReactionSpent(
        who=actor.id,
        kind=act.ability,
        against=act.target,
        opportunity="",
        cites=(rule, *fight.rules(*paid_by(fight, actor))),
    )
    yield make_ability_used_fact(fight, actor, act, "woa.reaction.other-sources")


def make_ability_used_fact(fight: Fight, actor: Combatant, act: acts.UseAbility, topic: str) -> RuleApplied:
    """Return the fact that an ability was used; its effect is in its description."""
    at = f" on {act.target}" if act.target else ""
    return RuleApplied(who=actor.id, what=f"uses {act.ability}{at}", cites=(fight.rule(topic),))


def gain_ki_move(fight: Fight, combatant: Combatant, target: str) -> Steps[None]:
    """Spend ki for one more move action in this round, before the actions are declared.

    It has no target (woa.class.monk-ki-extra-move).
    """
    topic = "woa.class.monk-ki-extra-move"
    rule = fight.rule(topic)
    if target:
        raise Refusal(f"ki moves only {combatant.id} and has no effect on a target: name none", rule)
    cost = fight.figure(topic, "ki_cost")
    if combatant.resources.get("ki", 0) + cost > ki_points(combatant):
        raise Refusal(f"{combatant.id} has no ki {'left' if ki_points(combatant) else 'to spend'}", rule)
    if KI_MOVE in combatant.conditions:
        raise Refusal(f"{combatant.id} has the extra move action already", rule)
    if fight.state.closed or not fight.state.begun or combatant.plan:
        raise Refusal("ki is spent before the actions are declared", rule)
    yield ResourceSpent(who=combatant.id, resource="ki", amount=cost, cites=(rule,))
    until = Until("round-end", "", fight.state.round)
    yield ConditionGained(who=combatant.id, condition=KI_MOVE, source="ki", until=until, cites=(rule,))


def ki_pool(fight: Fight, combatant: Combatant) -> Iterator[tuple[str, int]]:
    """Yield the ki pool of a monk, if it has one."""
    if points := ki_points(combatant):
        yield "ki", points


def ki_points(combatant: Combatant) -> int:
    """Return a monk's ki points, as given by its traits ("ki 4")."""
    return next(
        (int(one[3:]) for one in combatant.sheet.traits if one.startswith("ki ") and one[3:].isdigit()), 0
    )
