"""Maneuvers at the end of a charge, in the place of its attack (pf1.maneuver.modes)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.steps import NOTHING, Refusal, Steps
from affray.events.facts import acts

#: Rules that the place decides: a charger is not there yet.
PLACE: Final = (
    "attack-action.melee",
    "cover.total-no-attack",
    "pf1.reach.larger-creatures",
    "pf1.reach.medium-or-smaller",
    "pf1.reach.reach-weapon-users",
)


def refuse_hopeless(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Refuse a charge with a maneuver at its end that could not be made from any place."""
    plan = fight.dialect.maneuvers.substitutes[act.special]
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    try:
        plan.prepare(fight, actor, target, act.weapon, act.item, "charge")
    except Refusal as refused:
        if refused.rule not in fight.rules(*PLACE):
            raise
    return NOTHING
