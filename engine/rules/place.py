"""Where combatants stand: distances, reach, what lies between them."""

from affray.engine.fight import Fight
from affray.engine.grid.cover import Cover, cover
from affray.engine.grid.distance import adjacent, distance_ft
from affray.engine.grid.line import line_of_effect
from affray.engine.grid.reach import space, within_reach
from affray.engine.rules.conditions import is_down
from affray.projections.state import Combatant

Square = tuple[int, int]


def distance(a: Combatant, b: Combatant) -> int:
    """Return the feet between the nearest squares of two combatants."""
    return distance_ft(a.at, b.at, a.space, b.space)


def next_to(a: Combatant, b: Combatant) -> bool:
    """Say whether two combatants stand in adjacent squares."""
    return adjacent(a.at, b.at, a.space, b.space)


def in_band(a: Square, a_side: int, b: Square, b_side: int, least: int, most: int) -> bool:
    """Say whether a space lies at `least` to `most` feet of another.

    With a reach of 10 feet the second diagonal counts as reached.
    """
    return within_reach(a, a_side, b, b_side, least, most, True)


def squares_of(who: Combatant, at: Square | None = None) -> tuple[Square, ...]:
    """Return the squares of a combatant where it stands, or with its anchor at `at`."""
    return space(who.at if at is None else at, who.space)


def occupants(fight: Fight, who: Combatant, at: Square) -> list[Combatant]:
    """Return the other combatants in whose space `who` would stand at `at`.

    A rider takes up no place beside its mount's, and the two are not in each other's way.
    """
    x, y = at
    side = who.space
    return [
        other
        for other in fight.state.combatants.values()
        if other is not who
        and other.at[0] < x + side
        and x < other.at[0] + other.space
        and other.at[1] < y + side
        and y < other.at[1] + other.space
        and not other.mount
        and other.id != who.mount
        and "dead" not in other.conditions
    ]


def sees(fight: Fight, a: Combatant, b: Combatant) -> bool:
    """Say whether a line of effect runs between two combatants."""
    key = ("sees", a.id, b.id)
    found: bool | None = fight.scene.get(key)
    if found is None:
        found = fight.scene[key] = line_of_effect(fight.field, a.at, a.space, b.at, b.space)
    return found


def cover_between(fight: Fight, attacker: Combatant, target: Combatant, melee: bool) -> Cover:
    """Return the cover that `target` has from `attacker`; whoever is down covers nobody."""
    key = ("cover", attacker.id, target.id, melee)
    found: Cover | None = fight.scene.get(key)
    if found is not None:
        return found
    creatures = [
        (one.id, one.at, one.space)
        for one in fight.state.combatants.values()
        if one is not attacker and one is not target and not (one.conditions and is_down(fight, one))
    ]
    found = fight.scene[key] = cover(
        fight.field,
        (attacker.at, attacker.space),
        (target.at, target.space),
        melee=melee,
        low_range_ft=fight.figure("cover.low-obstacle", "range_ft"),
        creatures=creatures,
    )
    return found
