"""Where combatants stand: distances, reach, what lies between them."""

from collections.abc import Callable

from affray.engine.fight import Fight
from affray.engine.grid import height
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.cover import Cover, cover, rank
from affray.engine.grid.distance import adjacent, distance_ft, gaps
from affray.engine.grid.line import line_of_effect
from affray.engine.grid.reach import space, within_reach
from affray.engine.memory import each, per_map, per_scene
from affray.engine.rules.conditions.condition_rules import is_down
from affray.engine.vicinity import NO_STRETCH, around
from affray.projections.state import Combatant

Square = tuple[int, int]

#: Conditions whose level may be the height of their bearer.
ALOFT = ("flying", "climbing", "borne aloft")


def places(who: Combatant, at: Square | None = None) -> list[Square]:
    """Return the anchors of the squares, `space` wide each, that together are all it takes up."""
    return anchors(who.at if at is None else at, who.stretch)


def anchors(at: Square, stretch: Square) -> list[Square]:
    """Return the anchors of what stands at `at` and is longer by so many columns and rows."""
    x, y = at
    wide, high = stretch
    return [(x + dx, y + dy) for dy in range(high + 1) for dx in range(wide + 1)]


def reaches(who: Combatant, target: Combatant, least: int, most: int, at: Square | None = None) -> bool:
    """Say whether the target, where it stands or with its anchor at `at`, is at `least` to `most` feet."""
    place = target.at if at is None else at
    if (who.conditions or target.conditions) and level_of(who) != level_of(target):
        return reaches_over(who, who.at, target, place, least, most)
    if who.stretch == NO_STRETCH == target.stretch:
        return in_band(who.at, who.space, place, target.space, least, most)
    return any(
        in_band(here, who.space, there, target.space, least, most)
        for here in places(who)
        for there in places(target, place)
    )


def reaches_from(who: Combatant, at: Square, target: Combatant, least: int, most: int) -> bool:
    """Say whether a target would be at `least` to `most` feet of a combatant with its anchor at `at`."""
    if (who.conditions or target.conditions) and level_of(who) != level_of(target):
        return reaches_over(who, at, target, target.at, least, most)
    return in_band(at, who.space, target.at, target.space, least, most)


def reaches_over(who: Combatant, at: Square, target: Combatant, place: Square, least: int, most: int) -> bool:
    """Say whether a target at another height, with its anchor at `place`, is at `least` to `most` feet."""
    here, there = level_of(who), level_of(target)
    return any(
        height.within_reach(one, who.space, here, other, target.space, there, least, most)
        for one in places(who, at)
        for other in places(target, place)
    )


def level_of(who: Combatant) -> int:
    """Return how many squares above the ground a combatant flies, climbs or rides."""
    return height_of(who) // SQUARE_FT if who.conditions else 0


def height_of(who: Combatant) -> int:
    """Return how many feet above the ground a combatant flies, climbs or rides."""
    for name in ALOFT:
        held = who.conditions.get(name)
        if held is not None and held.aloft:
            return held.level
    return 0


def rise(a: Combatant, b: Combatant) -> int:
    """Return the squares between two combatants one of whom is above the other; 0 on a level."""
    if not (a.conditions or b.conditions):
        return 0
    here, there = level_of(a), level_of(b)
    return height.rise(here, a.space, there, b.space) if here != there else 0


def distance(a: Combatant, b: Combatant) -> int:
    """Return the feet between the nearest squares of two combatants, in all three dimensions."""
    if (a.conditions or b.conditions) and (up := rise(a, b)):
        return min(
            height.feet_between(one, a.space, other, b.space, up) for one in places(a) for other in places(b)
        )
    if a.stretch != NO_STRETCH or b.stretch != NO_STRETCH:
        return min(distance_ft(one, other, a.space, b.space) for one in places(a) for other in places(b))
    return distance_ft(a.at, b.at, a.space, b.space)


