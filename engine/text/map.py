"""The map in a story: the letter of each combatant, and the walls and doors between the squares."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from affray.engine.fight.fight import WALL
from affray.engine.grid.battlefield import Battlefield, Side, battlefield, side_between
from affray.engine.grid.lines_and_cover import draw, is_border
from affray.engine.kernel.places import anchors_of
from affray.engine.language.cast import Cast
from affray.events.facts.sheet import Barrier
from affray.projections.state import Combatant, Encounter

# --- A map as text with walls and doors: a row of squares, then a row of their lower sides

SIGNS: Final = {"|-": "wall", "+": "closed door", "/": "open door", ":": "can be crossed"}
"""Sign between squares of a map as text -> its meaning."""


def draw_rows(rows: Sequence[str], barriers: Sequence[Barrier]) -> list[str]:
    """Return a map in which every square is two letters wide and two rows high, without trailing blanks.

    Walls are `|` and `-`, closed doors `+`, open ones `/`, barriers that can be crossed `:`.
    """
    marks = get_marks_between_squares(barriers)
    width = len(rows[0])
    made = []
    for y, row in enumerate(rows):
        made.append("".join(marks.get((True, x, y), " ") + kind for x, kind in enumerate(row)))
        if y + 1 < len(rows):
            below = "".join(" " + marks.get((False, y + 1, x), " ") for x in range(width))
            made.append(below)
    return [row.rstrip() for row in made]


def get_marks_between_squares(barriers: Sequence[Barrier]) -> dict[Side, str]:
    """Return the signs between squares, by the side that the squares share."""
    return {
        side_between(one.here, one.there): mark_of(one) for one in barriers if is_border(one.here, one.there)
    }


def mark_of(one: Barrier) -> str:
    """Return the sign for a barrier between two neighbouring squares."""
    if one.cover != WALL:
        return ":"
    if one.door:
        return "/" if one.open else "+"
    return "|" if side_between(one.here, one.there)[0] else "-"


WIDEST, TALLEST = 72, 40
"""Letters and rows of the map without its coordinates; a larger map is cut."""
_MARGIN = 5

Window = tuple[range, range]
"""Columns and rows of squares."""


def board(state: Encounter, cast: Cast, widest: int = WIDEST, tallest: int = TALLEST) -> list[str]:
    """Return the rows of the map with each combatant's letter; a large map is cut to the area of the fight.

    Barriers between squares (see SIGNS) have their own columns and rows. On a shared square a living
    combatant is shown before a dead one. `widest` and `tallest` exclude the coordinates.
    """
    field = battlefield(state.terrain)
    standing = sorted(state.combatants.values(), key=lambda one: not state.is_dead(one))
    tokens = {at: cast.letters[one.id] for one in standing for at in anchors_of(one)}
    drawn = draw(field, tokens, {at: one.space for one in standing for at in anchors_of(one)}).splitlines()
    marks = get_marks_between_squares(state.barriers)
    wide, tall = widest, tallest
    window = _window(state, field, wide, tall)
    # Barriers between squares take space too: fewer squares are shown.
    while (over := _room_of(window[0], _parted_lines(marks, window, upright=True)) - widest) > 0 and wide > 1:
        wide -= min(over, wide - 1)
        window = _window(state, field, wide, tall)
    while (
        over := _room_of(window[1], _parted_lines(marks, window, upright=False)) - tallest
    ) > 0 and tall > 1:
        tall -= min(over, tall - 1)
        window = _window(state, field, wide, tall)
    return list(yield_rows_with_barriers(drawn, field, marks, window))


def heads(field: Battlefield) -> int:
    """Return the number of rows of coordinates above a map."""
    return 1 + (field.width > 10) + (field.width > 100)


def yield_rows_with_barriers(
    drawn: Sequence[str], field: Battlefield, marks: Mapping[Side, str], window: Window | None = None
) -> Iterator[str]:
    """Yield the rows of a drawn map, or of a part of it, with the barriers between its squares.

    A column or row is only added if there is a barrier between two squares of the part.
    """
    window = window or (range(field.width), range(field.height))
    columns, rows = window
    uprights, levels = _parted_lines(marks, window, upright=True), _parted_lines(marks, window, upright=False)
    margin = len(str(field.height - 1)) + 1
    above = len(drawn) - field.height

    def row(letters: str, signs: Mapping[int, str]) -> str:
        letters = letters.ljust(margin + field.width)
        cells = "".join((signs.get(x, " ") if x in uprights else "") + letters[margin + x] for x in columns)
        return (letters[:margin] + cells).rstrip()

    for letters in drawn[:above]:
        yield row(letters, {})
    for y in rows:
        if y in levels:
            below = "".join(marks.get((False, y, x), " ") for x in range(field.width))
            yield row(" " * margin + below, {x: _corner(marks, x, y) for x in uprights})
        yield row(drawn[above + y], {x: marks[(True, x, y)] for x in uprights if (True, x, y) in marks})


def explain_signs(marks: Mapping[Side, str]) -> str:
    """Return the meaning of the signs that occur between squares: "| - wall, + closed door"."""
    there = {*marks.values()}
    return ", ".join(
        f"{' '.join(sign for sign in signs if sign in there)} {meaning}"
        for signs, meaning in SIGNS.items()
        if there & {*signs}
    )


def _corner(marks: Mapping[Side, str], x: int, y: int) -> str:
    """Return the sign at the corner of four squares: a wall that continues there."""
    beside = ((False, y, x - 1) in marks) + ((False, y, x) in marks)
    upright = ((True, x, y - 1) in marks) + ((True, x, y) in marks)
    return "|" if upright == 2 else "-" if beside and beside + upright > 1 else " "


def _parted_lines(marks: Mapping[Side, str], window: Window, *, upright: bool) -> set[int]:
    """Return the grid lines, upright or level, with a barrier between squares of the window."""
    columns, rows = window
    across, along = (columns, rows) if upright else (rows, columns)
    return {
        line
        for sort, line, begins in marks
        if sort == upright and line in across and line > across.start and begins in along
    }


def _room_of(squares: range, lines: set[int]) -> int:
    return len(squares) + len(lines)


def _window(state: Encounter, field: Battlefield, widest: int, tallest: int) -> Window:
    """Return the part of the map to show: the area of the combatants with a margin, if not all of it."""
    everybody = [*state.combatants.values()]
    some = [one for one in everybody if not state.is_dead(one)] or everybody
    focus = state.combatants.get(state.active)
    return (
        _extent([(one.at[0], one.space) for one in some], field.width, widest, _along(focus, 0)),
        _extent([(one.at[1], one.space) for one in some], field.height, tallest, _along(focus, 1)),
    )


def _along(one: Combatant | None, side: int) -> int | None:
    return None if one is None else one.at[side]


def _extent(places: Sequence[tuple[int, int]], size: int, most: int, focus: int | None) -> range:
    """Return the columns or rows to show: all, or those of the places (position and size), at most `most`.

    If these are too far apart, it is the area around `focus`, or else the first of them.
    """
    if size <= most or not places:
        return range(min(size, most))
    low, high = min(at for at, _ in places), max(at + space for at, space in places)
    if high - low > most:
        middle = places[0][0] if focus is None else focus
        first = max(0, min(middle - most // 2, size - most))
        return range(first, first + most)
    margin = min(_MARGIN, (most - (high - low)) // 2)
    return range(max(0, low - margin), min(size, high + margin))
