"""Flames on somebody, and putting them out (futurepath.action.extinguish-flames)."""

from typing import Final

from affray.engine.dialects.futurepath.turns.special_initiative import told_safe
from affray.engine.fight.fight import Fight
from affray.engine.rules.environment.burning import whom_to_douse
from affray.engine.rules.environment.hazard_damage import BURNING
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost

TOPIC: Final = "futurepath.action.extinguish-flames"


def extinguish(fight: Fight, act: acts.Extinguish) -> Steps[None]:
    """Put out the flames on oneself or on somebody next to one: a full-round action that does not provoke.

    How it is done the text leaves open: it takes no check (futurepath.action.extinguish-flames).
    """
    actor, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    target = whom_to_douse(fight, act, rule)
    yield spending(fight, actor, "full-round", "put out the flames", rule)
    yield from told_safe(fight, actor, "putting out flames", (rule,))
    yield ConditionLost(who=target.id, condition=BURNING, why="put out", cites=(rule,))
