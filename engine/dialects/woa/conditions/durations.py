"""How long an effect of some rounds lasts (woa.round.effect-duration)."""

from affray.engine.fight.fight import Fight
from affray.events.facts.combat import Until
from affray.projections.state import Combatant

FOR_GOOD = 1_000_000
SECONDS_A_MINUTE = 60


def a_minute(fight: Fight) -> int:
    """Return the rounds of a minute (woa.round.duration)."""
    return int(SECONDS_A_MINUTE // fight.figure("woa.round.duration", "seconds"))


def rounds_gone_by(fight: Fight) -> int:
    """Return the rounds that have gone by, those outside of combat too."""
    return fight.state.round + fight.state.minutes * a_minute(fight)


def last_round(fight: Fight, victim: Combatant, rounds: int) -> int:
    """Return the last round of an effect that costs so many rounds of actions.

    The current round counts if the victim has yet to act in it (woa.round.effect-duration).
    """
    state = fight.state
    if state.phase == "declare" or not state.begun or victim.id not in state.order:
        return state.round + rounds - (1 if state.phase == "declare" else 0)
    acting = state.order.index(state.active) if state.active in state.order else -1
    acted = state.order.index(victim.id) <= acting
    return state.round + rounds - (0 if acted else 1)


def for_rounds(fight: Fight, combatant: Combatant, rounds: int) -> Until:
    """Return the end of an effect that costs so many rounds of actions; 0 rounds has none."""
    return Until("round-end", "", last_round(fight, combatant, rounds)) if rounds else Until()


def last_round_of(until: Until) -> int:
    """Return the round to which something lasts; what has no end lasts longest."""
    return until.round if until.when else FOR_GOOD
