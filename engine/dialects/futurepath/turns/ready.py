"""Readying in futurepath."""

from affray.engine.dialects.futurepath.contested import reading
from affray.engine.fight.fight import Fight
from affray.engine.rules.turns import delay_and_ready as shared
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts


def ready(fight: Fight, act: acts.Ready) -> Steps[None]:
    """Prepare an attack or move action for a trigger; by one reading an attack action only.

    futurepath.action.ready.what, .split, .is-attack-action.
    """
    moves = (acts.Move, acts.Step, acts.Stand, acts.TotalDefense)
    if reading(fight, "ready_what") == "attack-only" and isinstance(act.then, moves):
        raise Refusal("only an attack action can be readied", fight.rule("action.ready.split"))
    yield from shared.ready(fight, act)
