"""Who stands in a place: the other combatants whose space it is."""

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.grid.reach import rectangle
from affray.engine.rules.position.place import squares_apart_in_height, squares_of
from affray.projections.state import Combatant


def occupants(fight: Fight, combatant: Combatant, at: Square) -> list[Combatant]:
    """Return the other combatants in whose space `combatant` would stand at `at`."""
    wide, high = combatant.stretch
    return holders_of(fight, combatant, at, combatant.space + wide, combatant.space + high)


def holders_of(fight: Fight, combatant: Combatant, at: Square, columns: int, rows: int) -> list[Combatant]:
    """Return the others who stand in that rectangle at a combatant's height; the dead hold nothing.

    A rider takes up no place beside its mount's, and the two are not in each other's way.
    """
    held = fight.memory.scene[squares_held]
    squares = rectangle(at, columns, rows)
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


@per_scene(reads=("combatants", "places", "conditions", "mounts"))
def squares_held(fight: Fight) -> dict[Square, list[tuple[int, Combatant]]]:
    """Return who takes up each square that is taken up, whatever the height, numbered as they entered.

    The swallowed are in the space of who has swallowed them.
    """
    held: dict[Square, list[tuple[int, Combatant]]] = {}
    for number, one in enumerate(fight.state.combatants.values()):
        if one.mount or "dead" in one.conditions:
            continue
        if not one.conditions or not any(rule_of(fight, name).inside for name in one.conditions):
            holder = [(number, one)]
            for square in squares_of(one):
                held[square] = held[square] + holder if square in held else holder
    return held
