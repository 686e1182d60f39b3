"""Delaying and readying in Futurepath: what they are called, and that neither provokes."""

from collections.abc import Iterator
from typing import Any

from affray.engine.dialects.futurepath.contested import in_force
from affray.engine.dialects.futurepath.turns.table_rows import provokes_by_row
from affray.engine.fight.fight import Fight
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.steps import Steps, onward, reciting
from affray.events.facts import acts
from affray.events.facts.flow import ActReadied, RuleApplied, TurnDelayed
from affray.projections.state import Combatant

#: One may act later than its initiative says, at a better moment or in answer to what somebody does.
SPECIAL = "futurepath.initiative.special-actions"
NO_ACTION = "futurepath.table.actions.no-action.legacy"


def tell_ready(fight: Fight, act: acts.Ready, readying: Steps[None]) -> Steps[None]:
    """Ready an act, which provokes nothing; what is readied may (futurepath.action.ready.aoo).

    futurepath.initiative.special-actions, futurepath.table.actions.attack.
    """
    yield from reciting(readying, ActReadied, fight.rule(SPECIAL))
    provokes, table = provokes_by_row(
        fight, "futurepath.table.actions.attack", "ready (triggers an attack action)"
    )
    if not provokes:
        cites = (*fight.rules("futurepath.action.ready.aoo"), table)
        yield from told_safe(fight, fight.combatant(act.actor), "readying", cites)


def tell_delay(fight: Fight, act: acts.Delay, delaying: Steps[None]) -> Steps[None]:
    """Delay, which provokes nothing (futurepath.initiative.special-actions, futurepath.table.actions.varies).

    futurepath.table.actions.no-action.legacy.
    """
    first: Any = next(delaying)
    provokes, table = provokes_by_row(fight, in_force(fight, NO_ACTION, {"row": "delay"}), "delay")
    if not provokes:
        yield from told_safe(fight, fight.combatant(act.actor), "delaying", (table,))
    yield from reciting(onward(delaying, first), TurnDelayed, fight.rule(SPECIAL))


def told_safe(fight: Fight, actor: Combatant, what: str, cites: tuple[str, ...]) -> Iterator[RuleApplied]:
    """Yield of each enemy that threatens an actor that what it does gives no opening."""
    for enemy in fight.enemies(actor):
        if endangers(fight, enemy, actor):
            yield RuleApplied(who=actor.id, what=f"{what} does not provoke from {enemy.id}", cites=cites)
