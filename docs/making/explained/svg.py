"""What the drawings are made of: boxes, lines and words in an SVG that loads nothing.

A drawing has a ground of its own, so that it can be read on a light page and on a dark one. Words that do
not fit, or lie over others, are an error: a program makes it, and nobody may look at it before it ships.
"""

import textwrap
from collections.abc import Sequence
from html import escape
from itertools import combinations
from typing import NamedTuple

WIDE = 760
"""Pixels: as wide as the text of a page mostly is, so that nothing is made smaller."""
SANS = "Verdana, 'DejaVu Sans', sans-serif"
MONO = "'DejaVu Sans Mono', Menlo, Consolas, monospace"
PAPER, INK, FAINT, EDGE = "#ffffff", "#1f2933", "#5b6875", "#b8c2cc"

THIN, BROAD = frozenset("fijlrtI.,:;'|!()[]/ "), frozenset("mwMWO@%+=#")
"""Letters that take less and more room than others; the measures are those of the widest of the fonts."""


class Tint(NamedTuple):
    """A colour: of the edge and of words, and a pale one behind them."""

    deep: str
    pale: str


GREY = Tint(FAINT, "#f2f4f7")
BLUE = Tint("#1d5fa8", "#e6f0fb")
GREEN = Tint("#1c7a4a", "#e3f5ea")
AMBER = Tint("#96590a", "#fdf0d9")
RED = Tint("#b42318", "#fde8e6")
VIOLET = Tint("#6b3fa0", "#f1e9fb")


class Misdrawn(Exception):
    """Words do not fit where they were to stand, or lie over others."""


class Area(NamedTuple):
    """Where words stand, and which these are."""

    left: float
    top: float
    right: float
    bottom: float
    text: str

    def meets(self, other: "Area") -> bool:
        """Say whether two areas have more than an edge in common."""
        return min(self.right, other.right) > max(self.left, other.left) and min(
            self.bottom, other.bottom
        ) > max(self.top, other.top)


def width_of(text: str, size: float, *, mono: bool = False, bold: bool = False) -> float:
    """Return how many pixels a text takes at most."""
    if mono:
        return len(text) * size * 0.602
    letters = sum(
        0.4 if one in THIN else 0.95 if one in BROAD else 0.72 if one.isupper() else 0.625 for one in text
    )
    return letters * size * (1.12 if bold else 1)


def wrapped(text: str, size: float, room: float) -> list[str]:
    """Return a text in as many lines as it takes, none wider than `room`."""
    tried = (textwrap.wrap(text, columns) for columns in range(len(text), 0, -1))
    return next(lines for lines in tried if all(width_of(line, size) <= room for line in lines))


class Drawing:
    """A drawing as it grows; coordinates are pixels from the upper left."""

    def __init__(self, label: str) -> None:
        """Begin one of which `label` says, to whoever cannot see it, what is drawn."""
        self.label = label
        self._parts: list[str] = []
        self._areas: list[Area] = []

    def box(
        self, at: tuple[float, float], size: tuple[float, float], tint: Tint = GREY, *, dashed: bool = False
    ) -> None:
        """Draw a box with round corners."""
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        self._parts.append(
            f'<rect x="{at[0]:g}" y="{at[1]:g}" width="{size[0]:g}" height="{size[1]:g}" rx="4"'
            f' fill="{tint.pale}" stroke="{tint.deep}"{dashes}/>'
        )

    def words(
        self,
        at: tuple[float, float],
        text: str,
        *,
        size: float = 12,
        colour: str = INK,
        anchor: str = "start",
        mono: bool = False,
        bold: bool = False,
        struck: bool = False,
        room: float = WIDE,
    ) -> None:
        """Write a line: `at` is where it begins, has its middle or ends, on the height of its letters' feet.

        Raises Misdrawn if it takes more than `room`.
        """
        width = width_of(text, size, mono=mono, bold=bold)
        left = at[0] - {"start": 0, "middle": width / 2, "end": width}[anchor]
        if width > room or left < 0 or left + width > WIDE:
            raise Misdrawn(f"{text!r} takes {width:.0f} pixels at {left:.0f}, there are {room:.0f}")
        self._areas.append(Area(left, at[1] - size * 0.8, left + width, at[1] + size * 0.2, text))
        looks = f' fill="{colour}"' * (colour != INK) + f' text-anchor="{anchor}"' * (anchor != "start")
        looks += ' font-weight="bold"' * bold + ' text-decoration="line-through"' * struck
        looks += f' font-family="{MONO}"' * mono
        self._parts.append(
            f'<text x="{at[0]:g}" y="{at[1]:g}" font-size="{size:g}"{looks}>{escape(text)}</text>'
        )

    def line(
        self,
        points: Sequence[tuple[float, float]],
        colour: str = EDGE,
        *,
        arrow: bool = False,
        dashed: bool = False,
        thick: float = 1.3,
    ) -> None:
        """Draw straight lines from point to point, with a head at the last if it is an arrow."""
        path = " ".join(f"{'L' if at else 'M'}{x:g} {y:g}" for at, (x, y) in enumerate(points))
        self._path(path, colour, dashed, thick)
        if arrow:
            (x1, y1), (x, y) = points[-2:]
            right, down = (x > x1) - (x < x1), (y > y1) - (y < y1)
            if right and down:
                raise Misdrawn("an arrow that points neither along a row nor a column")
            head = f"{x:g},{y:g}" + "".join(
                f" {x - 6 * right + 3.5 * side * down:g},{y - 6 * down + 3.5 * side * right:g}"
                for side in (1, -1)
            )
            self._parts.append(f'<polygon points="{head}" fill="{colour}"/>')

    def bent(
        self, start: tuple[float, float], end: tuple[float, float], colour: str, *, dashed: bool = False
    ) -> None:
        """Draw a line that leaves and arrives level and bends in between."""
        middle = (start[0] + end[0]) / 2
        path = (
            f"M{start[0]:g} {start[1]:g} C{middle:g} {start[1]:g} {middle:g} {end[1]:g} {end[0]:g} {end[1]:g}"
        )
        self._path(path, colour, dashed, 1.3)

    def _path(self, path: str, colour: str, dashed: bool, thick: float) -> None:
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        self._parts.append(
            f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{thick:g}"{dashes}/>'
        )

    def svg(self, high: float) -> str:
        """Return the whole of it. Raises Misdrawn where words lie over others or below the edge."""
        for one, other in combinations(self._areas, 2):
            if one.meets(other):
                raise Misdrawn(f"{one.text!r} and {other.text!r} lie over each other")
        for one in self._areas:
            if one.bottom > high or one.top < 0:
                raise Misdrawn(f"{one.text!r} is outside of the drawing")
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{high:g}"'
                f' viewBox="0 0 {WIDE} {high:g}" role="img" aria-label="{escape(self.label)}"'
                f' font-family="{SANS}" fill="{INK}">',
                f'<rect x="0.5" y="0.5" width="{WIDE - 1}" height="{high - 1:g}" rx="6" fill="{PAPER}"'
                f' stroke="{EDGE}"/>',
                *self._parts,
                "</svg>",
                "",
            ]
        )
