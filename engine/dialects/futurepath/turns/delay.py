"""How long a turn can be put off: until everybody else has acted, and what a forfeited action leaves."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import can_act
from affray.engine.rules.turns.delay import act_at
from affray.engine.rules.turns.expiry import keep_counts
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import ActionSpent, InitiativeChanged
from affray.projections.state import Combatant

MAX, LOST = "futurepath.action.delay.max", "futurepath.action.delay.lost-action"

#: What a combatant has spent that waited until the round was over.
FORFEITED = "forfeited"


def last_turn(fight: Fight) -> Steps[str]:
    """Return which delayed turn comes now that everybody else has acted, "" if the round is over.

    The ones with the lower precedence are asked first: who wants to go last of all has the higher one
    (futurepath.action.delay.max, futurepath.action.delay.multiple-delayers).
    """
    waiting = [one for one in delaying(fight) if one.waited == fight.state.round]
    for combatant in sorted(waiting, key=fight.dialect.turns.precedence):
        if combatant.spent.get(FORFEITED) or not can_act(fight, combatant):
            continue
        answer = yield Choice(
            combatant.id,
            "last",
            f"everybody else has acted: does {combatant.id} act now, or forfeit its action of this round?",
            ("act", "forfeit"),
            fight.rule(MAX),
        )
        if answer == "act":
            yield from keep_counts(fight, combatant)
            yield at_end_of_round(fight, combatant)
            return combatant.id
        yield ActionSpent(
            who=combatant.id, kind=FORFEITED, what="forfeits its action of this round", cites=fight.rules(MAX)
        )
    return ""


def at_end_of_round(fight: Fight, combatant: Combatant) -> InitiativeChanged:
    """Return that a delayed turn comes behind all others, on the lowest count there is."""
    others = [id for id in fight.state.order if id != combatant.id]
    lowest = min(fight.state.combatants[id].initiative for id in fight.state.order)
    several = ("delay.same-count",) if len(delaying(fight)) > 1 else ()
    return act_at(fight, combatant, lowest, others, len(others), MAX, *several)


def delaying(fight: Fight) -> list[Combatant]:
    """Return those who wait with their turns, in the order of initiative."""
    return [one for one in map(fight.state.combatants.__getitem__, fight.state.order) if one.delaying]


def ahead_of_all(fight: Fight, number: int) -> Steps[None]:
    """Let those who have forfeited an action choose to act before everybody else in this round.

    After anybody's turn they `resume`, or they wait for their own (futurepath.action.delay.lost-action). The
    highest precedence is asked last, and so comes first.
    """
    forfeited = [one for one in delaying(fight) if one.spent.get(FORFEITED)]
    for combatant in sorted(forfeited, key=fight.dialect.turns.precedence):
        order = fight.state.order
        if order[0] == combatant.id:
            continue
        answer = yield Choice(
            combatant.id,
            "first",
            f"{combatant.id} forfeited its action: does it act before everybody else in this round?",
            ("wait", "act"),
            fight.rule(LOST),
        )
        if answer == "act":
            yield from keep_counts(fight, combatant)
            yield InitiativeChanged(
                who=combatant.id,
                value=fight.state.combatants[order[0]].initiative + 1,
                order=(combatant.id, *(id for id in order if id != combatant.id)),
                before=order[0],
                cites=fight.rules(LOST, "delay.initiative-result"),
            )
