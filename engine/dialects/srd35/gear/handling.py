"""Shields and other things in hand: strapping on, dropping, picking up, retrieving, moving, opening."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.distance import distance_ft
from affray.engine.rules.gear.handling import HELD, OFF, handle_shield, refuse_to_handle
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

#: What can be done with a thing.
WAYS = ("pick-up", "retrieve", "move", "move-heavy", "open", "close")

#: What each way of handling is called in the table of actions.
ROWS = {
    "ready-shield": "Ready or loose a shield",
    "loose-shield": "Ready or loose a shield",
    "drop-shield": "Ready or loose a shield",
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


def refuse_drop_afar(fight: Fight, act: acts.Drop) -> None:
    """Refuse to drop an item farther off than into an adjacent square, or one's footing elsewhere.

    srd35.free.list
    """
    actor = fight.combatant(act.actor)
    if act.to is not None and (act.item == "prone" or distance_ft(actor.at, act.to, actor.space) > SQUARE_FT):
        reason = f"{actor.id} drops things in its own square or an adjacent one"
        raise Refusal(reason, fight.rule("srd35.free.list"))


def tell_where_it_lies(fight: Fight, act: acts.Drop, dropping: Steps[None]) -> Steps[None]:
    """Tell in which square an item that is dropped comes to lie (srd35.free.list)."""
    yield from dropping
    if act.to is not None and act.item not in fight.combatant(act.actor).held:
        what = f"the {act.item} lies at {act.to[0]},{act.to[1]}"
        yield RuleApplied(who=act.actor, what=what, cites=fight.rules("srd35.free.list"))


def handle_item(fight: Fight, actor: Combatant, act: acts.Handle) -> Steps[None]:
    """Pick up, retrieve, move or open something: a move action that may provoke (srd35.move-action.item)."""
    rule = fight.rule("srd35.move-action.item")
    refuse_to_handle(actor, act, rule)
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
    if act.what in ("pick-up", "retrieve"):
        shield = any(bonus.kind == "shield" and bonus.source == act.item for bonus in actor.sheet.armor)
        yield ItemChanged(who=actor.id, item=act.item, state=OFF if shield else HELD, cites=(rule,))
    else:
        done = {"move": "moves", "move-heavy": "moves", "open": "opens", "close": "closes"}[act.what]
        yield RuleApplied(who=actor.id, what=f"{done} the {act.item}", cites=(rule,))


def provokes_by_handling(fight: Fight, what: str) -> tuple[bool, tuple[str, ...]]:
    """Return whether a way of handling provokes, and the table that rates it, if it does."""
    name = ROWS.get(what)
    for row in fight.figure("srd35.actions-table.move"):
        if row["action"] == name:
            return row["provokes"] == "yes", fight.rules("srd35.actions-table.move")
    return False, ()
