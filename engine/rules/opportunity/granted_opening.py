"""The attack of opportunity that nobody offered: an opening by the game master's word."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.turns.sides import refuse_no_opponent
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts


def opening(fight: Fight, act: acts.Opening) -> Steps[None]:
    """Offer one attack of opportunity at once; if there can be none now, that is recorded with the reason.

    Reach, weapons and what is left of the round are judged as everywhere (srd35.aoo.triggers,
    pf1.aoo.moving-provokes, futurepath.aoo.leaving-or-passing-threat-range, woa.aoo.provoke.common-causes).
    """
    target, opponent = fight.combatant(act.target), fight.combatant(act.opponent)
    rule = fight.rule("aoo.triggers")
    if fight.state.closed or not fight.state.begun:
        raise Refusal("no fight is going on", rule)
    refuse_no_opponent(target, opponent, rule)
    refuse_down(fight, target, "give an opening")
    refuse_down(fight, opponent, "attack")
    if not threatens(fight, opponent, target):
        raise Refusal(f"{opponent.id} does not threaten {target.id}", rule)
    if not fight.dialect.opportunity.weapons_at(fight, opponent, target):
        raise Refusal(f"{opponent.id} has nothing at hand to strike {target.id} with", rule)
    reason = act.reason or "gives an opening"
    name = f"opening:{fight.declaration}"
    return fight.dialect.opportunity.provoke(fight, target, [opponent], reason, name, rule)
