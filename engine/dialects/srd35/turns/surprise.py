"""The surprise round: who is aware, and what it allows (srd35.surprise.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.turns.flow import with_own_initiative
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.flow import AwarenessSettled, RoundBegan


def surprise(fight: Fight, act: acts.Begin) -> Steps[None]:
    """Settle who is surprised and roll initiative; a surprise round comes first if some are.

    Only the aware roll before the surprise round, the others before the first regular one
    (srd35.surprise.*, srd35.flow.sequence).
    """
    everybody = tuple(fight.state.combatants)
    unaware = tuple(id for id in everybody if id in act.unaware)
    aware = tuple(id for id in everybody if id not in act.unaware)
    some = bool(unaware) and bool(aware)
    yield AwarenessSettled(
        aware=aware, surprised=unaware if some else (), cites=(fight.rule("srd35.surprise.who"),)
    )
    first = with_own_initiative(fight, aware if some else everybody)
    for id in first:
        yield from fight.dialect.turns.initiative(fight, fight.state.combatants[id])
    yield from fight.dialect.turns.order(fight, first)
    if some:
        yield RoundBegan(number=0, cites=fight.rules("srd35.surprise.round", "srd35.surprise.unaware"))
    else:
        yield from fight.dialect.turns.open_round(fight, act.round)
