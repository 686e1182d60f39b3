"""Positions of combatants: occupants, distance, lines of effect, cover, walls between squares."""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import Final

from msgspec import UNSET

from affray.engine.fight.fight import NO_STRETCH, WALL, Fight, Standing, is_down, rectangle_between, rule_of
from affray.engine.fight.memory import Each, per_company, per_map, per_scene
from affray.engine.grid.battlefield import Side, Square, side_between, walls_met
from affray.engine.grid.distance import adjacent, rectangle, space
from affray.engine.grid.lines_and_cover import (
    Border,
    Cover,
    Creature,
    cover,
    in_the_way,
    rank,
)
from affray.engine.kernel.places import (
    anchors,
    footprint,
    level_of,
    line_between,
    next_to,
    squares_apart_in_height,
    squares_of,
)
from affray.engine.rules.classes.sheets import ETHEREAL, INCORPOREAL, nature_among, size_step
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.acts import Act
from affray.events.facts.sheet import SIZES
from affray.projections.state import Combatant

# --- The choice among several squares or directions that the rules leave open

#: The directions by name, (dx, dy) each.
COMPASS: Final[dict[str, Square]] = {
    "east": (1, 0),
    "southeast": (1, 1),
    "south": (0, 1),
    "southwest": (-1, 1),
    "west": (-1, 0),
    "northwest": (-1, -1),
    "north": (0, -1),
    "northeast": (1, -1),
}


def choose_square(
    who: str, purpose: str, question: str, squares: Sequence[Square], rule: str
) -> Steps[Square]:
    """Return the square that a combatant chooses, or the game master (`who` ""); a single one without asking.

    The options are listed in their order, the usual one first, by names such as "3,1".
    """
    if len(squares) == 1:
        return squares[0]
    named = {f"{x},{y}": (x, y) for x, y in squares}
    return named[(yield Choice(who, purpose, question, tuple(named), rule))]


def choose_way(who: str, question: str, ways: Sequence[Square], rule: str) -> Steps[Square]:
    """Return the direction, (dx, dy), that a combatant chooses; a single one without asking, the usual one
    first.
    """
    if len(ways) == 1:
        return ways[0]
    names = tuple(name for way in ways for name, one in COMPASS.items() if one == way)
    return COMPASS[(yield Choice(who, "way", question, names, rule))]


# --- Distances, reach, and what lies between combatants


def between_levels(a: Combatant, one: Combatant, b: Combatant) -> bool:
    """Return whether a combatant is at a height between two others."""
    if not (a.conditions or b.conditions or one.conditions):
        return True
    (low, low_top), (_, high_top) = sorted(
        (level_of(combatant), level_of(combatant) + combatant.space) for combatant in (a, b)
    )
    level = level_of(one)
    return level < max(low_top, high_top) and low < level + one.space


def no_height_between(combatant: Combatant, target: Combatant) -> int:
    """Return 0: for dialects in which heights do not count for distances."""
    return 0


# --- The cover that combatants have from each other


@per_scene("attacker.id", "target.id", "melee", Each("without"), "heeding")
def cover_between(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    melee: bool,
    without: tuple[Combatant, ...] = (),
    heeding: bool = False,
) -> Cover:
    """Return the cover that `target` has from `attacker`; combatants that are down or in `without` give none.

    With `heeding` low obstacles count even if the attacker is nearer to them.
    """
    creatures = creatures_between(fight, attacker, target, melee, without)
    step = size_step(attacker) if fight.state.barriers else LARGEST
    return cover_at(fight, footprint(attacker), footprint(target), melee, heeding, creatures, step)


def cover_from_origin(fight: Fight, source: Combatant, target: Combatant, origin: Standing) -> Cover:
    """Return the cover that `target` has from the origin of an area effect: a grid corner has no side.

    An effect that starts at its `source` is judged like an attack of it.
    """
    if origin == footprint(source):
        return cover_between(fight, source, target, False)
    creatures = tuple(
        one for one in fight.memory.scene[creatures_that_cover] if one[0] not in (source.id, target.id)
    )
    step = size_step(source) if fight.state.barriers else LARGEST
    return cover_at(fight, origin, footprint(target), False, False, creatures, step)


