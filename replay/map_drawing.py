"""A map as text with what stands between its squares: a line of squares, a line of their lower sides."""

from collections.abc import Sequence
from typing import Final

from affray.engine.fight.fight import WALL
from affray.engine.grid.battlefield import Side, side_between
from affray.engine.grid.lines_and_cover import is_border
from affray.events.facts.terrain import Barrier

SIGNS: Final = {"|-": "wall", "+": "closed door", "/": "open door", ":": "can be crossed"}
"""What stands between squares of a map as text, and what it is."""


def drawn_rows(rows: Sequence[str], barriers: Sequence[Barrier]) -> list[str]:
    """Return a map of which every square is two letters wide and two rows high, without trailing blanks.

    Walls are `|` and `-`, closed doors `+`, open ones `/`, what can be crossed `:`.
    """
    marks = marks_of(barriers)
    width = len(rows[0])
    made = []
    for y, row in enumerate(rows):
        made.append("".join(marks.get((True, x, y), " ") + kind for x, kind in enumerate(row)))
        if y + 1 < len(rows):
            below = "".join(" " + marks.get((False, y + 1, x), " ") for x in range(width))
            made.append(below)
    return [row.rstrip() for row in made]


def marks_of(barriers: Sequence[Barrier]) -> dict[Side, str]:
    """Return the sign for what stands between squares, by the side that they share."""
    return {
        side_between(one.here, one.there): mark_of(one) for one in barriers if is_border(one.here, one.there)
    }


def mark_of(one: Barrier) -> str:
    """Return the sign for what stands between two neighbouring squares."""
    if one.cover != WALL:
        return ":"
    if one.door:
        return "/" if one.open else "+"
    return "|" if side_between(one.here, one.there)[0] else "-"
