"""Squares in reach of a combatant: their cost, the best path, and the threats along it."""

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import AROUND, Square
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.acts import Act
from affray.projections.state import Combatant

Path: TypeAlias = tuple[Square, ...]

FARTHER: Final = (1 << 30, 0)
"""More than any path costs."""

WAYS_MOST = 1200
"""The most squares that a path search visits for creatures of one square (60 feet: 624)."""

FEWEST = 60
"""The most that it visits for the hugest."""


class ReachablePath(Struct, frozen=True, gc=False):
    """A path to a square: `path` without the start, and its cost in feet.

    `past` are the ids of those that threaten a square that it leaves, and may attack. `around` is a longer
    path that leaves no threatened square, () if there is none within reach or `past` is empty.
    """

    path: Path
    feet: int
    past: tuple[str, ...] = ()
    around: Path = ()

    @property
    def to(self) -> Square:
        """Return its destination."""
        return self.path[-1]


def most_squares(mover: Combatant) -> int:
    """Return the most squares that a path search visits; a step of the huge costs as much as its squares
    do.
    """
    return max(FEWEST, WAYS_MOST // mover.space**2)


def ways(fight: Fight, mover: Combatant, how: str = "normal", *, known: bool = False) -> list[ReachablePath]:
    """Return a path to each square that a move of the mover's speed reaches, the cheapest first.

    Whether the mover may declare a movement is not checked. Paths as `known` to the mover also enter squares
    of combatants it does not perceive, and ignore their threats. O(squares in reach), at most `most_squares`.
    """
    feet = fight.dialect.kernel.speed(fight, mover)
    cheapest = dict(cheapest_paths(fight, mover, feet, how, known=known))
    past = {to: passed(fight, mover, path, how, known=known) for to, (path, _) in cheapest.items()}
    safe = {}
    if any(past.values()):
        safe = dict(cheapest_paths(fight, mover, feet, how, safely=True, known=known))
    return [
        ReachablePath(path, cost, past[to], safe[to][0] if past[to] and to in safe else ())
        for to, (path, cost) in cheapest.items()
    ]


def cheapest_paths(
    fight: Fight, mover: Combatant, feet: int, how: str, *, safely: bool = False, known: bool = False
) -> Iterator[tuple[Square, tuple[Path, int]]]:
    """Yield the squares within `feet` where a move may end, each with the cheapest path and its cost.

    Among equally cheap paths the one that leaves the fewest threatened squares; with `safely` none. A path
    may pass squares where a move may not end, and end in one from which it may not continue.
    """
    kernel, most = fight.dialect.kernel, most_squares(mover)
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
            measured = kernel.measure(fight, mover, (mover.at, *path, there), how)
            key = there, measured.diagonals % 2, through
            if measured.feet > feet or (measured.feet, left) >= least.get(key, FARTHER):
                continue
            enemies = kernel.leaving(fight, mover, here, there, how)
            threatened = left + bool(kernel.notices(fight, mover, enemies) if known else enemies)
            if (safely and threatened) or (measured.feet, threatened) >= least.get(key, FARTHER):
                continue
            least[key] = measured.feet, threatened
            heappush(queue, ((measured.feet, threatened), len(path), (*path, there), ending, through))


def open_to(
    fight: Fight, mover: Combatant, here: Square, there: Square, how: str, *, last: bool, known: bool = False
) -> bool:
    """Return whether a step is possible, or believed to be, as the last one of a movement or on its way."""
    try:
        fight.dialect.kernel.refuse_step(fight, mover, here, there, last, None, how)
    except Refusal:
        return False
    return known or fight.dialect.kernel.unseen_in_step(fight, mover, here, there, last, how) is None


def passed(fight: Fight, mover: Combatant, path: Path, how: str, *, known: bool = False) -> tuple[str, ...]:
    """Return the ids of those that threaten a square that a path leaves and have an attack left, in order."""
    kernel = fight.dialect.kernel
    steps = pairwise((mover.at, *path))
    some = {one.id: one for here, there in steps for one in kernel.leaving(fight, mover, here, there, how)}
    told = kernel.notices(fight, mover, some.values()) if known else some.values()
    return tuple(one.id for one in told if kernel.can_react(fight, one))


Propose: TypeAlias = Callable[[Fight, Combatant, Sequence[ReachablePath]], Iterator[Act]]
"""Builds declarations, given the paths to the squares that one move reaches."""


def moves(fight: Fight, combatant: Combatant, reach: Sequence[ReachablePath]) -> Iterator[Act]:
    """Yield a move to each square in reach."""
    for way in reach:
        yield acts.Move(actor=combatant.id, path=way.path)
