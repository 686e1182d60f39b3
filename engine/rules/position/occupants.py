"""Who stands in a place: the other combatants whose space it is."""

from collections.abc import Collection

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.fight.memory import per_company, per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.grid.reach import rectangle
from affray.engine.rules.position.place import squares_apart_in_height, squares_of
from affray.projections.state import Combatant


def occupants(fight: Fight, combatant: Combatant, at: Square) -> list[Combatant]:
    """Return the other combatants in whose space `combatant` would stand at `at`."""
    wide, high = combatant.stretch
    return holders_among(fight, combatant, rectangle(at, combatant.space + wide, combatant.space + high))


def holders_of(fight: Fight, combatant: Combatant, at: Square, columns: int, rows: int) -> list[Combatant]:
    """Return the others who stand in that rectangle at a combatant's height."""
    return holders_among(fight, combatant, rectangle(at, columns, rows))


def holders_among(fight: Fight, combatant: Combatant, squares: Collection[Square]) -> list[Combatant]:
    """Return the others who stand in those squares at a combatant's height; the dead hold nothing.

    A rider takes up no place beside its mount's, and the two are not in each other's way.
    """
    held = fight.memory.scene[squares_held]
    # Mostly nobody at all stands there: told without a look at the squares one by one.
    if held.keys().isdisjoint(squares):
        return []
    found: dict[int, Combatant] = {}
    for square in squares:
        if square in held:
            for number, other in held[square]:
                if (
                    other is not combatant
                    and other.id != combatant.mount
                    and not squares_apart_in_height(combatant, other)
                ):
                    found[number] = other
    return [found[number] for number in sorted(found)]


@per_scene()
def squares_held(fight: Fight) -> dict[Square, list[tuple[int, Combatant]]]:
    """Return who takes up each square that is taken up, whatever the height, numbered as they entered."""
    held: dict[Square, list[tuple[int, Combatant]]] = {}
    for holder in fight.memory.company[space_holders]:
        for square in squares_of(holder[1]):
            held[square] = [*held[square], holder] if square in held else [holder]
    return held


@per_company()
def space_holders(fight: Fight) -> list[tuple[int, Combatant]]:
    """Return who takes up squares wherever it stands, numbered as they entered.

    The swallowed are in the space of who has swallowed them.
    """
    return [
        (number, one)
        for number, one in enumerate(fight.state.combatants.values())
        if not one.mount
        and "dead" not in one.conditions
        and not any([rule_of(fight, name).inside for name in one.conditions])
    ]
