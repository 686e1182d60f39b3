"""Delaying: waiting with one's turn, and taking it later (srd35.delay.action)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.rules.turns.flow import advance, refuse_borrowed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import InitiativeChanged, TurnDelayed, TurnEnded


def delay(fight: Fight, act: acts.Delay) -> Steps[None]:
    """Wait with the whole turn and let the next one act (srd35.delay.action).

    futurepath.action.delay, futurepath.action.delay.declare-or-wait, futurepath.action.delay.max, pf1.delay,
    srd35.delay.declare-or-wait.
    """
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    refuse_borrowed(fight, actor)
    if actor.spent:
        raise Refusal(f"{actor.id} has begun to act and cannot delay", fight.rule("delay.action"))
    yield TurnDelayed(who=actor.id, cites=fight.rules("delay.action", "delay.limits"))
    yield TurnEnded(who=actor.id, skipped="delays", cites=(fight.rule("delay.declare-or-wait"),))
    yield from advance(fight, actor.id)


def resume(fight: Fight, act: acts.Resume) -> Steps[None]:
    """Take the delayed turn right after the one that is running.

    The initiative becomes that count for the rest of the fight; nobody is interrupted
    (srd35.delay.initiative-result, srd35.delay.limits, futurepath.action.delay.no-interrupt).
    """
    actor = fight.combatant(act.actor)
    state = fight.state
    if not actor.delaying:
        raise Refusal(f"{actor.id} is not delaying", fight.rule("delay.action"))
    if not state.active:
        raise Refusal("nobody's turn is running", fight.rule("encounter.turn"))
    current = state.combatants[state.active]
    others = [id for id in state.order if id != actor.id]
    place = others.index(current.id) + 1
    before = others[place] if place < len(others) else ""
    order = (*others[:place], actor.id, *others[place:])
    yield InitiativeChanged(
        who=actor.id,
        value=current.initiative,
        order=order,
        before=before,
        cites=fight.rules("delay.initiative-result", "delay.lower-initiative"),
    )
