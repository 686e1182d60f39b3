"""Who stands in a place: the other combatants whose space it is."""

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.rules.position.place import squares_apart_in_height
from affray.projections.state import Combatant


def occupants(fight: Fight, combatant: Combatant, at: Square) -> list[Combatant]:
    """Return the other combatants in whose space `combatant` would stand at `at`."""
    wide, high = combatant.stretch
    return holders_of(fight, combatant, at, combatant.space + wide, combatant.space + high)


def holders_of(fight: Fight, combatant: Combatant, at: Square, columns: int, rows: int) -> list[Combatant]:
    """Return the others who stand in that rectangle at a combatant's height; the dead hold nothing.

    A rider takes up no place beside its mount's, and the two are not in each other's way.
    """
    left, top = at
    right, bottom = left + columns, top + rows
    return [
        other
        for x, y, past_x, past_y, other in fight.memory.scene[places_taken]
        if x < right
        and left < past_x
        and y < bottom
        and top < past_y
        and other is not combatant
        and other.id != combatant.mount
        and not squares_apart_in_height(combatant, other)
    ]


@per_scene(reads=("combatants", "places", "conditions", "mounts"))
def places_taken(fight: Fight) -> list[tuple[int, int, int, int, Combatant]]:
    """Return those who take up a place, each after its first column and row and those past it."""
    return [
        (*one.at, one.at[0] + one.space + one.stretch[0], one.at[1] + one.space + one.stretch[1], one)
        for one in fight.state.combatants.values()
        if not one.mount and "dead" not in one.conditions
    ]
