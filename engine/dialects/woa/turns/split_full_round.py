"""A full-round action in two halves, for those who have no full round (woa.restricted-activity.start-*)."""

from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.woa.opportunity.reaction_budget import BARRED_BY_PLAN
from affray.engine.dialects.woa.turns.declared_actions import allowance
from affray.engine.dialects.woa.turns.declared_intents import MEANT
from affray.engine.fight.fight import Fight
from affray.engine.rules.turns.split_full_round import (
    begun_effect,
    name_of,
    refuse_no_half,
    spend_half,
)
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.projections.state import Combatant

#: The conditions that leave no combat reactions, by what is done, as a plan calls it.
TAKEN_UP = {
    "cast": "casting",
    "read": "casting",
    "administer": "drinking",
    "handle-long": "handling",
    "draw-stowed": "handling",
}


def split(fight: Fight, act: acts.Split) -> Steps[None]:
    """Begin a full-round action with the one standard action of this round, or complete it in the next.

    Not a full attack, nor what involves movement (woa.restricted-activity.start-complete-full-round,
    .start-complete-limits).
    """
    actor = fight.combatant(act.actor)
    then: Any = replace(act.then, actor=actor.id)
    rule = fight.rule("woa.restricted-activity.start-complete-full-round")
    limits = "woa.restricted-activity.start-complete-limits"
    if type(then) not in fight.dialect.acts:
        raise Refusal(f"{fight.dialect.name} knows no {name_of(then)!r}", rule)
    if name_of(then) in fight.figure(limits, "forbidden"):
        raise Refusal(f"a {name_of(then)} cannot be split", fight.rule(limits))
    refuse_no_half(fight, actor, then, rule)
    first = begun_effect(actor, then)
    if first is None and allowance(fight, actor).full:
        reason = f"{actor.id} has a full-round action this round and need not split it"
        raise Refusal(reason, rule)
    yield from spend_half(fight, actor, then, rule, first)
    if first is None:
        yield from give_up_reactions(fight, actor, then)


def give_up_reactions(fight: Fight, actor: Combatant, then: Any) -> Steps[None]:
    """Take away the combat reactions of a round in which an act is begun that leaves none.

    woa.spell.no-combat-reactions, woa.device.scroll-no-reactions, .potion-no-reactions,
    woa.items.manipulate-no-reactions.
    """
    meant = MEANT.get(type(then))
    word = meant(fight, actor, then)[0] if meant is not None else ""
    if word in TAKEN_UP:
        yield ConditionGained(
            who=actor.id,
            condition=TAKEN_UP[word],
            source=str(getattr(then, "spell", "") or getattr(then, "item", "")),
            until=Until("round-end", "", fight.state.round),
            cites=fight.rules(BARRED_BY_PLAN[word]),
        )