def creatures_between(
    fight: Fight, attacker: Combatant, target: Combatant, melee: bool, without: tuple[Combatant, ...]
) -> tuple[Creature, ...]:
    """Return the creatures that may cover a target, except `without`; none if none would count."""
    here, there = footprint(attacker), footprint(target)
    if creatures_are_passed(*here, *there, melee):
        return ()
    combatants = fight.state.combatants
    found = []
    for creature in in_the_way(fight.memory.scene[creatures_that_cover], *rectangle_between(here, there)):
        one = combatants[creature[0]]
        if (
            one is not attacker
            and one is not target
            and between_levels(attacker, one, target)
            and one not in without
        ):
            found.append(creature)
    return tuple(found)


def creatures_are_passed(
    a: Square, a_side: int, a_more: Square, b: Square, b_side: int, b_more: Square, melee: bool
) -> bool:
    """Return whether creatures give no cover: in melee between adjacent combatants, neither of which
    squeezes.
    """
    return melee and a_more == NO_STRETCH == b_more and adjacent(a, b, a_side, b_side)


@per_scene()
def creatures_that_cover(fight: Fight) -> list[Creature]:
    """Return the combatants that are not down, as possible cover."""
    return [
        (one.id, one.at, one.space)
        for one in fight.state.combatants.values()
        if not (one.conditions and is_down(fight, one))
    ]


LARGEST: Final = len(SIZES) - 1
"""The largest size: what is low for any creature is low for it."""


@per_map("step")
def covering_borders(fight: Fight, step: int = LARGEST) -> tuple[Border, ...]:
    """Return the obstacles between squares that cover those behind them; walls and doors are part of the
    map.

    `step` is the attacker's size: an obstacle that is not low compared with it is a high one
    (srd35.cover.low-obstacle).
    """
    found = set()
    for one in fight.state.barriers:
        here, there = sorted((one.here, one.there))
        if one.cover not in ("", WALL):
            low = one.cover == "low" and (one.low_for is UNSET or step >= SIZES.index(one.low_for))
            found.add(Border(here, there, low))
    return tuple(sorted(found))


@per_map()
def concealing_borders(fight: Fight) -> tuple[Border, ...]:
    """Return what conceals between squares, as curtains do (srd35.concealment.ranged-test)."""
    pairs = (sorted((one.here, one.there)) for one in fight.state.barriers if one.conceals is True)
    return tuple(sorted({Border(here, there, False) for here, there in pairs}))


@per_map("attacker", "target", "melee", "heeding", "creatures", "step")
def cover_at(
    fight: Fight,
    attacker: Standing,
    target: Standing,
    melee: bool,
    heeding: bool,
    creatures: tuple[Creature, ...],
    step: int = LARGEST,
) -> Cover:
    """Return the cover from one space to another, past these creatures; `step` is the attacker's size.

    A squeezing combatant takes up several squares: the attacker chooses, at range the whole target counts
    (pf1.cover.aoo).
    """
    (a, a_space, a_more), (b, b_space, b_more) = attacker, target
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
            borders=covering_borders(fight, step) if fight.state.barriers else (),
        )

    if a_more == NO_STRETCH == b_more:
        return between(a, b)
    whole: Callable[..., Cover] = min if melee else max
    return min(
        (
            whole((between(one, other) for other in anchors(b, b_more)), key=rank)
            for one in anchors(a, a_more)
        ),
        key=rank,
    )


# --- Lines of effect between combatants


@per_scene("a.id", "b.id")
def sees(fight: Fight, a: Combatant, b: Combatant) -> bool:
    """Return whether there is a line of effect between two combatants."""
    clear = line_between(fight, *footprint(a), *footprint(b))
    return clear or not fight.dialect.position.walls_part(fight, a, b)


def side_by_side(fight: Fight, a: Combatant, b: Combatant) -> bool:
    """Return whether two combatants are in adjacent squares, or above each other, with no wall between
    them.
    """
    return next_to(a, b) and sees(fight, a, b)


# --- Occupants of a place: the other combatants whose space it is


def occupants(fight: Fight, combatant: Combatant, at: Square) -> list[Combatant]:
    """Return the other combatants whose space `combatant` would share at `at`."""
    wide, high = combatant.stretch
    return holders_among(fight, combatant, rectangle(at, combatant.space + wide, combatant.space + high))


def holders_of(fight: Fight, combatant: Combatant, at: Square, columns: int, rows: int) -> list[Combatant]:
    """Return the other combatants in that rectangle at a combatant's height."""
    return holders_among(fight, combatant, rectangle(at, columns, rows))


