"""What a turn allows: how many actions of which kind."""

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.record.turns import Allowance
from affray.engine.rules.conditions.condition_rules import actions_of
from affray.engine.rules.conditions.mental_actions import can_act_by_mind
from affray.projections.state import Combatant

FULL = Allowance()

SINGLE = Allowance(1, 1, 1, False, 0, 1, "action.restricted")


def allowance(fight: Fight, combatant: Combatant) -> Allowance:
    """Return what this turn allows: one standard and one move action, or a full-round one.

    A surprise round and some conditions leave one standard or move action
    (srd35.action.types, srd35.action.restricted).
    """
    if combatant.conditions:
        rules = [rule_of(fight, name) for name in combatant.conditions]
        left = {actions_of(fight, rule): rule.topic for rule in rules}
        if "none" in left:
            return Allowance(0, 0, 0, False, 0, 0, left["none"])
        if "mental" in left:
            return mental_allowance(combatant, left["mental"])
        if "move" in left:
            return Allowance(0, 1, 1, False, 0, 1, left["move"])
        if "single" in left:
            return Allowance(1, 1, 1, False, FULL.swift, 1, left["single"])
    if fight.state.round == 0:
        return SINGLE
    return FULL


def mental_allowance(combatant: Combatant, topic: str) -> Allowance:
    """Return what is left of a turn to whom the rule on `topic` leaves only what takes the mind alone."""
    return (
        Allowance(1, 0, 1, True, 0, 0, topic)
        if can_act_by_mind(combatant)
        else Allowance(0, 0, 0, False, 0, 0, topic)
    )
