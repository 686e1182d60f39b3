"""Things that stand on the map as cover: doors, crates and the like, as long as they stand.

A closed door or a wall that is a thing fills its place: where no line leads past it, what is behind has total
cover, and nobody goes through. One that is open, or in pieces, covers nothing. Any other thing covers half of
what is no larger than itself, as a creature does, unless its trait "covers (DEGREE)" says how much.
"""

from typing import Final

from affray.engine.dialects.futurepath.conditions.degrees import DEGREES
from affray.engine.fight.extent import Standing
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import Battlefield, Square, battlefield
from affray.engine.grid.cover import Cover, Creature
from affray.engine.grid.line import line_from_corner, line_of_effect
from affray.engine.rules.classes.ability_modifiers import sizes_larger, trait_detail
from affray.engine.rules.position.cover_between import cover_at, cover_between, creatures_between
from affray.engine.rules.position.place import footprint, squares_of
from affray.projections.state import Combatant

#: Rows of the table of things that fill their place from side to side.
SOLID: Final = ("simple wooden door", "strong wooden door", "steel door", "cinderblock wall")
#: The trait behind which the degree of cover stands that a thing gives.
COVERS: Final = "covers"
#: The trait of what somebody holds, carries or wears.
CARRIED: Final = "carried by"
#: The states of a door that is not closed.
OPEN, AJAR = "open", "ajar"
#: What a creature in the way covers, and a thing as large as whom it covers.
HALF: Final = "one-half"
#: What is said of a thing that covers nobody.
NONE: Final = "none"


def degree_of_thing(fight: Fight, thing: Combatant) -> str:
    """Return the degree of cover that a thing gives to whoever is behind it; "" for none.

    A door that is slightly ajar gives nine tenths (futurepath.table.cover, futurepath.cover.total).
    """
    if "dead" in thing.conditions or OPEN in thing.conditions or trait_detail(thing, CARRIED):
        return ""
    if AJAR in thing.conditions:
        return "nine-tenths"
    made = thing.sheet.thing
    assert made is not None
    told = trait_detail(thing, COVERS)
    if told:
        return "" if told == NONE else told
    return "total" if made.table in SOLID else HALF


@per_scene()
def standing_things(fight: Fight) -> dict[str, str]:
    """Return the things on the map that cover what is behind them, with the degree."""
    things = (one for one in fight.state.combatants.values() if one.sheet.thing is not None)
    return {one.id: degree for one in things if (degree := degree_of_thing(fight, one))}


def is_closed(fight: Fight, thing: Combatant) -> bool:
    """Say whether a thing fills its place, so that nothing gets through."""
    return standing_things(fight).get(thing.id) == "total"


def field_with_things(fight: Fight, *apart: str) -> Battlefield:
    """Return the map with a wall wherever a thing fills its place, those `apart` left out."""
    filled: set[Square] = set()
    for name, degree in standing_things(fight).items():
        if degree == "total" and name not in apart:
            filled.update(squares_of(fight.combatant(name)))
    rows = fight.field.rows
    if not filled:
        return fight.field
    return battlefield(
        tuple(
            "".join("#" if (x, y) in filled else kind for x, kind in enumerate(row))
            for y, row in enumerate(rows)
        )
    )


def thing_between(fight: Fight, attacker: Combatant, target: Combatant) -> str:
    """Return the thing that keeps every line between two from coming through; "" if none does."""
    here, there = footprint(attacker), footprint(target)
    if not is_walled_off(fight, here, there, attacker, target):
        return ""
    filling = (name for name, degree in standing_things(fight).items() if degree == "total")
    others = [name for name in filling if name not in (attacker.id, target.id)]
    for name in others:
        if not is_walled_off(fight, here, there, attacker, target, name):
            return name
    return others[0]


def is_walled_off(fight: Fight, origin: Standing, place: Standing, *apart: Combatant | str | None) -> bool:
    """Say whether things, those `apart` left out, keep every line from an origin from reaching a place.

    Not where the map itself does (futurepath.cover.total).
    """
    if not standing_things(fight):
        return False
    field = field_with_things(fight, *(one if isinstance(one, str) else one.id for one in apart if one))
    return is_reached(fight.field, origin, place) and not is_reached(field, origin, place)


def is_reached(field: Battlefield, origin: Standing, place: Standing) -> bool:
    """Say whether a line leads to a place; an origin without a side is a grid corner."""
    (here, side, _), (there, wide, _) = origin, place
    if side:
        return line_of_effect(field, here, side, there, wide)
    return line_from_corner(field, here, there, wide)


def things_at(fight: Fight, square: Square) -> tuple[Combatant, ...]:
    """Return the things that fill a square, of which the near side is reached where a line leads to it."""
    things = map(fight.combatant, standing_things(fight))
    return tuple(one for one in things if square in squares_of(one))


def things_in_way(fight: Fight, target: Combatant, *apart: Combatant | None) -> tuple[Creature, ...]:
    """Return the things that may cover a target, those `apart` left out, as what may stand in the way.

    What is smaller than the target covers it only if its trait says so.
    """
    found = []
    for name in standing_things(fight):
        thing = fight.combatant(name)
        small = sizes_larger(target, thing) > 0 and standing_things(fight)[name] == HALF
        told = trait_detail(thing, COVERS)
        if thing is not target and thing not in apart and (told or not small):
            found.append((thing.id, thing.at, thing.space))
    return tuple(found)


def cover_past_things(fight: Fight, attacker: Combatant, target: Combatant, melee: bool) -> Cover:
    """Return the cover that a target has from an attacker by the map, by creatures and by things."""
    if not standing_things(fight):
        return cover_between(fight, attacker, target, melee)
    creatures = creatures_between(fight, attacker, target, melee, ())
    things = things_in_way(fight, target, attacker)
    return cover_at(fight, footprint(attacker), footprint(target), melee, False, (*creatures, *things))


def degree_in_way(fight: Fight, found: Cover) -> tuple[str, str]:
    """Return the best degree that those in the way give, and who gives it; half where a line leads past.

    ("", "") if nobody is in the way (futurepath.table.cover).
    """
    given = standing_things(fight)
    best, by = "", ""
    for name in found.creatures:
        degree = given.get(name, HALF)
        degree = HALF if degree == "total" else degree
        if not best or is_less(best, degree):
            best, by = degree, name
    return best, by


def is_less(one: str, other: str) -> bool:
    """Say whether a degree of cover is less than another."""
    return DEGREES.index(one) < DEGREES.index(other)
