"""The picture of the state for a terminal with few rows."""

from collections.abc import Iterator, Sequence
from typing import Final

from affray.engine.grid.battlefield import battlefield
from affray.projections.state import Encounter
from affray.replay.narrate.board import board, heads
from affray.replay.narrate.cast import legend
from affray.replay.narrate.line import Line, in_rows, plain
from affray.replay.show import besides, by_initiative, cast_of, health_rows, standing, titled, widest_map

TALL_ENOUGH: Final = 7
"""Rows of the map that are to be seen before everybody's bar of hit points goes."""
LOW_ENOUGH: Final = 3
"""With fewer rows the map is of no use."""


def low_picture(state: Encounter, place: str, begin: str, columns: int, rows: int) -> Iterator[Line]:
    """Yield as much of the state as so many rows take, none of them empty, the map before all else.

    What stands beside it goes first (effects, what lies on the ground), then rows of it far from the fight,
    then the bars of hit points. What is left out is told. The open question is not in it.
    """
    cast = cast_of(state)
    head = Line("setup", f"{titled(state, place)}. {standing(state, cast, begin)}")
    yield head
    free = rows - rows_of([head], columns)
    everybody = by_initiative(state)
    bars, beside = list(health_rows(everybody, state, cast)), list(besides(everybody, state, cast))
    brief = legend(state, cast)
    above = heads(battlefield(state.terrain)) if state.terrain else 0
    whole = board(state, cast, widest_map(columns)) if state.terrain else []
    if len(bars) + rows_of(beside, columns) + len(whole) <= free:
        yield Line("map", in_rows(bars))
        yield from beside
        yield Line("map", in_rows(whole))
        return
    free -= 1  # for the row that says so
    for people, least in ((bars, TALL_ENOUGH), (brief, LOW_ENOUGH)):
        room = free - len(people)
        if room >= min(len(whole), above + least):
            cut = whole if len(whole) <= room else board(state, cast, widest_map(columns), room - above)
            yield Line("map", in_rows([*people, *cut]))
            yield Line("note", "Cut to fit the terminal: show prints all of it")
            return
    missing = len(brief) + min(len(whole), above + LOW_ENOUGH) - free
    yield Line("note", f"Not drawn: the terminal is too low for it by {missing}; show prints it")


def rows_of(lines: Sequence[Line], columns: int) -> int:
    """Return how many rows lines take, without empty ones."""
    return sum(1 for line in lines for row in plain(line, columns) if row)
