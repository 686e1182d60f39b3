"""Where combatants stand: distances, reach, what lies between them."""

from collections.abc import Callable

from affray.engine.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.cover import Cover, cover, rank
from affray.engine.grid.distance import adjacent, distance_ft
from affray.engine.grid.line import line_of_effect
from affray.engine.grid.reach import space, within_reach
from affray.engine.rules.conditions import is_down
from affray.projections.state import Combatant

Square = tuple[int, int]


NO_STRETCH: Square = (0, 0)


def places(who: Combatant, at: Square | None = None) -> list[Square]:
    """Return the anchors of the squares, `space` wide each, that together are all it takes up."""
    x, y = who.at if at is None else at
    wide, high = who.stretch
    return [(x + dx, y + dy) for dy in range(high + 1) for dx in range(wide + 1)]


def reaches(who: Combatant, target: Combatant, least: int, most: int, at: Square | None = None) -> bool:
    """Say whether the target, where it stands or with its anchor at `at`, is at `least` to `most` feet."""
    place = target.at if at is None else at
    if who.stretch == NO_STRETCH == target.stretch:
        return in_band(who.at, who.space, place, target.space, least, most)
    return any(
        in_band(here, who.space, there, target.space, least, most)
        for here in places(who)
        for there in places(target, place)
    )


def distance(a: Combatant, b: Combatant) -> int:
    """Return the feet between the nearest squares of two combatants."""
    if a.stretch != NO_STRETCH or b.stretch != NO_STRETCH:
        return min(distance_ft(one, other, a.space, b.space) for one in places(a) for other in places(b))
    return distance_ft(a.at, b.at, a.space, b.space)


def next_to(a: Combatant, b: Combatant) -> bool:
    """Say whether two combatants stand in adjacent squares."""
    if a.stretch != NO_STRETCH or b.stretch != NO_STRETCH:
        return distance(a, b) == SQUARE_FT
    return adjacent(a.at, b.at, a.space, b.space)


def in_band(a: Square, a_side: int, b: Square, b_side: int, least: int, most: int) -> bool:
    """Say whether a space lies at `least` to `most` feet of another.

    With a reach of 10 feet the second diagonal counts as reached.
    """
    return within_reach(a, a_side, b, b_side, least, most, True)


def squares_of(who: Combatant, at: Square | None = None) -> tuple[Square, ...]:
    """Return the squares of a combatant where it stands, or with its anchor at `at`."""
    if who.stretch == NO_STRETCH:
        return space(who.at if at is None else at, who.space)
    return tuple(dict.fromkeys(square for one in places(who, at) for square in space(one, who.space)))


def occupants(fight: Fight, who: Combatant, at: Square) -> list[Combatant]:
    """Return the other combatants in whose space `who` would stand at `at`."""
    wide, high = who.stretch
    return holders(fight, who, at, who.space + wide, who.space + high)


def holders(fight: Fight, who: Combatant, at: Square, columns: int, rows: int) -> list[Combatant]:
    """Return the combatants besides `who` who stand in that rectangle; the dead hold nothing.

    A rider takes up no place beside its mount's, and the two are not in each other's way.
    """
    x, y = at
    return [
        other
        for other in fight.state.combatants.values()
        if other is not who
        and other.at[0] < x + columns
        and x < other.at[0] + other.space + other.stretch[0]
        and other.at[1] < y + rows
        and y < other.at[1] + other.space + other.stretch[1]
        and not other.mount
        and other.id != who.mount
        and "dead" not in other.conditions
    ]


def sees(fight: Fight, a: Combatant, b: Combatant) -> bool:
    """Say whether a line of effect runs between two combatants."""
    key = ("sees", a.id, b.id)
    found: bool | None = fight.scene.get(key)
    if found is None:
        if a.stretch == NO_STRETCH == b.stretch:
            found = line_of_effect(fight.field, a.at, a.space, b.at, b.space)
        else:
            found = any(
                line_of_effect(fight.field, one, a.space, other, b.space)
                for one in places(a)
                for other in places(b)
            )
        fight.scene[key] = found
    return found


def cover_between(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    melee: bool,
    without: tuple[Combatant, ...] = (),
    heeding: bool = False,
) -> Cover:
    """Return the cover that `target` has from `attacker`; whoever is down covers nobody, nor those `without`.

    `heeding`, as if the attacker could not disregard low obstacles that it is nearer to.
    """
    key = ("cover", attacker.id, target.id, melee, tuple(one.id for one in without), heeding)
    found: Cover | None = fight.scene.get(key)
    if found is not None:
        return found
    creatures = [
        (one.id, one.at, one.space)
        for one in fight.state.combatants.values()
        if one is not attacker and one is not target and not (one.conditions and is_down(fight, one))
        if one not in without
    ]
    low = fight.figure("cover.low-obstacle", "range_ft")

    def between(here: Square, there: Square) -> Cover:
        spaces = (here, attacker.space), (there, target.space)
        return cover(
            fight.field, *spaces, melee=melee, low_range_ft=low, creatures=creatures, heeding=heeding
        )

    # Who squeezes takes up several squares: the attacker chooses, at range the whole target counts.
    whole: Callable[..., Cover] = min if melee else max
    found = fight.scene[key] = min(
        (whole((between(a, b) for b in places(target)), key=rank) for a in places(attacker)), key=rank
    )
    return found
