"""Which of several squares or directions it is, where the rules leave that open."""

from collections.abc import Sequence
from typing import Final

from affray.engine.grid.battlefield import Square
from affray.engine.steps import Choice, Steps

#: The directions by name, (dx, dy) each.
COMPASS: Final[dict[str, Square]] = {
    "east": (1, 0),
    "southeast": (1, 1),
    "south": (0, 1),
    "southwest": (-1, 1),
    "west": (-1, 0),
    "northwest": (-1, -1),
    "north": (0, -1),
    "northeast": (1, -1),
}


def choose_square(
    who: str, purpose: str, question: str, squares: Sequence[Square], rule: str
) -> Steps[Square]:
    """Return the square that a combatant chooses, or the game master (who ""); a single one unasked.

    They are asked in their order, the usual one first, by names such as "3,1".
    """
    if len(squares) == 1:
        return squares[0]
    named = {f"{x},{y}": (x, y) for x, y in squares}
    return named[(yield Choice(who, purpose, question, tuple(named), rule))]


def choose_way(who: str, question: str, ways: Sequence[Square], rule: str) -> Steps[Square]:
    """Return the direction, (dx, dy), that a combatant chooses; a single one unasked, the usual one first."""
    if len(ways) == 1:
        return ways[0]
    names = tuple(name for way in ways for name, one in COMPASS.items() if one == way)
    return COMPASS[(yield Choice(who, "way", question, names, rule))]
