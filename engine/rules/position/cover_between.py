"""The cover that combatants have from each other."""

from collections.abc import Callable

from affray.engine.fight.extent import NO_STRETCH, Standing, rectangle_between
from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import Each, per_map, per_scene
from affray.engine.fight.walled_field import WALL
from affray.engine.grid.battlefield import Square
from affray.engine.grid.border import Border
from affray.engine.grid.cover import Cover, Creature, cover, in_the_way, rank
from affray.engine.grid.distance import adjacent
from affray.engine.rules.position.place import anchors, between_levels, footprint
from affray.projections.state import Combatant


@per_scene("attacker.id", "target.id", "melee", Each("without"), "heeding")
def cover_between(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    melee: bool,
    without: tuple[Combatant, ...] = (),
    heeding: bool = False,
) -> Cover:
    """Return the cover that `target` has from `attacker`; whoever is down covers nobody, nor those `without`.

    With `heeding` low obstacles count even if the attacker is nearer to them.
    """
    creatures = creatures_between(fight, attacker, target, melee, without)
    return cover_at(fight, footprint(attacker), footprint(target), melee, heeding, creatures)


def cover_from_origin(fight: Fight, source: Combatant, target: Combatant, origin: Standing) -> Cover:
    """Return the cover that `target` has from where an area effect originates: a grid corner has no side.

    What starts at its `source` is judged like an attack of it.
    """
    if origin == footprint(source):
        return cover_between(fight, source, target, False)
    creatures = tuple(
        one for one in fight.memory.scene[creatures_that_cover] if one[0] not in (source.id, target.id)
    )
    return cover_at(fight, origin, footprint(target), False, False, creatures)


def creatures_between(
    fight: Fight, attacker: Combatant, target: Combatant, melee: bool, without: tuple[Combatant, ...]
) -> tuple[Creature, ...]:
    """Return the creatures that may cover a target, those `without` apart; none where none would count."""
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
    """Say whether no creature covers in melee, as both stand next to each other and neither squeezes."""
    return melee and a_more == NO_STRETCH == b_more and adjacent(a, b, a_side, b_side)


@per_scene()
def creatures_that_cover(fight: Fight) -> list[Creature]:
    """Return those who are not down, as what may stand in the way."""
    return [
        (one.id, one.at, one.space)
        for one in fight.state.combatants.values()
        if not (one.conditions and is_down(fight, one))
    ]


@per_map()
def covering_borders(fight: Fight) -> tuple[Border, ...]:
    """Return what stands between squares and covers those behind it; walls and doors are part of the map."""
    found = set()
    for one in fight.state.barriers:
        here, there = sorted((one.here, one.there))
        if one.cover not in ("", WALL):
            found.add(Border(here, there, one.cover == "low"))
    return tuple(sorted(found))


@per_map("attacker", "target", "melee", "heeding", "creatures")
def cover_at(
    fight: Fight,
    attacker: Standing,
    target: Standing,
    melee: bool,
    heeding: bool,
    creatures: tuple[Creature, ...],
) -> Cover:
    """Return the cover from one space to another, past these creatures.

    Who squeezes takes up several squares: the attacker chooses, at range the whole target counts
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
            borders=covering_borders(fight) if fight.state.barriers else (),
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
