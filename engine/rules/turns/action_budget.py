"""Whose turn it is, what of it is left, and spending it."""

from affray.engine.fight.fight import Fight
from affray.engine.record.turns import Allowance
from affray.engine.steps import Refusal
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

#: What an open full attack has used of its series, as it stands among what a turn has spent.
ATTACKS = "attacks"
OFF_HAND = "off-hand attacks"
#: What begins the kinds that count the attacks with each natural weapon, which are among `ATTACKS` too.
LIMB = "attacks with the "

#: The kind of an action that takes nothing from a turn, and need not be in one's own.
OUT_OF_TURN = "out of turn"


def check_turn(fight: Fight, combatant: Combatant) -> None:
    """Refuse to anybody but the combatant whose turn it is, or who takes a readied act."""
    state = fight.state
    if state.closed:
        raise Refusal("the encounter is over", fight.rule("encounter.closed"))
    if not state.begun:
        raise Refusal("the fight has not begun", fight.rule("encounter.turn"))
    if fight.readied == combatant.id:
        return
    # A mount acts in its rider's turn.
    if state.active != combatant.id and not (combatant.rider and combatant.rider == state.active):
        whose = f"it is {state.active}'s turn" if state.active else "nobody's turn is running"
        raise Refusal(f"{combatant.id} is out of turn: {whose}", fight.rule("encounter.turn"))


def refuse_unless_allowed(fight: Fight, combatant: Combatant, kind: str) -> None:
    """Refuse an action of `kind` that the rest of the turn does not allow."""
    if fight.readied == combatant.id or kind == OUT_OF_TURN:
        return
    state = fight.state
    if state.active != combatant.id:
        check_turn(fight, combatant)
    allowed = fight.dialect.turns.allowance(fight, combatant)
    spent = combatant.spent
    standard, move = spent.get("standard", 0), spent.get("move", 0)
    full = spent.get("full-round", 0)
    rule = fight.rule(allowed.topic)
    if allowed.extra:
        if kind == "move" and move < allowed.extra:
            return
        move = max(0, move - allowed.extra)
    if kind == "full-round":
        if not allowed.full:
            raise Refusal(f"{combatant.id} cannot take a full-round action now", rule)
        if standard or move or full:
            raise Refusal(f"{combatant.id} has already acted this turn", rule)
    elif kind in ("standard", "move"):
        if full and not (kind == "move" and breaks_off(combatant)):
            raise Refusal(f"{combatant.id} has spent the turn on a full-round action", rule)
        if kind == "standard" and standard >= allowed.standard:
            raise Refusal(f"{combatant.id} has no standard action left", rule)
        if standard + move >= allowed.total or (kind == "move" and move >= allowed.move):
            raise Refusal(f"{combatant.id} has no action left this turn", rule)
    elif kind == "swift" and spent.get("swift", 0) >= allowed.swift:
        topic = allowed.swift_topic or allowed.topic
        raise Refusal(f"{combatant.id} has no swift action left", fight.rule(topic))


def is_open(combatant: Combatant) -> bool:
    """Say whether a full attack of this turn has attacks left, and the right to them was not given up."""
    spent = combatant.spent
    return bool(spent.get("full-round") and (spent.get(ATTACKS) or spent.get(OFF_HAND))) and not spent.get(
        "move"
    )


def breaks_off(combatant: Combatant) -> bool:
    """Say whether a full attack has made its first attack only, so that the rest may be given up.

    A move action then takes the place of what is left (srd35.full-attack.decide).
    """
    return is_open(combatant) and combatant.spent.get(ATTACKS, 0) + combatant.spent.get(OFF_HAND, 0) == 1


def stands_for(fight: Fight, combatant: Combatant, kind: str) -> tuple[str, ...]:
    """Return the rule by which a move action stands for something else: for the rest of a full attack, or
    for the standard action (srd35.full-attack.decide, srd35.action.move-for-standard).
    """
    if kind != "move" or not combatant.spent:
        return ()
    allowed = fight.dialect.turns.allowance(fight, combatant)
    if allowed.extra and has_used_all(combatant, allowed):
        return (fight.rule(allowed.extra_topic),)
    topic = (
        allowed.break_off if breaks_off(combatant) else allowed.swap if combatant.spent.get("move") else ""
    )
    return (fight.rule(topic),) if topic else ()


def has_used_all(combatant: Combatant, allowed: Allowance) -> bool:
    """Say whether a turn has used all but what it allows extra."""
    spent = combatant.spent
    return bool(spent.get("full-round") or spent.get("standard", 0) + spent.get("move", 0) >= allowed.total)


def spending(fight: Fight, combatant: Combatant, kind: str, what: str, *cites: str) -> ActionSpent:
    """Return the fact that part of the turn is used, after checking that it may be."""
    refuse_unless_allowed(fight, combatant, kind)
    stands = () if fight.readied == combatant.id else stands_for(fight, combatant, kind)
    cites = (*(cites or (fight.rule("action.types"),)), *stands)
    return ActionSpent(who=combatant.id, kind=kind, what=what, cites=cites)


def has_acted(fight: Fight, combatant: Combatant) -> bool:
    """Say whether somebody has no turn any more in this round: it is over, or there never was one."""
    order, now = fight.state.order, fight.state.active
    if combatant.id not in order:
        return fight.state.begun
    return now in order and order.index(combatant.id) < order.index(now)
