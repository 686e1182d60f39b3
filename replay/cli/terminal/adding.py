"""`add goblin x3` at the prompt: who enters, on which side, where, and under which id."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from affray.engine.grid.battlefield import Square
from affray.engine.language.acts import SQUARE
from affray.engine.language.names import Unclear, begun_by
from affray.engine.language.sentences import one_of
from affray.events.errors import square
from affray.replay.cli.terminal.line import DB
from affray.replay.entry_sheets import shipped, shipped_sheet
from affray.replay.language import Moment

MOST: Final = 20
"""The most combatants of one line."""
_TIMES: Final = re.compile(r"x(\d{1,3})")


def entries_of(now: Moment, words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the words of a command for each combatant that a line adds: SHEET [xN] [SQUARE]... [SIDE].

    Without a square one enters next to its side, without a side with others of its sheet, otherwise against
    the first side. Raises Unclear.
    """
    squares = [word for word in words if SQUARE.fullmatch(word)]
    times = [found for word in words if (found := _TIMES.fullmatch(word))]
    names = [word for word in words if word not in squares and not _TIMES.fullmatch(word)]
    known = shipped(now.state.dialect)
    sides = [*dict.fromkeys(one.side for one in now.state.combatants.values())]
    side = names.pop() if len(names) > 1 and (names[-1] in sides or not begun_by(names[-1], known)) else ""
    if not names:
        raise Unclear(f"add whom? {', '.join(known)}", list(known))
    use = one_of(" ".join(names), list(known), "sheet", f"in {now.state.dialect}")
    many = int(times[0][1]) if times else max(1, len(squares))
    if not 1 <= many <= MOST or len(squares) > many or len(times) > 1:
        raise Unclear(f"add {use}: from 1 to {MOST} at once, with at most one square for each")
    sheet = shipped_sheet(now.state.dialect, use)
    space, _ = now.fight.dialect.kernel.space(now.fight, sheet)
    side = side or _side_of(now, sheet.name, sides)
    places = [(int(x), int(y)) for x, y in (one.split(",") for one in squares)]
    ids = _ids(now, use, many)
    for at, id in enumerate(ids):
        place = places[at] if at < len(places) else _free_square(now, side, space, places)
        places[at:] = [place, *places[at + 1 :]]
        yield ("add", DB, "--id", id, "--side", side, "--at", square(place), "--use", use)


def _side_of(now: Moment, name: str, sides: Sequence[str]) -> str:
    """Return the side of others with a sheet, otherwise the largest one that is not the first."""
    same = [one.side for one in now.state.combatants.values() if one.sheet.name == name]
    others = Counter(one.side for one in now.state.combatants.values() if one.side != sides[0])
    if same or others:
        return same[0] if same else others.most_common(1)[0][0]
    return "monsters" if sides and sides[0] != "monsters" else "heroes"


def _ids(now: Moment, use: str, many: int) -> list[str]:
    """Return unused ids: goblin, or goblin2 and so on."""
    stem, taken = use.replace(" ", "-"), now.state.combatants
    every = (stem if number == 1 else f"{stem}{number}" for number in range(1, len(taken) + many + 1))
    return [id for id in every if id not in taken][:many]


def _free_square(now: Moment, side: str, space: int, places: Sequence[Square]) -> Square:
    """Return the free square nearest to the last chosen one, otherwise to a side, otherwise to a corner."""
    field = now.fight.field
    taken = {
        (one.at[0] + dx, one.at[1] + dy)
        for one in now.state.combatants.values()
        for dx in range(one.space)
        for dy in range(one.space)
    }
    taken |= {(x + dx, y + dy) for x, y in places for dx in range(space) for dy in range(space)}
    near = [*places] or [one.at for one in now.state.combatants.values() if one.side == side]
    middle = near[-1] if near else (len(now.state.terrain[0]) - 1, 0)

    def is_free(at: Square) -> bool:
        own = {(at[0] + dx, at[1] + dy) for dx in range(space) for dy in range(space)}
        return not own & taken and field.passable(at, space)

    every = ((x, y) for y, row in enumerate(now.state.terrain) for x in range(len(row)))
    free = [at for at in every if is_free(at)]
    if not free:
        raise Unclear("there is no free square on the map: name one, or draw a larger map")
    return min(free, key=lambda at: ((at[0] - middle[0]) ** 2 + (at[1] - middle[1]) ** 2, at))
