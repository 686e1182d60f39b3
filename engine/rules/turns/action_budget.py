"""Whose turn it is, what of it is left, and spending it."""

from affray.engine.fight.fight import Fight
from affray.engine.record.turns import Allowance
from affray.engine.steps import Refusal
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

#: What an open full attack has used of its series, as it stands among what a turn has spent.
ATTACKS = "attacks"
OFF_HAND = "off-hand attacks"

#: The kind of an action that takes nothing from a turn, and need not be in one's own.
OUT_OF_TURN = "out of turn"


def check_turn(fight: Fight, who: Combatant) -> None:
    """Refuse to anybody but the combatant whose turn it is."""
    state = fight.state
    if state.closed:
        raise Refusal("the encounter is over", fight.rule("encounter.closed"))
    if not state.begun:
        raise Refusal("the fight has not begun", fight.rule("encounter.turn"))
    # A mount acts in its rider's turn.
    if state.active != who.id and not (who.rider and who.rider == state.active):
        whose = f"it is {state.active}'s turn" if state.active else "nobody's turn is running"
        raise Refusal(f"{who.id} is out of turn: {whose}", fight.rule("encounter.turn"))


def refuse_unless_allowed(fight: Fight, who: Combatant, kind: str) -> None:
    """Refuse an action of `kind` that the rest of the turn does not allow."""
    if fight.readied == who.id or kind == OUT_OF_TURN:
        return
    state = fight.state
    if state.active != who.id:
        check_turn(fight, who)
    allowed = fight.dialect.turns.allowance(fight, who)
    spent = who.spent
    standard, move = spent.get("standard", 0), spent.get("move", 0)
    full = spent.get("full-round", 0)
    rule = fight.rule(allowed.topic)
    if allowed.extra:
        if kind == "move" and move < allowed.extra:
            return
        move = max(0, move - allowed.extra)
    if kind == "full-round":
        if not allowed.full:
            raise Refusal(f"{who.id} cannot take a full-round action now", rule)
        if standard or move or full:
            raise Refusal(f"{who.id} has already acted this turn", rule)
    elif kind in ("standard", "move"):
        if full and not (kind == "move" and breaks_off(who)):
            raise Refusal(f"{who.id} has spent the turn on a full-round action", rule)
        if kind == "standard" and standard >= allowed.standard:
            raise Refusal(f"{who.id} has no standard action left", rule)
        if standard + move >= allowed.total or (kind == "move" and move >= allowed.move):
            raise Refusal(f"{who.id} has no action left this turn", rule)
    elif kind == "swift" and spent.get("swift", 0) >= allowed.swift:
        topic = allowed.swift_topic or allowed.topic
        raise Refusal(f"{who.id} has no swift action left", fight.rule(topic))


def is_open(who: Combatant) -> bool:
    """Say whether a full attack of this turn has attacks left, and the right to them was not given up."""
    spent = who.spent
    return bool(spent.get("full-round") and (spent.get(ATTACKS) or spent.get(OFF_HAND))) and not spent.get(
        "move"
    )


def breaks_off(who: Combatant) -> bool:
    """Say whether a full attack has made its first attack only, so that the rest may be given up.

    A move action then takes the place of what is left (srd35.full-attack.decide).
    """
    return is_open(who) and who.spent.get(ATTACKS, 0) + who.spent.get(OFF_HAND, 0) == 1


def stands_for(fight: Fight, who: Combatant, kind: str) -> tuple[str, ...]:
    """Return the rule by which a move action stands for something else: for the rest of a full attack, or
    for the standard action (srd35.full-attack.decide, srd35.action.move-for-standard).
    """
    if kind != "move" or not who.spent:
        return ()
    allowed = fight.dialect.turns.allowance(fight, who)
    if allowed.extra and has_used_all(who, allowed):
        return (fight.rule(allowed.extra_topic),)
    topic = allowed.break_off if breaks_off(who) else allowed.swap if who.spent.get("move") else ""
    return (fight.rule(topic),) if topic else ()


def has_used_all(who: Combatant, allowed: Allowance) -> bool:
    """Say whether a turn has used all but what it allows extra."""
    spent = who.spent
    return bool(spent.get("full-round") or spent.get("standard", 0) + spent.get("move", 0) >= allowed.total)


def spending(fight: Fight, who: Combatant, kind: str, what: str, *cites: str) -> ActionSpent:
    """Return the fact that part of the turn is used, after checking that it may be."""
    refuse_unless_allowed(fight, who, kind)
    if fight.readied == who.id:
        kind = "readied"
    cites = (*(cites or (fight.rule("action.types"),)), *stands_for(fight, who, kind))
    return ActionSpent(who=who.id, kind=kind, what=what, cites=cites)


def has_acted(fight: Fight, who: Combatant) -> bool:
    """Say whether somebody has no turn any more in this round: it is over, or there never was one."""
    order, now = fight.state.order, fight.state.active
    if who.id not in order:
        return fight.state.begun
    return now in order and order.index(who.id) < order.index(now)
