"""Doors that stand on the map as things: they are opened and closed, and let through or not.

futurepath.action.manipulate-objects, futurepath.action.open-door-slowly.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from affray.engine.dialects.futurepath.defense.things_as_cover import AJAR, OPEN, is_closed
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.rules.classes.ability_modifiers import has_trait, trait_detail
from affray.engine.rules.position.occupants import holders_of
from affray.engine.rules.position.place import distance
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant

#: How the rows of doors end in the table of things, and the trait of other things that open and close.
DOOR: Final = "door"


def door_named(fight: Fight, name: str) -> Combatant | None:
    """Return the door on the map that is called so; None for another thing, or one that is not on it."""
    thing = fight.state.combatants.get(name)
    if thing is None or thing.sheet.thing is None or trait_detail(thing, "carried by"):
        return None
    return thing if has_trait(thing, DOOR) or thing.sheet.thing.table.endswith(DOOR) else None


def doors_on_map(fight: Fight) -> list[Combatant]:
    """Return the doors that stand on the map, open or closed, those in pieces left out."""
    named = (door_named(fight, id) for id in fight.state.combatants)
    return [one for one in named if one is not None and "dead" not in one.conditions]


def refuse_door(fight: Fight, actor: Combatant, act: acts.Handle, rule: str) -> None:
    """Refuse a door out of reach, in pieces or as it is wanted already, and one in which somebody stands."""
    door = door_named(fight, act.item)
    if door is None or act.what not in ("open", "close"):
        return
    if "dead" in door.conditions:
        raise Refusal(f"the {door.id} is in pieces: there is nothing to {act.what}", rule)
    if distance(actor, door) > SQUARE_FT:
        raise Refusal(f"{actor.id} does not stand next to the {door.id}", rule)
    if act.what == "open" and OPEN in door.conditions:
        raise Refusal(f"the {door.id} is open already", rule)
    if act.what == "close" and not {OPEN, AJAR}.intersection(door.conditions):
        raise Refusal(f"the {door.id} is closed already", rule)
    for one in holders_of(fight, door, door.at, door.space, door.space):
        if act.what == "close":
            raise Refusal(f"{one.id} stands in the {door.id}", rule)


def swing(
    door: Combatant, actor: Combatant, what: str, rule: str
) -> Iterator[ConditionGained | ConditionLost]:
    """Yield that a door is open, or neither that nor ajar any more."""
    for name in (AJAR, OPEN):
        if name in door.conditions:
            yield ConditionLost(who=door.id, condition=name, why=f"{actor.id} moves it", cites=(rule,))
    if what == "open":
        yield ConditionGained(who=door.id, condition=OPEN, source=actor.id, cites=(rule,))


def refuse_closed(
    fight: Fight,
    mover: Combatant,
    at: Square,
    others: Sequence[Combatant],
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a square with a closed door, which lets nobody through (futurepath.assumed.ground)."""
    for one in others:
        if is_closed(fight, one):
            reason = f"the {one.id} bars the way at {at[0]},{at[1]}"
            raise Refusal(reason, fight.rule("futurepath.assumed.ground"))


def without_open_doors(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    how: str,
    found: list[Combatant],
) -> list[Combatant]:
    """Return those in the way but for open doors, which are in nobody's (futurepath.assumed.ground)."""
    return [one for one in found if not stands_open(one)]


def stands_open(thing: Combatant) -> bool:
    """Say whether a thing is a door that stands open: others go through it, and may stay in it."""
    return thing.sheet.thing is not None and OPEN in thing.conditions
