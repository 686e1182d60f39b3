"""The squares of areas: bursts, cones, lines, spreads."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.lines_and_cover import burst, cone, line_area, spread
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

#: Shapes that spread in all directions from a point.
AROUND = ("burst", "emanation", "spread")


def area_squares(
    fight: Fight, caster: Combatant, spell: Spell, at: tuple[int, int]
) -> frozenset[tuple[int, int]]:
    """Return the squares of a spell's area: a burst around `at`, a cone or line towards it."""
    if spell.area == "spread":
        return spread(fight.field, at, spell.area_feet)
    if spell.area in AROUND:
        return frozenset(burst(at, spell.area_feet))
    corner, (dx, dy) = corner_towards(caster, at)
    if spell.area == "cone":
        return frozenset(cone(corner, (dx, dy), spell.area_feet))
    return frozenset(line_area(corner, (at[0] + (dx > 0), at[1] + (dy > 0)), spell.area_feet))


def corner_towards(combatant: Combatant, at: Square) -> tuple[Square, Square]:
    """Return the corner of the caster's space from which a cone or line starts, and its direction."""
    dx = (at[0] > combatant.at[0]) - (at[0] < combatant.at[0])
    dy = (at[1] > combatant.at[1]) - (at[1] < combatant.at[1])
    return (combatant.at[0] + combatant.space * (dx > 0), combatant.at[1] + combatant.space * (dy > 0)), (
        dx,
        dy,
    )
