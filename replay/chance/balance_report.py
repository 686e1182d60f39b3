"""A grid told: as a heat map and a table for a terminal, and as rows for spreadsheets."""

import csv
from collections.abc import Iterator
from io import StringIO

from affray.replay.chance.balance import Cell, Grid, cell_name, describe_question, percent_of, summary
from affray.replay.chance.odds import Share
from affray.replay.text.html import framed, strip_markup

SHADES = " ░▒▓█"
"""The likelier the darker: so a map is read without colour."""
WIDE = 3
"""Characters of shade beside a number."""


def yield_grid_lines(found: Grid) -> Iterator[str]:
    """Yield the grid: its map if it has one or two axes, then each cell with its intervals."""
    yield from summary(found)
    if len(found.axes) <= 2:
        yield ""
        yield from yield_heat_map(found)
    yield ""
    wide = max(len(cell_name(cell)) for cell in found.cells)
    yield f"{', '.join(found.axes)}: odds, and how far from {', '.join(found.base)} by the same dice"
    for cell in found.cells:
        yield f"  {cell_name(cell):<{wide}}  {_get_cell_line(found, cell)}"


def yield_heat_map(found: Grid) -> Iterator[str]:
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
            _shade_cell(found.cell(*((row, one) if one or len(found.axes) > 1 else (row,))))
            for one in columns
        )
        yield f"{row:>{left}}  {'  '.join(f'{one:<{wide}}' for one in told)}".rstrip()


def _shade_cell(cell: Cell) -> str:
    if cell.odds is None:
        return "  - "
    share = percent_of(cell.odds)
    return f"{share:3.0f} {SHADES[min(4, int(share / 20))] * WIDE}"


def _get_cell_line(found: Grid, cell: Cell) -> str:
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
                describe_question(found),
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


# --- A grid as a page: the heat map drawn, and the table below it

WIDTH, HEIGHT, LEFT, TOP = 76, 34, 150, 46
"""Pixels of a cell, and of what stands left of the cells and above them."""
MOST_LETTERS = 20
"""Of a value so many letters are written at the map; the table has all."""
PALE, DEEP = (247, 238, 216), (20, 73, 130)
"""The colours of never and always."""


def make_grid_page(found: Grid) -> str:
    """Return the grid as one self-contained HTML file."""
    body = [f"<p>{strip_markup(line)}</p>" for line in summary(found)]
    if len(found.axes) <= 2:
        body.append(draw_heat_map(found))
    heads = "".join(
        f"<th scope=col>{strip_markup(head)}</th>"
        for head in (
            ", ".join(found.axes),
            describe_question(found),
            "95 %",
            f"against {', '.join(found.base)}",
            "fights",
        )
    )
    body.append(f"<table><tr>{heads}</tr>{''.join(map(_cell_row, found.cells))}</table>")
    return framed(f"Balance: how often {describe_question(found)}", body)


def draw_heat_map(found: Grid) -> str:
    """Return the map as a drawing: the first axis downwards, the second to the right."""
    rows = found.values[0]
    columns = found.values[1] if len(found.axes) > 1 else ("",)
    width, height = LEFT + WIDTH * len(columns) + 10, TOP + HEIGHT * len(rows) + 10
    drawn = "".join(_drawn(found, rows, columns))
    label = f"Heat map: how often {describe_question(found)}"
    return (
        f'<svg viewBox="0 0 {width} {height}" style="width:100%;max-width:{width}px" role="img" '
        f'aria-label="{strip_markup(label)}" font-family="system-ui, sans-serif" font-size="13">{drawn}</svg>'
    )


def _drawn(found: Grid, rows: tuple[str, ...], columns: tuple[str, ...]) -> Iterator[str]:
    yield _text(LEFT - 8, TOP - 8, found.axes[0], "end", bold=True)
    if len(found.axes) > 1:
        yield _text(LEFT, 14, found.axes[1], "start", bold=True)
    for at, value in enumerate(columns):
        yield _text(LEFT + WIDTH * at + WIDTH // 2, TOP - 8, value, "middle")
    for down, row in enumerate(rows):
        y = TOP + HEIGHT * down
        yield _text(LEFT - 8, y + HEIGHT // 2 + 5, row, "end")
        for at, column in enumerate(columns):
            cell = found.cell(*((row, column) if len(found.axes) > 1 else (row,)))
            yield from _square(found, cell, LEFT + WIDTH * at, y)


def _square(found: Grid, cell: Cell, x: int, y: int) -> Iterator[str]:
    share = percent_of(cell.odds) if cell.odds is not None else 0
    told = cell.refused if cell.odds is None else f"{cell.odds.low} to {cell.odds.high} %"
    fill = _get_share_colour(share) if cell.odds is not None else "none"
    edge = ' stroke="currentColor" stroke-width="2"' if cell.values == found.base else ' stroke="#8886"'
    yield (
        f"<g><title>{strip_markup(f'{cell_name(cell)}: {told}')}</title>"
        f'<rect x="{x + 2}" y="{y + 2}" width="{WIDTH - 4}" height="{HEIGHT - 4}" fill="{fill}"{edge}/>'
    )
    ink = "#fff" if share > 50 else "#111"
    said, ink = (f"{share:.0f} %", ink) if cell.odds is not None else ("refused", "currentColor")
    place = f'x="{x + WIDTH // 2}" y="{y + HEIGHT // 2 + 5}"'
    yield f'<text {place} text-anchor="middle" fill="{ink}">{said}</text></g>'


def _text(x: int, y: int, text: str, anchor: str, *, bold: bool = False) -> str:
    short = text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="currentColor"{weight}>'
        f"<title>{strip_markup(text)}</title>{strip_markup(short)}</text>"
    )


def _get_share_colour(share: float) -> str:
    """Return the colour of a share in percent."""
    return "#" + "".join(
        f"{round(pale + (deep - pale) * share / 100):02x}" for pale, deep in zip(PALE, DEEP, strict=True)
    )


def _cell_row(cell: Cell) -> str:
    if cell.odds is None:
        told = ["", "", strip_markup(cell.refused), ""]
    else:
        gap = cell.gap
        told = [
            f"{percent_of(cell.odds):.1f} %",
            f"{cell.odds.low} to {cell.odds.high}",
            f"{gap.points:+.1f} ({gap.low:+.1f} to {gap.high:+.1f})" if gap else "",
            str(cell.runs),
        ]
    cells = "".join(f"<td>{one}</td>" for one in told)
    return f"<tr><td>{strip_markup(cell_name(cell))}</td>{cells}</tr>"
