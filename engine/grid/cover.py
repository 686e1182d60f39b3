"""Cover: what stands between an attacker and a target. Bonuses are looked up elsewhere."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from affray.engine.grid.battlefield import SQUARE_FT, Battlefield, Space, Square, beside
from affray.engine.grid.border import Border, crossed
from affray.engine.grid.distance import adjacent, distance_ft
from affray.engine.grid.fans import MARGIN, Fan, Window, fans, window_around
from affray.engine.grid.line import line_from_corner, line_of_effect
from affray.engine.grid.thin_walls import walls_met

Creature = tuple[str, Square, int]
"""Id, anchor and side of a creature that may stand in the way."""

Kind = Literal["none", "soft", "cover", "total"]
_RANK: dict[Kind, int] = {"none": 0, "soft": 1, "cover": 2, "total": 3}


class Cover(Struct, frozen=True):
    """The best that the attacker can choose.

    `squares`: terrain that gives the cover; `creatures`: ids in the way, also when terrain counts for more;
    `low`: nothing but low obstacles gives it; `lines`: how many of the chosen lines are stopped.
    """

    kind: Kind
    squares: tuple[Square, ...] = ()
    creatures: tuple[str, ...] = ()
    low: bool = False
    lines: int = 0


class _Stops(Struct, frozen=True, gc=False):
    """What stops lines, as bits of the squares of a window: every one, those of terrain, and the creatures'.

    Where several are in a square it counts for terrain, then for the first creature.
    """

    window: Window
    every: int
    terrain: int
    creatures: tuple[tuple[str, int], ...]


NONE = Cover("none")
TOTAL = Cover("total")


def cover(
    field: Battlefield,
    attacker: Space,
    target: Space,
    *,
    melee: bool,
    low_range_ft: int,
    creatures: Iterable[Creature] = (),
    heeding: bool = False,
    borders: tuple[Border, ...] = (),
) -> Cover:
    """The cover that the target has against this attacker (srd35.cover.*).

    Ranged, and melee at a distance: the attacker picks the corner whose lines to all corners of the target
    are the freest; terrain, then creatures in the way count (srd35.cover.ranged-test,
    srd35.cover.melee-reach-test). Melee next to the target: any line between the two squares through an
    obstacle gives cover, creatures do not (srd35.cover.melee-adjacent-test). In melee, attackers pick one
    square each of their own and of the target's space (srd35.cover.big-attacker, srd35.cover.big-defender).
    A low obstacle counts for targets within `low_range_ft` of it, and not when the attacker is nearer to it
    than the target, unless it is `heeding` them. No line of effect: total. What bursts from a grid corner is
    an attacker without a side: all lines run from that corner.

    `creatures` may include attacker and target: what stands on their squares is left out. `borders` between
    squares cover as well, and thin walls, told by the first of their two squares. Remembered; O(1) when
    nothing is in the rectangle around both, otherwise O(corners x distance).
    """
    left, top, right, bottom = _around(attacker, target)
    between: tuple[Creature, ...] = ()
    close = melee and adjacent(attacker[0], target[0], attacker[1], target[1])
    if creatures and not close:
        between = tuple(
            sorted(
                one
                for one in in_the_way(creatures, left, top, right, bottom)
                if one[1:] not in (attacker, target)
            )
        )
    near = tuple(
        one
        for one in borders
        if left <= one.here[0] <= right
        and top <= one.here[1] <= bottom
        and left <= one.there[0] <= right
        and top <= one.there[1] <= bottom
    )
    if (
        not between
        and not near
        and not field.any_within("covering", left, top, right, bottom)
        and not (field.sides and field.any_within("parted", left, top, right, bottom))
    ):
        return NONE
    return _cover(field, attacker, target, melee, (low_range_ft, heeding), between, near)


def in_the_way(creatures: Iterable[Creature], left: int, top: int, right: int, bottom: int) -> list[Creature]:
    """Those who may stop lines within a rectangle of squares.

    It is taken one square wider: a line along its edge is stopped from both sides.
    """
    return [
        (name, (x, y), side)
        for name, (x, y), side in creatures
        if left <= x + side and x <= right + 1 and top <= y + side and y <= bottom + 1
    ]


def rank(found: Cover) -> int:
    """How good a cover is: none, soft, from terrain, total."""
    return _RANK[found.kind]


def _around(a: Space, b: Space) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the rectangle of squares around both spaces."""
    ((ax, ay), a_side), ((bx, by), b_side) = a, b
    right, other_right, bottom, other_bottom = ax + a_side, bx + b_side, ay + a_side, by + b_side
    # Written out, like `rectangle_between`: min and max are calls.
    return (
        ax if ax < bx else bx,
        ay if ay < by else by,
        (right if right > other_right else other_right) - 1,
        (bottom if bottom > other_bottom else other_bottom) - 1,
    )


