"""Delaying: waiting with one's turn, and taking it later (srd35.delay.action)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.rules.turns.expiry import keep_counts
from affray.engine.rules.turns.flow import advance, predecessor, refuse_borrowed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import InitiativeChanged, TurnDelayed, TurnEnded
from affray.projections.state import Combatant


def delay(fight: Fight, act: acts.Delay) -> Steps[None]:
    """Wait with the whole turn and let the next one act, until a count named in advance or until resumed.

    futurepath.action.delay, futurepath.action.delay.declare-or-wait, futurepath.action.delay.max, pf1.delay,
    srd35.delay.action, srd35.delay.declare-or-wait.
    """
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    refuse_down(fight, actor, "delay")
    refuse_borrowed(fight, actor)
    if actor.spent:
        raise Refusal(f"{actor.id} has begun to act and cannot delay", fight.rule("delay.action"))
    if act.count is not None and act.count >= actor.initiative:
        reason = f"{actor.id} acts on {actor.initiative}: {act.count} is no later count"
        raise Refusal(reason, fight.rule("delay.action"))
    last = predecessor(fight, actor.id)
    yield TurnDelayed(who=actor.id, cites=fight.rules("delay.action", "delay.limits"))
    yield TurnEnded(who=actor.id, skipped="delays", cites=(fight.rule("delay.declare-or-wait"),))
    if act.count is None:
        yield from advance(fight, actor.id)
        return
    others = [id for id in fight.state.order if id != actor.id]
    place = others.index(last) + 1 if last else 0
    for n, id in enumerate(others[place:], place + 1):
        if fight.state.combatants[id].initiative > act.count:
            place = n
    named = "delay.declare-or-wait"
    yield from keep_counts(fight, actor)
    yield act_at(fight, actor, act.count, others, place, named, "delay.lower-initiative")
    yield from advance(fight, last)


def resume(fight: Fight, act: acts.Resume) -> Steps[None]:
    """Take the delayed turn right after the one that is running.

    The initiative becomes that count for the rest of the fight; nobody is interrupted
    (srd35.delay.initiative-result, srd35.delay.limits, futurepath.action.delay.no-interrupt). In a later
    round it comes in place of the regular turn (srd35.delay.next-round, futurepath.action.delay.lost-action).
    """
    actor = fight.combatant(act.actor)
    state = fight.state
    if not actor.delaying:
        raise Refusal(f"{actor.id} is not delaying", fight.rule("delay.action"))
    if not state.active:
        raise Refusal("no turn is running after which to act", fight.rule("encounter.turn"))
    order = state.order
    if actor.waited == state.round and order.index(actor.id) > order.index(state.active):
        reason = f"{actor.id} takes its turn on {actor.initiative}, as it said"
        raise Refusal(reason, fight.rule("delay.declare-or-wait"))
    current = state.combatants[state.active]
    others = [id for id in order if id != actor.id]
    place = others.index(current.id) + 1
    later = "delay.lower-initiative" if actor.waited == state.round else "delay.next-round"
    yield from keep_counts(fight, actor)
    yield act_at(fight, actor, current.initiative, others, place, later)


def act_at(
    fight: Fight, actor: Combatant, count: int, others: list[str], place: int, *topics: str
) -> InitiativeChanged:
    """Return that a delayed turn comes on a count, after all from `place` on who act on it anyway.

    Of several who delayed to the same count the higher initiative modifier comes first, whoever said so first
    (futurepath.action.delay.multiple-delayers, srd35.initiative.ties, pf1.initiative.tie-by-modifier).
    """
    level: tuple[str, ...] = ()
    precedence = fight.dialect.turns.precedence
    for n, id in enumerate(others[place:], place + 1):
        other = fight.state.combatants[id]
        if other.initiative != count:
            break
        if other.delaying:
            level = ("delay.same-count",)
            if precedence(other) < precedence(actor):
                break
        place = n
    return InitiativeChanged(
        who=actor.id,
        value=count,
        order=(*others[:place], actor.id, *others[place:]),
        before=others[place] if place < len(others) else "",
        cites=fight.rules("delay.initiative-result", *topics, *level),
    )


def by_modifier(combatant: Combatant) -> tuple[int, ...]:
    """Return what precedence goes by among those who act on one count: the initiative modifier."""
    return (combatant.initiative_modifier,)
