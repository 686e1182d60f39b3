"""A full-round action in two halves, for those who have no full round (woa.restricted-activity.start-*)."""

from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.woa.turns.declared_actions import allowance
from affray.engine.fight.fight import Fight
from affray.engine.rules.turns.split_full_round import begun_effect, name_of, refuse_no_half, spend_half
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts


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
        raise Refusal(
            f"{fight.dialect.name} knows no {name_of(then)!r}", fight.rule("woa.action-type.enumeration")
        )
    if name_of(then) in fight.figure(limits, "forbidden"):
        raise Refusal(f"a {name_of(then)} cannot be split", fight.rule(limits))
    refuse_no_half(fight, actor, then, rule)
    first = begun_effect(actor, then)
    if first is None and allowance(fight, actor).full:
        raise Refusal(f"{actor.id} has the whole round for it", rule)
    yield from spend_half(fight, actor, then, rule, first)