def holders_among(fight: Fight, combatant: Combatant, squares: Collection[Square]) -> list[Combatant]:
    """Return the other combatants in those squares at a combatant's height; the dead take up no space.

    A rider takes up no space in addition to its mount's, and the two are not in each other's way.
    """
    held = fight.memory.scene[get_occupied_squares]
    # Mostly the place is empty: this is found without checking the squares one by one.
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
def get_occupied_squares(fight: Fight) -> dict[Square, list[tuple[int, Combatant]]]:
    """Return the occupants of each occupied square, at all heights, numbered in order of entry."""
    held: dict[Square, list[tuple[int, Combatant]]] = {}
    for holder in fight.memory.company[space_holders]:
        for square in squares_of(holder[1]):
            held[square] = [*held[square], holder] if square in held else [holder]
    return held


@per_company()
def space_holders(fight: Fight) -> list[tuple[int, Combatant]]:
    """Return the combatants that take up space, numbered in order of entry.

    The swallowed are in the space of their swallower.
    """
    return [
        (number, one)
        for number, one in enumerate(fight.state.combatants.values())
        if not one.mount
        and "dead" not in one.conditions
        and not any([rule_of(fight, name).inside for name in one.conditions])
    ]


# --- Declarations that walls between squares forbid, in addition to the resolvers' own checks

#: Natures that walls do not stop.
BODILESS = frozenset({ETHEREAL, INCORPOREAL})


def refuse_through_walls(fight: Fight, actor: Combatant, act: Act) -> None:
    """Refuse a path through a wall or a closed door between squares, and acts on a target behind one.

    Acts at a distance are judged by the target's cover (srd35.obstacle.blocking, srd35.cover.total-no-attack,
    pf1.terrain.obstacle, pf1.cover.total, futurepath.assumed.ground, futurepath.attack.ranged.line-of-sight,
    woa.terrain.obstacle.blocking, woa.cover.total).
    """
    path = getattr(act, "path", ())
    if path and not nature_among(actor, BODILESS):
        # A path moves the actor, its mount, or its victim. A squeezing mover takes up less: squeezing has
        # separate rules.
        mover = fight.state.combatants[actor.mount or actor.id]
        if isinstance(act, acts.Reposition):
            mover = fight.combatant(act.target)
        side = 1 if isinstance(act, acts.Move | acts.Withdraw) else mover.space
        for here, there in pairwise((mover.at, *path)):
            if met := _crossed(fight, here, there, side):
                door = _closed_door(fight, met)
                what = f"the {door} is closed and" if door else "a wall"
                how = f": open it first (handle, what open, item {door})" if door else ""
                reason = f"{what} bars the way from {here[0]},{here[1]} to {there[0]},{there[1]}{how}"
                raise Refusal(reason, fight.rule("obstacle.blocking"))
    target = fight.state.combatants.get(getattr(act, "target", "") or "")
    if target is not None and next_to(actor, target) and not sees(fight, actor, target):
        reason = f"a wall is between {actor.id} and {target.id}"
        raise Refusal(reason, fight.rule("cover.total-no-attack"))


def is_walled_off(fight: Fight, combatant: Combatant, target: Combatant, at: Square | None) -> bool:
    """Return whether walls block every line from a combatant to a target, or to that with its anchor
    there.
    """
    place, side, stretch = footprint(target)
    clear = line_between(fight, *footprint(combatant), place if at is None else at, side, stretch)
    return not clear and bool(fight.dialect.position.walls_part(fight, combatant, target))


def _crossed(fight: Fight, here: Square, there: Square, side: int) -> set[Side]:
    """Return the walls crossed on the way from the middle of each square of a space to that of the next."""
    dx, dy = there[0] - here[0], there[1] - here[1]
    return {
        met
        for x, y in space(here, side)
        for met in walls_met(
            fight.field.sides, (2 * x + 1, 2 * y + 1), (2 * (x + dx) + 1, 2 * (y + dy) + 1), 2
        )
    }


def _closed_door(fight: Fight, met: set[Side]) -> str:
    """Return the name of the door that is the only one of these walls, "" if there are others."""
    names = {side_between(one.here, one.there): one.door for one in fight.state.barriers if one.cover == WALL}
    found = {names.get(side, "") for side in met}
    return found.pop() if len(found) == 1 else ""


# --- Friends and opponents, where a rule asks for one or the other
