"""What holds between two combatants for as long as nothing about them or near them changes."""

from typing import Any, Final

from affray.engine.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.rules.position.place import NO_STRETCH, around
from affray.projections.state import Combatant

EVERYWHERE: Final = 1_000
"""As many squares as reach from anywhere to anywhere."""

NEAR: Final = "near"
"""Under this name stands who was near."""

Mark = tuple[str, tuple[int, int], int, tuple[int, int], int]


def between(fight: Fight, a: Combatant, b: Combatant) -> dict[Any, Any]:
    """Return what was found out between two combatants, for others to add to.

    It comes back whenever the two, and all who are near, stand as they stood and nothing else about them
    has changed since. Near is whoever could reach into the rectangle around both, or stands beside it; who
    is under a condition or an effect, rides or is ridden, counts as near wherever it is: a light or a spell
    reaches far. So nothing may be kept here that somebody plain and far away has a say in. Who asks for every
    blow there is looks into `fight.pairs` first, which is where it is found while the scene lasts.
    """
    found = fight.pairs.get((a.id, b.id))
    if found is None:
        turned = fight.pairs.get((b.id, a.id))
        near = nearby(fight, a, b) if turned is None else turned[NEAR]
        found = fight.pairs[a.id, b.id] = fight.meeting(a.id, b.id, near)
        found[NEAR] = near
    return found


def nearby(fight: Fight, a: Combatant, b: Combatant) -> tuple[Mark, ...]:
    """Return the marks of two combatants and of all who are near them."""
    left, top, right, bottom = around(a, b)
    return tuple(
        [
            mark
            for first_x, first_y, last_x, last_y, mark in ranges(fight)
            if first_x <= right and last_x >= left and first_y <= bottom and last_y >= top
        ]
    )


def ranges(fight: Fight) -> list[tuple[int, int, int, int, Mark]]:
    """Return the first and last columns and rows in which each combatant counts, and its mark.

    Worked out once a scene.
    """
    found: list[tuple[int, int, int, int, Mark]] | None = fight.scene.get("ranges")
    if found is None:
        found = []
        for one in fight.state.combatants.values():
            (x, y), far = one.at, span(fight, one)
            past = one.space - 1 + far
            more, higher = one.stretch
            mark = (one.id, one.at, one.space, one.stretch, fight.stamps.get(one.id, 0))
            found.append((x - far, y - far, x + past + more, y + past + higher, mark))
        fight.scene["ranges"] = found
    return found


def span(fight: Fight, who: Combatant) -> int:
    """Return within how many squares a combatant counts: one more than it could reach."""
    if who.conditions or who.effects or who.mount or who.rider or who.stretch != NO_STRETCH:
        return EVERYWHERE
    key = ("span", who.id, id(who.sheet), who.reach)
    found: int | None = fight.cache.get(key)
    if found is None:
        weapons = who.sheet.weapons
        feet = max([who.reach * (1 + any(one.reach for one in weapons)), *(one.far for one in weapons)])
        fight.keep(who.sheet)
        found = fight.cache[key] = feet // SQUARE_FT + 1
    return found
