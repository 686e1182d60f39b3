"""Flames on somebody, and putting them out (futurepath.action.extinguish-flames)."""

from typing import Final

from affray.engine.dialects.futurepath.turns.special_initiative import told_safe
from affray.engine.fight.fight import Fight
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost

TOPIC: Final = "futurepath.action.extinguish-flames"
BURNING: Final = "burning"


def extinguish(fight: Fight, act: acts.Extinguish) -> Steps[None]:
    """Put out the flames on oneself or on somebody next to one: a full-round action that does not provoke.

    How it is done the text leaves open: it takes no check (futurepath.action.extinguish-flames).
    """
    actor = fight.combatant(act.actor)
    target = fight.combatant(act.target) if act.target else actor
    rule = fight.rule(TOPIC)
    if BURNING not in target.conditions:
        raise Refusal(f"{target.id} does not burn", rule)
    if target is not actor and not next_to(actor, target):
        raise Refusal(f"{actor.id} does not stand next to {target.id}", rule)
    yield spending(fight, actor, "full-round", "put out the flames", rule)
    yield from told_safe(fight, actor, "putting out flames", (rule,))
    yield ConditionLost(who=target.id, condition=BURNING, why="put out", cites=(rule,))
