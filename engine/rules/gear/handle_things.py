"""Shields and other things in hand: strapping on, dropping, picking up, retrieving, moving, opening.

Where a table of actions in combat says which ways of it provoke (srd35.actions-table.move,
pf1.actions-table.move).
"""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.gear.doors import moved_door, refuse_door_between
from affray.engine.rules.gear.handling import HELD, OFF, handle_shield, refuse_to_handle
from affray.engine.rules.gear.others_things import pick_up
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

#: What can be done with a thing.
WAYS = ("pick-up", "retrieve", "move", "move-heavy", "open", "close")

#: What each way of handling is called in the table of actions; "Ready or loose a shield" ends like this.
ROWS = {
    "ready-shield": "a shield",
    "loose-shield": "a shield",
    "drop-shield": "a shield",
    "pick-up": "Pick up an item",
    "retrieve": "Retrieve a stored item",
    "move-heavy": "Move a heavy object",
    "open": "Open or close a door",
    "close": "Open or close a door",
}


def handle(fight: Fight, act: acts.Handle) -> Steps[None]:
    """Handle a shield or another thing, mostly as a move action; some ways of it provoke."""
    actor = fight.combatant(act.actor)
    if act.what.endswith("-shield"):
        yield from handle_shield(fight, actor, act, *provokes_by_handling(fight, act.what)[1])
    else:
        yield from handle_item(fight, actor, act)


def handle_item(fight: Fight, actor: Combatant, act: acts.Handle) -> Steps[None]:
    """Pick up, retrieve, move or open something: a move action that may provoke.

    srd35.move-action.item, pf1.move.item.
    """
    rule = fight.rule("move-action.item")
    refuse_to_handle(fight, actor, act, rule)
    refuse_door_between(fight, actor, act, rule)
    open_to_blows, table = provokes_by_handling(fight, act.what)
    yield spending(fight, actor, "move", f"{act.what}: {act.item}", rule, *table)
    if open_to_blows:
        yield from fight.dialect.opportunity.provoke(
            fight,
            actor,
            threatening(fight, actor),
            f"handles the {act.item}",
            f"handle:{fight.declaration}",
            rule,
        )
        if is_down(fight, actor):
            return
    shield = any(bonus.kind == "shield" and bonus.source == act.item for bonus in actor.sheet.armor)
    if act.what == "pick-up":
        yield from pick_up(fight, actor, act.item, OFF if shield else HELD, (rule,))
    elif act.what == "retrieve":
        yield ItemChanged(who=actor.id, item=act.item, state=OFF if shield else HELD, cites=(rule,))
    else:
        done = {"move": "moves", "move-heavy": "moves", "open": "opens", "close": "closes"}[act.what]
        yield RuleApplied(who=actor.id, what=f"{done} the {act.item}", cites=(rule,))
        yield from moved_door(fight, actor, act, rule)


def provokes_by_handling(fight: Fight, what: str) -> tuple[bool, tuple[str, ...]]:
    """Return whether a way of handling provokes, and the table that rates it, if it does.

    srd35.actions-table.move, pf1.actions-table.move.
    """
    name = ROWS.get(what)
    for row in fight.figure("actions-table.move"):
        if name is not None and row["action"].endswith(name):
            return row["provokes"] == "yes", fight.rules("actions-table.move")
    return False, ()
