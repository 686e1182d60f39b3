"""Squares in reach of a combatant: what each costs, the best way there, and past whom it leads."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec import Struct

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import AROUND, Square
from affray.engine.rules.conditions.condition_rules import can_react
from affray.engine.rules.movement.movement import speed
from affray.engine.rules.movement.noticed import met_unseen, noticed
from affray.engine.steps import Refusal
from affray.projections.state import Combatant

Path: TypeAlias = tuple[Square, ...]
FARTHER: Final = (1 << 30, 0)
"""No way costs as much."""
MOST, FEWEST = 1200, 60
"""Squares to which ways are looked for: of one a square wide (60 feet lead to 624), and of the hugest."""


class Way(Struct, frozen=True, gc=False):
    """A way to a square: `path` without the start, and what it costs in feet.

    `past` are the ids of those who threaten a square that it leaves, and may strike. `around` is a longer way
    that leaves no threatened square, () where there is none within reach or `past` is empty.
    """

    path: Path
    feet: int
    past: tuple[str, ...] = ()
    around: Path = ()

    @property
    def to(self) -> Square:
        """Where it leads."""
        return self.path[-1]


def most_squares(mover: Combatant) -> int:
    """Return to how many squares ways are looked for at most; a step of the huge costs as its squares do."""
    return max(FEWEST, MOST // mover.space**2)


def ways(fight: Fight, mover: Combatant, how: str = "normal", *, known: bool = False) -> list[Way]:
    """Return a way to each square that a move of the mover's speed leads to, the cheapest first.

    Whether a movement may be declared at all is not asked. Ways as they are `known` to the mover lead where
    somebody stands whom it does not perceive, too, and do not heed whom it passes so. O(squares in reach),
    `most_squares` at most.
    """
    feet = speed(fight, mover) - fight.dialect.movement.forfeit(fight, mover)
    cheapest = dict(cheapest_paths(fight, mover, feet, how, known=known))
    past = {to: passed(fight, mover, path, how, known=known) for to, (path, _) in cheapest.items()}
    safe = {}
    if any(past.values()):
        safe = dict(cheapest_paths(fight, mover, feet, how, safely=True, known=known))
    return [
        Way(path, cost, past[to], safe[to][0] if past[to] and to in safe else ())
        for to, (path, cost) in cheapest.items()
    ]


def cheapest_paths(
    fight: Fight, mover: Combatant, feet: int, how: str, *, safely: bool = False, known: bool = False
) -> Iterator[tuple[Square, tuple[Path, int]]]:
    """Yield the squares within so many feet where a move may end, each with the cheapest path and its cost.

    Of equally cheap ones that which leaves the fewest threatened squares; `safely` it leaves none. A way may
    lead through squares where none may end, and end in one that it may not go on from.
    """
    movement, most = fight.dialect.movement, most_squares(mover)
    found: set[Square] = set()
    least: dict[tuple[Square, int, bool], tuple[int, int]] = {}
    queue: list[tuple[tuple[int, int], int, Path, bool, bool]] = [((0, 0), 0, (), False, True)]
    while queue:
        (cost, left), _, path, ends, goes_on = heappop(queue)
        here = path[-1] if path else mover.at
        if ends and here not in found:
            if len(found) == most:
                return
            found.add(here)
            yield here, (path, cost)
        for dx, dy in AROUND if goes_on else ():
            there = (here[0] + dx, here[1] + dy)
            if there == mover.at:
                continue
            through = open_to(fight, mover, here, there, how, last=False, known=known)
            ending = open_to(fight, mover, here, there, how, last=True, known=known)
            if not (through or ending):
                continue
            measured = movement.measure(fight, mover, (mover.at, *path, there), how)
            key = there, measured.diagonals % 2, through
            if measured.feet > feet or (measured.feet, left) >= least.get(key, FARTHER):
                continue
            enemies = movement.leaving(fight, mover, here, there, how)
            threatened = left + bool(noticed(fight, mover, enemies) if known else enemies)
            if (safely and threatened) or (measured.feet, threatened) >= least.get(key, FARTHER):
                continue
            least[key] = measured.feet, threatened
            heappush(queue, ((measured.feet, threatened), len(path), (*path, there), ending, through))


def open_to(
    fight: Fight, mover: Combatant, here: Square, there: Square, how: str, *, last: bool, known: bool = False
) -> bool:
    """Say whether a step is possible, or thought to be, as the last one of a movement or on its way."""
    try:
        fight.dialect.movement.refuse_step(fight, mover, here, there, last, None, how)
    except Refusal:
        return False
    return known or met_unseen(fight, mover, here, there, last, how) is None


def passed(fight: Fight, mover: Combatant, path: Path, how: str, *, known: bool = False) -> tuple[str, ...]:
    """Return the ids of those who threaten a square that a path leaves and have a strike left, in order."""
    leaving = fight.dialect.movement.leaving
    steps = pairwise((mover.at, *path))
    some = {one.id: one for here, there in steps for one in leaving(fight, mover, here, there, how)}
    told = noticed(fight, mover, some.values()) if known else some.values()
    return tuple(one.id for one in told if has_one_left(fight, one))


def has_one_left(fight: Fight, enemy: Combatant) -> bool:
    """Say whether a combatant may still make an attack of opportunity this round, given one."""
    if enemy.conditions and (is_down(fight, enemy) or can_react(fight, enemy)):
        return False
    return enemy.reactions.get("opportunity", 0) < fight.dialect.opportunity.opportunities(fight, enemy)[0]