def next_to(a: Combatant, b: Combatant) -> bool:
    """Say whether two combatants stand in adjacent squares, or right above or below each other."""
    if (a.conditions or b.conditions) and (up := rise(a, b)):
        near = (gaps(one, a.space, other, b.space) for one in places(a) for other in places(b))
        return up == 1 and any(max(found) <= 1 for found in near)
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
    """Return the combatants besides `who` who stand in that rectangle at its height; the dead hold nothing.

    A rider takes up no place beside its mount's, and the two are not in each other's way.
    """
    left, top = at
    right, bottom = left + columns, top + rows
    return [
        other
        for x, y, past_x, past_y, other in fight.memory.scene[taken]
        if x < right
        and left < past_x
        and y < bottom
        and top < past_y
        and other is not who
        and other.id != who.mount
        and not rise(who, other)
    ]


@per_scene(reads=("combatants", "places", "conditions", "mounts"))
def taken(fight: Fight) -> list[tuple[int, int, int, int, Combatant]]:
    """Return those who take up a place, each after its first column and row and those past it."""
    return [
        (
            *one.at,
            one.at[0] + one.space + one.stretch[0],
            one.at[1] + one.space + one.stretch[1],
            one,
        )
        for one in fight.state.combatants.values()
        if not one.mount and "dead" not in one.conditions
    ]


@per_scene("a.id", "b.id", reads=("places",))
def sees(fight: Fight, a: Combatant, b: Combatant) -> bool:
    """Say whether a line of effect runs between two combatants."""
    return line_between(fight, *standing(a), *standing(b))


def standing(who: Combatant) -> tuple[Square, int, Square]:
    """Return where a combatant stands, the squares it is wide, and what it takes up beyond them."""
    return who.at, who.space, who.stretch


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


@per_scene(
    "attacker.id",
    "target.id",
    "melee",
    each("without"),
    "heeding",
    reads=("combatants", "places", "conditions"),
)
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
    left, top, right, bottom = around(attacker, target)
    creatures = tuple(
        (one.id, one.at, one.space)
        for x, y, past_x, past_y, one in fight.memory.scene[upright]
        # One square wider than what is between them: a line along its edge is stopped from both sides.
        if x <= right + 1
        and y <= bottom + 1
        and past_x >= left
        and past_y >= top
        and one is not attacker
        and one is not target
        and between_levels(attacker, one, target)
        and one not in without
    )
    return cover_at(fight, *standing(attacker), *standing(target), melee, heeding, creatures)


@per_scene(reads=("combatants", "places", "conditions"))
def upright(fight: Fight) -> list[tuple[int, int, int, int, Combatant]]:
    """Return those who are not down, each after its first column and row and those past its space."""
    return [
        (*one.at, one.at[0] + one.space, one.at[1] + one.space, one)
        for one in fight.state.combatants.values()
        if not (one.conditions and is_down(fight, one))
    ]


def between_levels(a: Combatant, one: Combatant, b: Combatant) -> bool:
    """Say whether somebody is at a height at which it may stand between two others."""
    if not (a.conditions or b.conditions or one.conditions):
        return True
    (low, low_top), (_, high_top) = sorted((level_of(who), level_of(who) + who.space) for who in (a, b))
    level = level_of(one)
    return level < max(low_top, high_top) and low < level + one.space


@per_map("a", "a_space", "a_more", "b", "b_space", "b_more", "melee", "heeding", "creatures")
def cover_at(
    fight: Fight,
    a: Square,
    a_space: int,
    a_more: Square,
    b: Square,
    b_space: int,
    b_more: Square,
    melee: bool,
    heeding: bool,
    creatures: tuple[tuple[str, Square, int], ...],
) -> Cover:
    """Return the cover from one space to another, past these creatures.

    Who squeezes takes up several squares: the attacker chooses, at range the whole target counts.
    """
    low = fight.figure("cover.low-obstacle", "range_ft")

    def between(here: Square, there: Square) -> Cover:
        return cover(
            fight.field,
            (here, a_space),
            (there, b_space),
            melee=melee,
            low_range_ft=low,
            creatures=creatures,
            heeding=heeding,
        )

    whole: Callable[..., Cover] = min if melee else max
    return min(
        (
            whole((between(one, other) for other in anchors(b, b_more)), key=rank)
            for one in anchors(a, a_more)
        ),
        key=rank,
    )
