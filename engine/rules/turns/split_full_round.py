"""A full-round action in two halves, each a standard action (srd35.action.full-round-split)."""

from typing import Any

import msgspec
from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.rules.turns.action_types import FULL_ROUND
from affray.engine.rules.turns.prohibitions import permit
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant, Effect

HALF = "half-done"
"""The stat of the effect that keeps in mind what was begun."""


def name_of(act: Any) -> str:
    """Return what an act is called."""
    return str(act.__struct_config__.tag).replace("-", " ")


def refuse_no_half(fight: Fight, combatant: Combatant, then: Any, rule: str) -> None:
    """Refuse to halve what is no full-round action here, and halves for which there is no standard action."""
    known = type(then) in fight.dialect.acts
    if not known or fight.dialect.turns.action_type(fight, combatant, then) != FULL_ROUND:
        raise Refusal(f"to {name_of(then)} is no full-round action", rule)
    refuse_unless_allowed(fight, combatant, "standard")


def begun_effect(combatant: Combatant, then: Any) -> Effect | None:
    """Return the effect that says that this very act was begun, None if it was not."""
    words = act_as_text(then)
    return next((one for one in combatant.effects if one.stat == HALF and one.modifier.source == words), None)


def act_as_text(then: Any) -> str:
    """Return an act as the effect keeps it."""
    return msgspec.json.encode(then).decode()


def spend_half(fight: Fight, combatant: Combatant, then: Any, rule: str, first: Effect | None) -> Steps[None]:
    """Spend a standard action on half an act; where its `first` half is done, carry it out with the other.

    Refuses what the act refuses.
    """
    permit(fight, then)
    steps = fight.dialect.acts[type(then)](fight, then)
    step = as_if_there_were_time(fight, combatant, steps)
    if first is None:
        steps.close()
        yield spending(fight, combatant, "standard", f"begin to {name_of(then)}", rule)
        yield EffectGained(
            who=combatant.id,
            id=f"{fight.declaration}:{HALF}",
            stat=HALF,
            modifier=Modifier(0, "untyped", act_as_text(then), rule),
            until=Until("turn-end", combatant.id, fight.state.round + 1),
            cites=(rule,),
        )
        return
    # What the game master must say before the action is spent is asked as it is completed.
    while not isinstance(step, ActionSpent):
        answer = yield step
        try:
            step = as_if_there_were_time(fight, combatant, steps, answer)
        except StopIteration:
            return
    yield replace(step, kind="standard", what=f"complete: {name_of(then)}", cites=(*step.cites, rule))
    yield EffectEnded(who=combatant.id, id=first.id, why="completed", cites=(rule,))
    yield from steps


def as_if_there_were_time(fight: Fight, combatant: Combatant, steps: Steps[None], answer: Any = None) -> Any:
    """Return the next step of an act up to the spending of its action, as if the whole round were there.

    Refuses what the act refuses.
    """
    outer, fight.readied = fight.readied, combatant.id
    try:
        return steps.send(answer)
    finally:
        fight.readied = outer


def split(fight: Fight, act: acts.Split) -> Steps[None]:
    """Begin a full-round action with a standard action, or complete what was begun last turn with another.

    Not a full attack, a charge, a run or a withdrawal (srd35.action.full-round-split,
    pf1.action.split-full-round).
    """
    actor = fight.combatant(act.actor)
    then = replace(act.then, actor=actor.id)
    rule = fight.rule("action.full-round-split")
    if name_of(then) in fight.figure("action.full-round-split", "excluded"):
        raise Refusal(f"a {name_of(then)} cannot be split", rule)
    refuse_no_half(fight, actor, then, rule)
    yield from spend_half(fight, actor, then, rule, begun_effect(actor, then))
