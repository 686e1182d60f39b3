"""Implement swift and immediate actions, which cost combat reactions.

woa.action-type.swift-*, .immediate*
"""

from affray.engine.dialects.woa.opportunity.reaction_budget import (
    cost_topic,
    paid_by,
    reactions_left,
    refuse_swift_in_defense,
    swift_cost,
)
from affray.engine.fight.fight import Fight
from affray.engine.steps import Refusal, Steps
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant


def refuse_swift(fight: Fight, combatant: Combatant, kind: str) -> None:
    """Refuse a swift action out of turn, and either kind without a reaction left for it.

    `kind` is "swift" or "immediate"; an immediate action may be taken at any time in the turns, but not by
    the flat-footed without Combat Reflexes (woa.action-type.immediate, .immediate-flat-footed).
    """
    state = fight.state
    if kind == "swift" and (state.active != combatant.id or fight.readied):
        raise Refusal(
            f"{combatant.id} takes swift actions only on its own turn",
            fight.rule("woa.action-type.swift-timing"),
        )
    if state.closed or state.phase != "turns":
        raise Refusal("nobody's turn is running", fight.rule("woa.action-type.immediate"))
    refuse_swift_in_defense(fight, combatant)
    remaining, topic = reactions_left(fight, combatant)
    if remaining < fight.figure(cost_topic(kind), "cost_combat_reactions"):
        if kind == "immediate" and topic == "reaction.flat-footed":  # woa.reaction.flat-footed
            topic = "woa.action-type.immediate-flat-footed"
        elif topic == "reaction.count-by-bab":
            topic = cost_topic(kind)
        raise Refusal(
            f"{combatant.id} has no combat reaction left for {article(kind)} action", fight.rule(topic)
        )


def pay_for_swift(fight: Fight, combatant: Combatant, kind: str, what: str, *cites: str) -> Steps[None]:
    """Spend a swift or immediate action on the fly, and the combat reactions that it costs."""
    timing = "woa.action-type.swift-timing" if kind == "swift" else "woa.action-type.immediate"
    yield ActionSpent(
        who=combatant.id, kind=kind, what=what, cites=(*cites, *fight.rules(timing, "woa.declare.on-the-fly"))
    )
    topics = (cost_topic(kind), "woa.reaction.swift-immediate-cost", *paid_by(fight, combatant))
    yield swift_cost(fight, combatant, *fight.rules(*topics), kind=kind)


def article(kind: str) -> str:
    """Return a kind of action with its article."""
    return f"an {kind}" if kind == "immediate" else f"a {kind}"
