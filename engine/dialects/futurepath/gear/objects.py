"""Things picked up, retrieved, used, moved, opened in futurepath (futurepath.action.manipulate-objects)."""

from affray.engine.dialects.futurepath.contested import in_force, old_only
from affray.engine.dialects.futurepath.gear.doors import door_named, refuse_door, swing
from affray.engine.dialects.futurepath.turns.table_rows import provokes_by_row
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.gear.doors import moved_door, refuse_door_between
from affray.engine.rules.gear.handling import HELD, refuse_to_handle
from affray.engine.rules.gear.others_things import pick_up
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged
from affray.events.facts.flow import RuleApplied

#: What can be done with a thing, by its row in the table of move actions.
ROWS = {
    "pick-up": "pick up an object",
    "retrieve": "retrieve a stored object",
    "move": "use a piece of equipment",
    "move-heavy": "move a heavy object",
    "open": "open a door slowly",
    "close": "open a door slowly",
}
#: How a row is called by the old rules, where it is called otherwise.
OLD_ROWS = {"open": "open a door", "close": "open a door"}
#: What is told of a thing that does not change hands.
DONE = {"move": "handles", "move-heavy": "moves", "open": "opens", "close": "closes"}
OBJECTS = "futurepath.action.manipulate-objects"


def handle(fight: Fight, act: acts.Handle) -> Steps[None]:
    """Pick up, retrieve, use, move, open or close something: a move action, which provokes as the table says.

    A door that stands on the map is open then, or closed (futurepath.action.manipulate-objects,
    futurepath.action.open-door-slowly, futurepath.table.actions.move).
    """
    actor = fight.combatant(act.actor)
    rule = in_force(fight, OBJECTS, {"what is done": act.what})
    refuse_to_handle(fight, actor, act, fight.rule(OBJECTS))
    refuse_door(fight, actor, act, rule)
    refuse_door_between(fight, actor, act, rule)
    row = OLD_ROWS.get(act.what, ROWS[act.what]) if old_only(fight) else ROWS[act.what]
    provokes, table = provokes_by_row(fight, "futurepath.table.actions.move", row)
    yield spending(fight, actor, "move", f"{act.what}: {act.item}", rule, table)
    if provokes:
        opportunity = f"handle:{fight.declaration}"
        why = f"handles the {act.item}"
        yield from fight.dialect.opportunity.provoke(
            fight, actor, threatening(fight, actor), why, opportunity, rule, table
        )
    if is_down(fight, actor):
        return
    if act.what == "pick-up":
        yield from pick_up(fight, actor, act.item, HELD, (rule,))
    elif act.what == "retrieve":
        yield ItemChanged(who=actor.id, item=act.item, state=HELD, cites=(rule,))
    else:
        yield RuleApplied(who=actor.id, what=f"{DONE[act.what]} the {act.item}", cites=(rule,))
        door = door_named(fight, act.item)
        if door is not None and act.what in ("open", "close"):
            yield from swing(door, actor, act.what, rule)
        yield from moved_door(fight, actor, act, rule)
