"""Doors that stand between squares, as the map has them: who can open and close them.

srd35.move-action.item, pf1.move.item, futurepath.action.manipulate-objects, woa.items.manipulate-move.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.fight.walled_field import WALL
from affray.engine.grid.battlefield import Square
from affray.engine.rules.position.place import squares_of
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.combat import DoorMoved
from affray.projections.state import Combatant

#: What opens or closes a door, and whether it is open then.
MOVING: Final = {"open": True, "open-stuck": True, "close": False}


def doors_between(fight: Fight) -> dict[str, list[tuple[Square, Square]]]:
    """Return the doors that stand between squares, each with the pairs of squares that it parts."""
    found: dict[str, list[tuple[Square, Square]]] = {}
    for one in fight.state.barriers:
        if one.door and one.cover == WALL:
            found.setdefault(one.door, []).append((one.here, one.there))
    return found


def is_open(fight: Fight, door: str) -> bool:
    """Say whether a door between squares stands open."""
    return any(one.open for one in fight.state.barriers if one.door == door)


def is_at_door(fight: Fight, combatant: Combatant, door: str) -> bool:
    """Say whether a combatant stands in one of the squares that a door parts."""
    own = set(squares_of(combatant))
    return any(not own.isdisjoint(pair) for pair in doors_between(fight).get(door, ()))


def refuse_door_between(fight: Fight, actor: Combatant, act: acts.Handle, rule: str) -> None:
    """Refuse a door that is not beside the actor, or is as it is wanted, and one in which somebody stands."""
    pairs = doors_between(fight).get(act.item)
    if pairs is None or act.what not in MOVING:
        return
    if not is_at_door(fight, actor, act.item):
        raise Refusal(f"{actor.id} does not stand at the {act.item}", rule)
    if is_open(fight, act.item) == MOVING[act.what]:
        raise Refusal(f"the {act.item} is {'open' if MOVING[act.what] else 'closed'} already", rule)
    if act.what == "close":
        for one in fight.state.combatants.values():
            own = set(squares_of(one))
            if "dead" not in one.conditions and any(own.issuperset(pair) for pair in pairs):
                raise Refusal(f"{one.id} stands in the {act.item}", rule)


def moved_door(fight: Fight, actor: Combatant, act: acts.Handle, rule: str) -> tuple[DoorMoved, ...]:
    """Return that a door between squares is open now, or closed; () for any other thing."""
    if act.what not in MOVING or act.item not in doors_between(fight):
        return ()
    return (DoorMoved(who=actor.id, door=act.item, open=MOVING[act.what], cites=(rule,)),)
