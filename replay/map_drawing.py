"""A map as text with what stands between its squares: a line of squares, a line of their lower sides."""

from collections.abc import Mapping, Sequence

from affray.engine.fight.walled_field import WALL
from affray.engine.grid.battlefield import Side, side_between
from affray.engine.grid.border import is_border
from affray.events.facts.terrain import Barrier


def drawn_rows(rows: Sequence[str], barriers: Sequence[Barrier]) -> list[str]:
    """Return a map of which every square is two letters wide and two rows high, without trailing blanks.

    Walls are `|` and `-`, closed doors `+`, open ones `/`, what can be crossed `:`.
    """
    marks = {
        side_between(one.here, one.there): mark_of(one) for one in barriers if is_border(one.here, one.there)
    }
    width = len(rows[0])
    made = []
    for y, row in enumerate(rows):
        made.append("".join(_mark(marks, (True, x, y), "|") + kind for x, kind in enumerate(row)))
        if y + 1 < len(rows):
            below = "".join(" " + _mark(marks, (False, y + 1, x), "-") for x in range(width))
            made.append(below)
    return [row.rstrip() for row in made]


def mark_of(one: Barrier) -> str:
    """Return the letter for what stands between two squares; "" for a wall."""
    if one.cover != WALL:
        return ":"
    return "" if not one.door else "/" if one.open else "+"


def _mark(marks: Mapping[Side, str], side: Side, wall: str) -> str:
    found = marks.get(side)
    return " " if found is None else found or wall
