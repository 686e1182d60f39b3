"""Places: distances in squares, reach, spaces by size, cover, and who may share a square."""

from collections.abc import Iterable
from typing import Final, Literal

from affray.engine.dialects.srd52.conditions import incapacitating
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import gaps, obstructed, space
from affray.engine.grid.lines_and_cover import corners, trace
from affray.engine.kernel.places import level_of, squares_of
from affray.engine.steps import Steps
from affray.events.facts.combat import Moved
from affray.events.facts.sheet import Modifier, Sheet
from affray.projections.state import Combatant

# --- Size and space

SIZES: Final = ("tiny", "small", "medium", "large", "huge", "gargantuan")


def size_of(combatant: Combatant) -> int:
    """Return the rank of a combatant's size, 0 for Tiny."""
    return SIZES.index(combatant.sheet.size) if combatant.sheet.size in SIZES else 2


def space_and_reach(fight: Fight, sheet: Sheet) -> tuple[int, int]:
    """Return the space of a sheet in squares, by its size, and its reach in feet."""
    feet = fight.figure("position.size-space", sheet.size, "ft") if sheet.space is None else sheet.space
    reach = fight.figure("attacks.reach", "reach_ft") if sheet.reach is None else sheet.reach
    return max(1, int(feet) // SQUARE_FT), int(reach)


# --- Distance


def distance(one: Combatant, other: Combatant, at: Square | None = None) -> int:
    """Return the feet between two combatants, the first at its place or at `at`; diagonals count as one
    square (srd52.movement.grid-range).
    """
    here = one.at if at is None else at
    up = abs(level_of(one) - level_of(other))
    return SQUARE_FT * max(*gaps(here, one.space, other.at, other.space), up)


def within(one: Combatant, other: Combatant, feet: int, at: Square | None = None) -> bool:
    """Return whether two combatants are at most so many feet apart."""
    return distance(one, other, at) <= feet


# --- Spaces of others


def passable(fight: Fight, mover: Combatant, other: Combatant) -> bool:
    """Return whether a mover may pass through another's space.

    That of an ally, an Incapacitated or a Tiny creature, or one two sizes larger or smaller
    (srd52.position.pass-through).
    """
    apart = fight.figure("position.pass-through", "sizes_apart")
    return (
        other.side == mover.side
        or bool(incapacitating(other))
        or other.sheet.size == "tiny"
        or abs(size_of(other) - size_of(mover)) >= apart
    )


def others_at(fight: Fight, mover: Combatant, at: Square) -> list[Combatant]:
    """Return the other combatants whose spaces a mover would share at a square; the dead are no obstacle."""
    wanted = {*space(at, mover.space)}
    return [
        one
        for one in fight.state.combatants.values()
        if one.id != mover.id and "dead" not in one.conditions and wanted.intersection(squares_of(one))
    ]


# --- Cover

Degree = Literal["", "half", "three-quarters", "total"]
BEHIND: Final = {"half": "defense.cover-half", "three-quarters": "defense.cover-three-quarters"}


def cover_of(fight: Fight, attacker: Combatant, target: Combatant) -> tuple[Degree, str]:
    """Return the degree of a target's cover against an attacker, and what gives it.

    From the attacker's best corner, lines to the four corners of the target: one or two of them blocked are
    Half Cover, three Three-Quarters Cover, all Total Cover. Creatures give no more than Half Cover.
    """
    blocking = bodies_between(fight, attacker, target)
    best: tuple[int, str] | None = None
    for start in corners(attacker.at, attacker.space):
        walls = bodies = 0
        for end in corners(target.at, target.space):
            if crosses(start, end, fight.field.walls):
                walls += 1
            elif crosses(start, end, blocking):
                bodies += 1
        stopped = walls if walls >= MOSTLY else min(walls + bodies, MOSTLY - 1)
        found = stopped, "a wall" if walls else "a creature"
        best = found if best is None else min(best, found)
    lines, what = best or (0, "")
    return DEGREES[lines], what if lines else ""


DEGREES: Final[tuple[Degree, ...]] = ("", "half", "half", "three-quarters", "total")
"""The degree of cover by the number of lines that are blocked."""
MOSTLY: Final = 3
"""As many blocked lines as no creature gives."""


def bodies_between(fight: Fight, attacker: Combatant, target: Combatant) -> frozenset[Square]:
    """Return the squares of others that give Half Cover: usually those not two sizes smaller."""
    found: set[Square] = set()
    reading = fight.option("creature_cover")
    if reading == "none":
        return frozenset()
    smaller = fight.figure("defense.cover-creature", "sizes_smaller")
    least = 0 if reading == "any" else size_of(target) - smaller + 1
    for one in fight.state.combatants.values():
        if one.id not in (attacker.id, target.id) and "dead" not in one.conditions and size_of(one) >= least:
            found.update(squares_of(one))
    return frozenset(found)


def crosses(start: Square, end: Square, squares: Iterable[Square]) -> bool:
    """Return whether a line between two grid corners is blocked by any of some squares."""
    line, taken = trace(start, end), frozenset(squares)
    through = any(one in taken for one in line.squares)
    return through or any(one in taken and other in taken for one, other in line.pairs)


def cover_part(fight: Fight, attacker: Combatant, target: Combatant, against: str) -> list[Modifier]:
    """Return what cover adds to AC ("ac") or to a Dexterity save ("dex_save"), as a part or none."""
    degree, what = cover_of(fight, attacker, target)
    if degree not in BEHIND:
        return []
    topic = BEHIND[degree]
    return [Modifier(fight.figure(topic, against), "cover", f"{degree} cover ({what})", fight.rule(topic))]


# --- Being pushed


def push_away(fight: Fight, pusher: Combatant, target: Combatant, feet: int, topic: str) -> Steps[None]:
    """Push a creature straight away from another, as far as there is room; it provokes nothing."""
    dx = (target.at[0] > pusher.at[0]) - (target.at[0] < pusher.at[0])
    dy = (target.at[1] > pusher.at[1]) - (target.at[1] < pusher.at[1])
    path: list[Square] = []
    here = target.at
    for _ in range(feet // SQUARE_FT):
        there = here[0] + dx, here[1] + dy
        if obstructed(fight.field, here, there, target.space) or others_at(fight, target, there):
            break
        path.append(there)
        here = there
    if path:
        cites = fight.rules(topic, "opportunity.forced-movement")
        how = f"pushed by {pusher.id}"
        yield Moved(
            who=target.id, start=target.at, path=tuple(path), feet=0, diagonals=0, how=how, cites=cites
        )