@lru_cache(maxsize=16384)
def _cover(
    field: Battlefield,
    attacker: Space,
    target: Space,
    melee: bool,
    low: tuple[int, bool],
    between: tuple[Creature, ...],
    near: tuple[Border, ...],
) -> Cover:
    """Return the cover; `low` says how far low walls count, and whether they do for whoever is nearer too."""
    (at, side), (there, other_side) = attacker, target
    if not (line_of_effect(field, *attacker, *target) if side else line_from_corner(field, at, *target)):
        return TOTAL
    margin = max([MARGIN, *[wide for _, _, wide in between]])
    window = window_around(attacker, target, margin)
    looked_along = fans(side, there[0] - at[0], there[1] - at[1], other_side, melee, margin)
    free = ~(window.bits(*attacker) | window.bits(*target)) & looked_along.touched
    terrain = window.cut(field.bits["covering"]) & free
    for square in window.squares(terrain):
        if square in field.low and not _low_counts(square, square, attacker, target, low):
            terrain ^= window.bits(square, 1)
    every, creatures = terrain, []
    for name, anchor, wide in between:
        bits = window.bits(anchor, wide) & free & ~every
        creatures.append((name, bits))
        every |= bits
    borders = tuple(
        one for one in near if not one.low or _low_counts(one.here, one.there, attacker, target, low)
    )
    stops = _Stops(window, every, terrain, tuple(creatures))
    best: tuple[tuple[int, int, int], Cover] | None = None
    for fan in looked_along.each:
        found = _looked(field, stops, borders, at, fan)
        weight = (_RANK[found.kind], found.lines, len(found.squares) + len(found.creatures))
        if found.kind == "none":
            return found
        if best is None or weight < best[0]:
            best = (weight, found)
    return NONE if best is None else best[1]


def _low_counts(one: Square, other: Square, attacker: Space, target: Space, low: tuple[int, bool]) -> bool:
    """Whether a low obstacle in a square, or between two squares, counts.

    srd35.cover.low-obstacle, srd35.cover.low-obstacle-ignored.
    """
    range_ft, heeding = low
    to_target = distance_ft(target[0], one, target[1])
    to_attacker = distance_ft(attacker[0], one, attacker[1])
    if one != other:
        to_target = min(to_target, distance_ft(target[0], other, target[1]))
        to_attacker = min(to_attacker, distance_ft(attacker[0], other, attacker[1]))
    return to_target < range_ft + SQUARE_FT and (heeding or to_attacker >= to_target)


def _looked(field: Battlefield, stops: _Stops, borders: tuple[Border, ...], at: Square, fan: Fan) -> Cover:
    """The cover along all lines of a fan that begins at the attacker's anchor."""
    if not stops.every & fan.touched and not borders and not field.sides:
        return NONE
    met = lines = 0
    over: set[Border] = set()
    for line in fan.lines:
        hit = line.met(stops.every)
        passed: list[Border] = []
        if borders or field.sides:
            start, end = [(at[0] + x, at[1] + y) for x, y in (line.start, line.end)]
            passed = [
                *crossed(start, end, borders),
                *[Border(*beside(side), low=False) for side in walls_met(field.sides, start, end)],
            ]
        if hit or passed:
            lines += 1
            met |= hit
            over.update(passed)
    if not met and not over:
        return NONE
    terrain = set(stops.window.squares(met & stops.terrain))
    names = tuple(sorted({name for name, bits in stops.creatures if met & bits}))
    low = bool(terrain or over) and field.low.issuperset(terrain) and all(one.low for one in over)
    terrain |= {min(one.here, one.there) for one in over}
    return Cover("cover" if terrain else "soft", tuple(sorted(terrain)), names, low, lines)
