"""Draws what stands on a terminal: text with its colours as an SVG that loads nothing."""

import re
from collections.abc import Iterator
from html import escape

from affray.events.errors import counted

CODE = re.compile(r"\x1b\[([\d;]*)m")
ACROSS, DOWN, EDGE = 8.4, 19, 14
"""Pixels of a character and a row, and of the edge around them."""

COLOURS = {
    30: "#6e7681",
    31: "#ff7b72",
    32: "#7ee787",
    33: "#e3b341",
    34: "#79c0ff",
    35: "#d2a8ff",
    36: "#76e3ea",
    37: "#e6edf3",
}
INK, PAPER = "#d7dde4", "#0d1117"


def picture(text: str, title: str, most: int) -> str:
    """Return the drawing of a terminal of `most` columns that shows a text."""
    rows = [part for row in text.rstrip("\n").split("\n") for part in _broken(row, most)]
    columns = max(len(CODE.sub("", row)) for row in rows)
    wide, high = round(columns * ACROSS + 2 * EDGE), len(rows) * DOWN + 2 * EDGE
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}"'
        f' role="img" aria-label="{escape(title)}: a terminal, {counted(len(rows), "line")}">',
        f'<rect width="{wide}" height="{high}" rx="6" fill="{PAPER}"/>',
        f'<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="{INK}">',
    ]
    for at, row in enumerate(rows):
        spans = []
        column = 0
        for part, style in _parts(row):
            if part.strip():
                length = f'textLength="{len(part) * ACROSS:.1f}" lengthAdjust="spacingAndGlyphs"'
                spans.append(
                    f'<tspan x="{EDGE + column * ACROSS:.1f}" {length}{_looks(style)}>{escape(part)}</tspan>'
                )
            column += len(part)
        if spans:
            y = EDGE + at * DOWN + 14
            drawn.append(f'<text y="{y}" xml:space="preserve">{"".join(spans)}</text>')
    return "\n".join([*drawn, "</g>", "</svg>", ""])


def _broken(row: str, most: int) -> list[str]:
    """Return a row as a terminal breaks it; one with colours fits, since it was made to."""
    if len(CODE.sub("", row)) <= most:
        return [row]
    return [row[start : start + most] for start in range(0, len(row), most)]


def _parts(row: str) -> Iterator[tuple[str, list[int]]]:
    """Yield the parts of a row that look alike, each with the codes that hold in it."""
    style: list[int] = []
    codes = iter(CODE.split(row))
    yield next(codes), style
    for code, part in zip(codes, codes, strict=True):
        for number in map(int, (code or "0").split(";")):
            style = [] if number == 0 else [*style, number]
        yield part, style


def _looks(style: list[int]) -> str:
    colour = next((COLOURS[one] for one in reversed(style) if one in COLOURS), "")
    said = f' fill="{colour}"' if colour else ""
    if 2 in style:
        said += ' opacity="0.65"'
    return said + ' font-weight="bold"' * (1 in style)
