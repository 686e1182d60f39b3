"""A grid told: as a heat map and a table for a terminal, and as rows for spreadsheets."""

import csv
from collections.abc import Iterator
from io import StringIO

from affray.replay.balance.cells import Cell, Grid, cell_name, percent_of, summary, what_of
from affray.replay.odds import Share

SHADES = " ░▒▓█"
"""The likelier the darker: so a map is read without colour."""
WIDE = 3
"""Characters of shade beside a number."""


def grid_lines(found: Grid) -> Iterator[str]:
    """Yield the grid: its map if it has one or two axes, then each cell with its intervals."""
    yield from summary(found)
    if len(found.axes) <= 2:
        yield ""
        yield from heat_map(found)
    yield ""
    wide = max(len(cell_name(cell)) for cell in found.cells)
    yield f"{', '.join(found.axes)}: odds, and how far from {', '.join(found.base)} by the same dice"
    for cell in found.cells:
        yield f"  {cell_name(cell):<{wide}}  {_cell_line(found, cell)}"


def heat_map(found: Grid) -> Iterator[str]:
    """Yield the odds of each cell, those of the second axis side by side, the likelier the darker."""
    rows = found.values[0]
    columns = found.values[1] if len(found.axes) > 1 else ("",)
    left = max(len(found.axes[0]), *map(len, rows))
    wide = max(4 + WIDE, *map(len, columns))
    if len(found.axes) > 1:
        yield f"{'':{left}}  {found.axes[1]}"
    yield f"{found.axes[0]:<{left}}  {'  '.join(f'{value:<{wide}}' for value in columns)}".rstrip()
    for row in rows:
        told = (
            _shaded(found.cell(*((row, one) if one or len(found.axes) > 1 else (row,)))) for one in columns
        )
        yield f"{row:>{left}}  {'  '.join(f'{one:<{wide}}' for one in told)}".rstrip()


def _shaded(cell: Cell) -> str:
    if cell.odds is None:
        return "  - "
    share = percent_of(cell.odds)
    return f"{share:3.0f} {SHADES[min(4, int(share / 20))] * WIDE}"


def _cell_line(found: Grid, cell: Cell) -> str:
    if cell.odds is None:
        return f"refused: {cell.refused}"
    told = f"{percent_of(cell.odds):5.1f} %  ({cell.odds.low:.1f} to {cell.odds.high:.1f})"
    if cell.values == found.base:
        told += "  compared with"
    elif cell.gap is not None:
        told += f"  {cell.gap.points:+.1f} ({cell.gap.low:+.1f} to {cell.gap.high:+.1f})"
    return told if cell.enough else f"{told}  not known so well"


def table(found: Grid) -> str:
    """Return the cells as CSV, a row each: values, odds, difference, each side and combatant."""
    out = StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    first = next(cell for cell in found.cells if cell.odds is not None)
    write(
        [
            *found.axes,
            *(
                "runs",
                what_of(found),
                "low",
                "high",
                "difference",
                "difference low",
                "difference high",
                "pairs",
            ),
            *(f"{side} win" if side else "undecided" for side in first.wins),
            *(f"{id} lives" for id in first.lives),
            *("rounds", "refused"),
        ]
    )
    for cell in found.cells:
        odds, gap = cell.odds, cell.gap
        write(
            [
                *cell.values,
                cell.runs,
                *((round(percent_of(odds), 2), odds.low, odds.high) if odds else ("", "", "")),
                *((gap.points, gap.low, gap.high, gap.pairs) if gap else ("", "", "", "")),
                *(_share(cell.wins.get(side)) for side in first.wins),
                *(_share(cell.lives.get(id)) for id in first.lives),
                cell.rounds if odds else "",
                cell.refused,
            ]
        )
    return out.getvalue()


def _share(share: Share | None) -> float | str:
    return "" if share is None else round(percent_of(share), 2)
