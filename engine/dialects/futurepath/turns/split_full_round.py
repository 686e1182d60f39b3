"""A full-round action over two rounds in Futurepath: begun as one turn ends, completed as the next begins."""

from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.futurepath.turns.action_types import TABLE
from affray.engine.fight.fight import Fight
from affray.engine.rules.turns.action_types import FULL_ROUND, MOVE, STANDARD
from affray.engine.rules.turns.split_full_round import (
    HALF,
    begun_effect,
    name_of,
    refuse_no_half,
    spend_half,
)
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.projections.state import Combatant

TOPIC = "futurepath.action.start-complete-full-round"


def start_or_complete(fight: Fight, act: acts.Split) -> Steps[None]:
    """Begin a full-round action with an attack action, or complete what was begun with another.

    Not a full attack, a charge, a run or a withdrawal (futurepath.action.start-complete-full-round,
    futurepath.action.start-complete.exclusions).
    """
    actor = fight.combatant(act.actor)
    then: Any = replace(act.then, actor=actor.id)
    excluded = "futurepath.action.start-complete.exclusions"
    if name_of(then) in fight.figure(excluded):
        raise Refusal(f"a {name_of(then)} cannot be split", fight.rule(excluded))
    rule = fight.rule(TOPIC)
    refuse_no_half(fight, actor, then, rule)
    first = begun_effect(actor, then)
    yield from spend_half(fight, actor, then, rule, first)


def refuse_out_of_turn(fight: Fight, combatant: Combatant, act: acts.Ready) -> None:
    """Refuse to ready half an action: it is begun as one's own turn ends, completed as the next begins.

    futurepath.action.start-complete-full-round.
    """
    if isinstance(act.then, acts.Split):
        reason = f"{combatant.id} begins or completes half an action only on its own turn"
        raise Refusal(reason, fight.rule(TOPIC))


def refuse_before_completing(fight: Fight, combatant: Combatant, act: acts.Act) -> None:
    """Refuse to whoever has begun a full-round action any other action: to complete it is the next.

    What takes no action, and free actions, are as free as ever
    (futurepath.action.start-complete.must-complete).
    """
    half = next((one for one in combatant.effects if one.stat == HALF), None)
    if half is None:
        return
    # What is being split asks for itself, as the other half of what was begun.
    meant = fight.doing if isinstance(fight.doing, acts.Split) else act
    if isinstance(meant, acts.Split):
        if begun_effect(combatant, replace(meant.then, actor=combatant.id)) is not None:
            return
    elif not isinstance(act, acts.Ready) and not takes_action(fight, combatant, act):
        return
    reason = f"{combatant.id} must first complete the full-round action that it has begun"
    raise Refusal(reason, fight.rule("futurepath.action.start-complete.must-complete"))


def takes_action(fight: Fight, combatant: Combatant, act: acts.Act) -> bool:
    """Say whether a declaration takes an attack, a move or a full-round action."""
    known = type(act) in TABLE
    return known and fight.dialect.turns.action_type(fight, combatant, act) in (STANDARD, MOVE, FULL_ROUND)
