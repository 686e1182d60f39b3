"""Who is near two combatants, and what holds between the two for as long as nothing about them changes."""

from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

from affray.engine.fight.extent import NO_STRETCH, rectangle_between
from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import Part, Same, per_fight, per_scene, remembering
from affray.engine.grid.battlefield import SQUARE_FT
from affray.projections.state import Combatant

P = ParamSpec("P")
R = TypeVar("R")

EVERYWHERE: Final = 1_000
"""As many squares as reach from anywhere to anywhere."""

BESIDE_IT: Final = 1
"""Whoever is down, and nothing else, reaches nobody: it counts for those in whose way or beside whom it lies.
"""

NEAR: Final = "near"
"""Under this name stands who was near."""


Mark = tuple[str, tuple[int, int], int, tuple[int, int], int]


def per_pair(one: str, other: str, *key: Part) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Remember an answer about two combatants for as long as nothing about them, or near them, changes.

    It comes back whenever the two, and all who are near, stand as they stood and nothing else about them
    has changed since. Near is whoever could reach into the rectangle around both, or stands beside it; who
    is under a condition or an effect, rides or is ridden, counts as near wherever it is: a light or a spell
    reaches far. Who is down, and nothing else, counts beside whom it lies. So nothing may be remembered so
    that somebody plain and far away has a say in.
    """
    store = f"{{fight}}.memory.pairs.get(({one}.id, {other}.id)) or between({{fight}}, {one}, {other})"
    return lambda function: remembering(function, store, key, between=between)


def per_two(one: str, other: str, *key: Part) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Remember an answer about two combatants in which no bystander has a say, however near it stands.

    As `per_pair`, but nobody is near who is plain, or down and nothing else.
    """
    store = f"{{fight}}.memory.pairs.get(({one}.id, {other}.id, _alone)) or alone({{fight}}, {one}, {other})"
    return lambda function: remembering(function, store, key, alone=alone, _alone=NEAR)


def alone(fight: Fight, one: Combatant, other: Combatant) -> dict[Any, Any]:
    """Return what was found out between two combatants whoever stands by, for `per_two` to add to."""
    memory = fight.memory
    if not memory.keeps:
        return memory.pairs
    stamps = memory.stamps
    marks = [(two.id, two.at, two.space, two.stretch, stamps.get(two.id, 0)) for two in (one, other)]
    near = (*marks, *memory.scene[far_reaching])
    found = memory.meeting(one.id, other.id, near)
    memory.pairs[one.id, other.id, NEAR] = found
    found[NEAR] = near
    return found


def between(fight: Fight, one: Combatant, other: Combatant) -> dict[Any, Any]:
    """Return what was found out between two combatants, for `per_pair` to add to."""
    memory = fight.memory
    found: dict[Any, Any] | None = memory.pairs.get((one.id, other.id))
    if found is None:
        if not memory.keeps:
            return memory.pairs
        turned = memory.pairs.get((other.id, one.id))
        near = nearby(fight, one, other) if turned is None else turned[NEAR]
        found = memory.pairs[one.id, other.id] = memory.meeting(one.id, other.id, near)
        found[NEAR] = near
    return found


def nearby(fight: Fight, one: Combatant, other: Combatant) -> tuple[Mark, ...]:
    """Return the marks of two combatants and of all who are near them."""
    left, top, right, bottom = rectangle_between(
        (one.at, one.space, one.stretch), (other.at, other.space, other.stretch)
    )
    return tuple(
        [
            mark
            for first_x, first_y, last_x, last_y, mark in fight.memory.scene[ranges]
            if first_x <= right and last_x >= left and first_y <= bottom and last_y >= top
        ]
    )


@per_scene(reads=("combatants", "places", "conditions", "effects", "mounts"))
def far_reaching(fight: Fight) -> tuple[Mark, ...]:
    """Return the marks of all who count for any two, wherever they stand."""
    return tuple(
        [
            (one.id, one.at, one.space, one.stretch, stamp)
            for one, far, stamp in fight.memory.company[spans]
            if far == EVERYWHERE or one.stretch != NO_STRETCH
        ]
    )


@per_scene(reads=("combatants", "places", "conditions", "effects", "mounts"))
def ranges(fight: Fight) -> list[tuple[int, int, int, int, Mark]]:
    """Return the first and last columns and rows in which each combatant counts, and its mark."""
    found = []
    for one, span, stamp in fight.memory.company[spans]:
        (x, y), (more, higher) = one.at, one.stretch
        far = EVERYWHERE if more or higher else span
        past = one.space - 1 + far
        mark = (one.id, one.at, one.space, one.stretch, stamp)
        found.append((x - far, y - far, x + past + more, y + past + higher, mark))
    return found


@per_scene(reads=("combatants", "conditions", "effects", "mounts", "items"))
def spans(fight: Fight) -> list[tuple[Combatant, int, int]]:
    """Return within how many squares each combatant counts wherever it stands unsqueezed, and its stamp."""
    stamps = fight.memory.stamps
    return [
        (
            one,
            EVERYWHERE
            if one.effects or one.mount or one.rider
            else (far(fight, one) if one.conditions else span(fight, one)),
            stamps.get(one.id, 0),
        )
        for one in fight.state.combatants.values()
    ]


def far(fight: Fight, one: Combatant) -> int:
    """Return within how many squares a combatant counts that is under conditions, and no effect."""
    table, postures = fight.dialect.conditions.table, fight.dialect.gear.postures
    lying = [name in postures or (name in table and table[name].down) for name in one.conditions]
    return BESIDE_IT if all(lying) and one.sheet.thing is None and is_down(fight, one) else EVERYWHERE


@per_fight(Same("combatant.sheet"), "combatant.reach")
def span(fight: Fight, combatant: Combatant) -> int:
    """Return within how many squares a plain combatant counts: as far as it could reach, or beside it."""
    weapons = combatant.sheet.weapons
    feet = max([combatant.reach * (1 + any(one.reach for one in weapons)), *(one.far for one in weapons)])
    return max(BESIDE_IT, feet // SQUARE_FT)
