"""The flight of those who are turned: what they may declare, and that it leads away (srd35.turn.flee).

pf1.turn.feat.
"""

from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.flight import FLEEING, UNWILLED
from affray.engine.rules.movement.flee import feet_apart, flight_path
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.projections.state import Combatant


def turner_of(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return whom a turned creature flees from, None for one that is not turned."""
    turned = combatant.conditions.get("turned")
    return fight.state.combatants.get(turned.source) if turned is not None else None


def refuse_but_flight(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse to the turned what does not lead away from the turner (srd35.turn.flee, pf1.turn.feat)."""
    turner = turner_of(fight, actor)
    if turner is None or isinstance(act, UNWILLED):
        return
    rule = fight.rule("turn.flee")
    if isinstance(act, FLEEING):
        if act.path and feet_apart(actor, act.path[-1], turner) <= feet_apart(actor, actor.at, turner):
            raise Refusal(
                f"{actor.id} is turned and flees from {turner.id}: this way leads no farther from it", rule
            )
        return
    if isinstance(act, acts.EndTurn):
        if (
            fight.state.active == actor.id
            and can_still_move(fight, actor)
            and flight_path(fight, actor, turner)
        ):
            raise Refusal(f"{actor.id} is turned and flees from {turner.id} as fast as it can", rule)
        return
    if not isinstance(act, acts.Stand):
        raise Refusal(f"{actor.id} is turned and does nothing but flee from {turner.id}", rule)


def can_still_move(fight: Fight, combatant: Combatant) -> bool:
    """Say whether the turn leaves a move action."""
    try:
        refuse_unless_allowed(fight, combatant, "move")
    except Refusal:
        return False
    return not combatant.spent.get("step")
