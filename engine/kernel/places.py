"""The places of combatants: squares, heights, distances and reach."""

from functools import lru_cache

from affray.engine.fight.fight import NO_STRETCH, Fight, Standing
from affray.engine.fight.memory import per_map
from affray.engine.grid import distance as grid_distance
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import space, within_reach
from affray.engine.grid.lines_and_cover import line_of_effect
from affray.engine.steps import Refusal
from affray.projections.state import Combatant

#: At the bottom of a chasm; the level is the depth in feet.
CHASM = "in a chasm"

#: Conditions whose level may be the height of their bearer.
ALOFT = ("flying", "climbing", "borne aloft", CHASM)


def anchors_of(combatant: Combatant, at: Square | None = None) -> tuple[Square, ...]:
    """Return the anchors of the squares, `space` wide each, that together cover its whole space."""
    return anchors(combatant.at if at is None else at, combatant.stretch)


@lru_cache(maxsize=4096)
def anchors(at: Square, stretch: Square) -> tuple[Square, ...]:
    """Return the anchors of a space at `at` that is longer by the columns and rows of `stretch`; cached."""
    x, y = at
    wide, high = stretch
    return tuple([(x + dx, y + dy) for dy in range(high + 1) for dx in range(wide + 1)])


def reaches(combatant: Combatant, target: Combatant, least: int, most: int, at: Square | None = None) -> bool:
    """Return whether the target, at its place or with its anchor at `at`, is at `least` to `most` feet."""
    place = target.at if at is None else at
    if (combatant.conditions or target.conditions) and level_of(combatant) != level_of(target):
        return reaches_over(combatant, combatant.at, target, place, least, most)
    if combatant.stretch == NO_STRETCH == target.stretch:
        return in_band(combatant.at, combatant.space, place, target.space, least, most)
    return any(
        in_band(here, combatant.space, there, target.space, least, most)
        for here in anchors_of(combatant)
        for there in anchors_of(target, place)
    )


def reaches_from(combatant: Combatant, at: Square, target: Combatant, least: int, most: int) -> bool:
    """Return whether a target would be at `least` to `most` feet of a combatant with its anchor at `at`."""
    if (combatant.conditions or target.conditions) and level_of(combatant) != level_of(target):
        return reaches_over(combatant, at, target, target.at, least, most)
    return in_band(at, combatant.space, target.at, target.space, least, most)


def reaches_over(
    combatant: Combatant, at: Square, target: Combatant, place: Square, least: int, most: int
) -> bool:
    """Return whether a target at another height, with its anchor at `place`, is at `least` to `most` feet."""
    here, there = level_of(combatant), level_of(target)
    return any(
        grid_distance.within_reach_aloft(
            (one, combatant.space, here), (other, target.space, there), least, most
        )
        for one in anchors_of(combatant, at)
        for other in anchors_of(target, place)
    )


def level_of(combatant: Combatant) -> int:
    """Return how many squares above the ground a combatant flies, climbs or rides."""
    return height_of(combatant) // SQUARE_FT if combatant.conditions else 0


def height_of(combatant: Combatant) -> int:
    """Return how many feet above the ground a combatant flies, climbs or rides."""
    for name in ALOFT:
        held = combatant.conditions.get(name)
        if held is not None and held.aloft:
            return held.level
    return 0


def squares_apart_in_height(a: Combatant, b: Combatant) -> int:
    """Return the squares of height between two combatants at different heights; 0 on a level."""
    if not (a.conditions or b.conditions):
        return 0
    here, there = level_of(a), level_of(b)
    return grid_distance.squares_above(here, a.space, there, b.space) if here != there else 0


def distance(a: Combatant, b: Combatant) -> int:
    """Return the feet between the nearest squares of two combatants, in all three dimensions."""
    up = squares_apart_in_height(a, b)
    return feet_apart((a.at, a.space, a.stretch), (b.at, b.space, b.stretch), up)


@lru_cache(maxsize=16384)
def feet_apart(a: Standing, b: Standing, up: int) -> int:
    """Return the feet between the nearest squares of two places, one `up` squares above the other; cached."""
    (at, side, stretch), (other_at, other_side, other_stretch) = a, b
    return min(
        grid_distance.feet_between(one, side, other, other_side, up)
        for one in anchors(at, stretch)
        for other in anchors(other_at, other_stretch)
    )


def next_to(a: Combatant, b: Combatant) -> bool:
    """Return whether two combatants are in adjacent squares, or right above or below each other."""
    return distance(a, b) == SQUARE_FT


def refuse_apart(combatant: Combatant, other: Combatant, rule: str) -> None:
    """Refuse by `rule` an act by hand on a combatant that is not adjacent."""
    if not next_to(combatant, other):
        raise Refusal(f"{combatant.id} is not next to {other.id}", rule)


@lru_cache(maxsize=65536)
def in_band(a: Square, a_side: int, b: Square, b_side: int, least: int, most: int) -> bool:
    """Return whether a space is at `least` to `most` feet of another.

    With a reach of 10 feet the second diagonal counts as reached. Cached.
    """
    return within_reach(a, a_side, b, b_side, least, most, True)


def squares_of(combatant: Combatant, at: Square | None = None) -> tuple[Square, ...]:
    """Return the squares of a combatant at its place, or with its anchor at `at`."""
    if combatant.stretch == NO_STRETCH:
        return space(combatant.at if at is None else at, combatant.space)
    return tuple(
        dict.fromkeys(square for one in anchors_of(combatant, at) for square in space(one, combatant.space))
    )


def footprint(combatant: Combatant) -> Standing:
    """Return a combatant's anchor, the side of its space, and the extra columns and rows."""
    return combatant.at, combatant.space, combatant.stretch


@per_map("a", "a_space", "a_more", "b", "b_space", "b_more")
def line_between(
    fight: Fight, a: Square, a_space: int, a_more: Square, b: Square, b_space: int, b_more: Square
) -> bool:
    """Return whether there is a line of effect between any squares of two combatants."""
    return any(
        line_of_effect(fight.field, one, a_space, other, b_space)
        for one in anchors(a, a_more)
        for other in anchors(b, b_more)
    )


def in_line(fight: Fight, a: Combatant, b: Combatant) -> bool:
    """Return whether there is a line of effect between two combatants."""
    return line_between(fight, *footprint(a), *footprint(b))


def refuse_no_friend(actor: Combatant, friend: Combatant, rule: str) -> None:
    """Refuse to help oneself, or a combatant of another side."""
    if friend is actor:
        raise Refusal(f"{actor.id} cannot aid itself", rule)
    if friend.side != actor.side:
        raise Refusal(f"{friend.id} is no friend of {actor.id}", rule)


def refuse_no_opponent(actor: Combatant, target: Combatant, rule: str, purpose: str = "") -> None:
    """Refuse a target that is no opponent; the `purpose` is worded as "to demoralize"."""
    if target.side == actor.side:
        raise Refusal(f"{target.id} is no opponent {purpose or f'of {actor.id}'}", rule)
