"""Lines of effect between combatants."""

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_map, per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.grid.line import line_of_effect
from affray.engine.rules.position.place import anchors, footprint, next_to
from affray.projections.state import Combatant


@per_scene("a.id", "b.id")
def sees(fight: Fight, a: Combatant, b: Combatant) -> bool:
    """Say whether a line of effect runs between two combatants."""
    clear = line_between(fight, *footprint(a), *footprint(b))
    return clear or not fight.dialect.position.walls_part(fight, a, b)


def side_by_side(fight: Fight, a: Combatant, b: Combatant) -> bool:
    """Say whether two stand in adjacent squares, or above each other, and no wall parts them."""
    return next_to(a, b) and sees(fight, a, b)


@per_map("a", "a_space", "a_more", "b", "b_space", "b_more")
def line_between(
    fight: Fight, a: Square, a_space: int, a_more: Square, b: Square, b_space: int, b_more: Square
) -> bool:
    """Say whether a line of effect runs between any squares of two combatants."""
    return any(
        line_of_effect(fight.field, one, a_space, other, b_space)
        for one in anchors(a, a_more)
        for other in anchors(b, b_more)
    )
