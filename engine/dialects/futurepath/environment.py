"""Environment: hazards, wind, water, and places that the game master describes."""

from typing import Final

from affray.engine.dialects.futurepath.turns.action_types import told_safe
from affray.engine.fight.fight import Fight
from affray.engine.rules.environment import BURNING, find_burning_target
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost

# --- Burning combatants, and putting out the flames (futurepath.action.extinguish-flames)

TOPIC: Final = "futurepath.action.extinguish-flames"


def extinguish(fight: Fight, act: acts.Extinguish) -> Steps[None]:
    """Put out the flames on the actor or on an adjacent combatant: a full-round action that does not provoke.

    The text leaves the method open: it takes no check (futurepath.action.extinguish-flames).
    """
    actor, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    target = find_burning_target(fight, act, rule)
    yield spending(fight, actor, "full-round", "put out the flames", rule)
    yield from told_safe(fight, actor, "putting out flames", (rule,))
    yield ConditionLost(who=target.id, condition=BURNING, why="put out", cites=(rule,))
