"""The flow of a fight: entering, beginning, rounds, turns, the end."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_company
from affray.engine.steps import Steps
from affray.events.facts.flow import EncounterDecided, RoundEnded
from affray.projections.state import Combatant
from affray.projections.view import VIEW


@per_company()
def is_decided(fight: Fight) -> bool:
    """Return whether at most one side still has combatants up."""
    side = None
    for one in fight.state.combatants.values():
        if one.side != side and not (one.conditions and is_down(fight, one)):
            if side is not None:
                return False
            side = one.side
    return True


def turns_are_over(fight: Fight) -> bool:
    """Return whether there are no more turns, though the fight is not closed.

    In old logs this held once at most one side had combatants up, and they are replayed like that.
    """
    return not fight.state.until_closed and is_decided(fight)


def announcement(fight: Fight) -> EncounterDecided | None:
    """Return the announcement that at most one side has combatants up: the fight may be closed now.

    It forbids nothing: turns go on, and the dying bleed and are tended (srd35.flow.sequence,
    woa.flow.repeat-until-resolved, pf1.flow.step-repeat, futurepath.flow.end-of-combat). None before the
    fight has begun, once it is closed, and in an old log.
    """
    state = fight.state
    if not state.until_closed or not state.begun or state.closed:
        return None
    standing = [one for one in state.combatants.values() if not is_down(fight, one)]
    return EncounterDecided(
        side=standing[0].side if standing else "",
        standing=tuple(one.id for one in standing),
        cites=(fight.rule("encounter.decided"),),
    )


def predecessor(fight: Fight, combatant_id: str) -> str:
    """Return the combatant directly before `combatant_id` in the order, "" for none."""
    place = fight.state.order.index(combatant_id) if combatant_id in fight.state.order else 0
    return fight.state.order[place - 1] if place else ""


def close_round(fight: Fight) -> Steps[None]:
    """End the round and record the digest of the state."""
    yield RoundEnded(number=fight.state.round, state=fight.digest(fight.state), view=VIEW)


def next_in_order(fight: Fight, last: str) -> Combatant | None:
    """Return the combatant after `last` in the order of this round; None at the round's end."""
    order = fight.state.order
    place = order.index(last) + 1 if last in order else 0
    return fight.state.combatants[order[place]] if place < len(order) else None
