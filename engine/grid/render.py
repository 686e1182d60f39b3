"""A small text map."""

from collections.abc import Mapping

from affray.engine.grid.battlefield import Battlefield, GridError, Square
from affray.engine.grid.reach import space


def draw(field: Battlefield, tokens: Mapping[Square, str], sides: Mapping[Square, int] | None = None) -> str:
    """The map with coordinates along the top and left edges, and a letter on every square of each token.

    `tokens` are letters by anchor; `sides` gives the sides of those that take more than one square. Lines
    carry no trailing blanks. Raises GridError for a token longer than one character or off the map.
    """
    rows = [list(row) for row in field.rows]
    for anchor, letter in sorted(tokens.items()):
        side = (sides or {}).get(anchor, 1)
        if len(letter) != 1 or not field.holds(anchor, side):
            raise GridError(f"cannot draw {letter!r} at {anchor[0]},{anchor[1]}")
        for x, y in space(anchor, side):
            rows[y][x] = letter
    margin = len(str(field.height - 1))
    heads = []
    for unit in (100, 10):
        if field.width > unit:
            marks = (str(x // unit % 10) if x and x % unit == 0 else " " for x in range(field.width))
            heads.append(" " * (margin + 1) + "".join(marks))
    heads.append(" " * (margin + 1) + "".join(str(x % 10) for x in range(field.width)))
    body = [f"{y:>{margin}} {''.join(row)}" for y, row in enumerate(rows)]
    return "\n".join(line.rstrip() for line in heads + body)
