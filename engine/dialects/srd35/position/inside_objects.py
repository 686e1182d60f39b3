"""Bodies that are elsewhere: inside of objects, or on the plane beside the world.

srd35.incorporeal.combat, srd35.etherealness.
"""

from collections.abc import Iterator
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.reach import space
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.natures import INCORPOREAL, is_a
from affray.engine.rules.position.place import next_to, squares_of
from affray.engine.steps import Refusal
from affray.projections.state import Combatant

ETHEREAL: Final = "ethereal"
FORCE: Final = "force"
COMBAT: Final = "srd35.incorporeal.combat"
#: What fills its square: walls, pillars and trees.
FULL: Final = "#T"


def passes_solid_things(combatant: Combatant) -> bool:
    """Say whether solid things are no obstacle to a creature: it has no body, or is on another plane."""
    return ETHEREAL in combatant.conditions or is_a(combatant, INCORPOREAL)


def on_other_planes(one: Combatant, other: Combatant) -> bool:
    """Say whether two combatants are on different planes."""
    return (ETHEREAL in one.conditions) != (ETHEREAL in other.conditions)


def sees_across(viewer: Combatant) -> bool:
    """Say whether a creature in the world sees the ethereal."""
    return has_trait(viewer, "see invisibility") or has_trait(viewer, "true seeing")


def planes_part(blow: Blow) -> bool:
    """Say whether the planes keep a blow from its target: into the ethereal force alone reaches."""
    attacker, target = blow.attacker, blow.target
    if not (attacker.conditions or target.conditions) or not on_other_planes(attacker, target):
        return False
    return ETHEREAL in attacker.conditions or FORCE not in blow.weapon.traits


def is_inside_object(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a creature is wholly inside an object of this world; the ethereal are in no such thing."""
    field = fight.field
    # What is full covers, and that is looked up at once.
    if combatant.at not in field.covering or ETHEREAL in combatant.conditions:
        return False
    return all(field.at(square) in FULL for square in squares_of(combatant))


def enters_object(fight: Fight, combatant: Combatant, here: Square, there: Square) -> bool:
    """Say whether a step leads into an object out of the open."""
    if fight.field.at(there) not in FULL or ETHEREAL in combatant.conditions:
        return False
    return fight.field.at(here) not in FULL


def solid_is_no_obstacle(fight: Fight, combatant: Combatant, *given: object) -> bool:
    """Say whether solid things are no obstacle to a mover."""
    return passes_solid_things(combatant)


def refuse_too_deep(fight: Fight, combatant: Combatant, here: Square, there: Square, *given: object) -> None:
    """Refuse a step by which one without a body would leave the outside of the object that it is in.

    It stays beside the outside, and so does not get through what is thicker than its own space. The ethereal
    go anywhere on the map.
    """
    field = fight.field
    if not field.holds(there, combatant.space):
        raise Refusal(f"{there[0]},{there[1]} is not on the map", fight.rule("srd35.obstacle.blocking"))
    if ETHEREAL in combatant.conditions or not all(
        field.at(one) in FULL for one in space(there, combatant.space)
    ):
        return
    open_there = set(open_squares_beside(fight, there, combatant.space))
    inside = all(field.at(one) in FULL for one in space(here, combatant.space))
    if not open_there or (
        inside and not open_there.intersection(open_squares_beside(fight, here, combatant.space))
    ):
        reason = f"{combatant.id} must stay beside the outside of what it passes through"
        raise Refusal(reason, fight.rule(COMBAT))


def open_squares_beside(fight: Fight, at: Square, side: int) -> Iterator[Square]:
    """Yield the open squares in a space and next to it."""
    field = fight.field
    for square in space((at[0] - 1, at[1] - 1), side + 2):
        if field.holds(square) and field.at(square) not in FULL:
            yield square


def strikes_out(fight: Fight, attacker: Combatant, target: Combatant) -> bool:
    """Say whether a blow goes through the surface of the object that one of the two is inside of.

    Who is inside strikes at what is next to it. It is struck there itself only while it strikes, by those who
    have readied for that.
    """
    if not next_to(attacker, target):
        return False
    if is_inside_object(fight, target):
        striking = target.spent.get("standard") or target.spent.get("full-round")
        return fight.readied == attacker.id and fight.state.active == target.id and bool(striking)
    return is_inside_object(fight, attacker)
