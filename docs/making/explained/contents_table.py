"""Draws a point of two dialects as tables of contents: each stage, and the module that it names."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from affray.engine.dialects import load
from affray.replay.rulebook.points import StageInfo, points
from making.explained.svg import AMBER, BLUE, EDGE, FAINT, GREEN, WIDE, Drawing, Tint, width_of, wrapped

CHAPTER, POINT = "defense", "defense_situation"
DIALECTS = ("woa", "srd35")
SHARED = "engine/rules"

EDGES, PAGE, MODULES, MIDDLE = 14, 240, 180, 274
"""Pixels: beside the drawing, how wide a table of contents and the modules are, where these begin."""
CENTRE = MIDDLE + MODULES / 2
STAGE, MODULE, LINE, SMALL = 24, 27, 14, 10.5
"""Pixels: of a stage without conditions, of a module, of a line, of small letters."""


class Entry(NamedTuple):
    """A line of the contents: the name of a function, where that stands, when it is asked, how deep it is."""

    name: str
    place: str
    module: str
    when: str
    deep: int

    @property
    def lines(self) -> list[str]:
        """When it is asked, in lines that fit."""
        return wrapped(f"while {self.when}", SMALL, PAGE - 16 * self.deep) if self.when else []


def contents(dialect: str) -> list[Entry]:
    """Return what stands at the point in a dialect, line by line."""
    (point,) = points(load(dialect), f"{CHAPTER}.{POINT}")
    return [Entry(f"{POINT}: {point.kind}", "", "", "", 0), *_entries(point.stages, 1)]


def _entries(stages: Sequence[StageInfo], deep: int) -> Iterator[Entry]:
    """Yield the lines of a list; a list in it has a line of its own and stands below that."""
    for one in stages:
        module, _, name = one.function.partition(":")
        when = " and ".join(one.when)
        if name:
            folder = SHARED if module.startswith("affray.engine.rules.") else "/".join(module.split(".")[1:4])
            path = module.replace(".", "/").removeprefix(f"affray/{folder}/")
            yield Entry(name, folder, path, when, deep)
        else:
            yield Entry(module, "", "", when, deep)
            yield from _entries(one.made_of, deep + 1)


def picture() -> str:
    """Return the drawing."""
    tables = {dialect: contents(dialect) for dialect in DIALECTS}
    named = {(one.place, one.module): None for table in tables.values() for one in table if one.place}
    first, second = (f"engine/dialects/{dialect}" for dialect in DIALECTS)
    tints = {first: BLUE, SHARED: GREEN, second: AMBER}
    modules = sorted(named, key=lambda one: list(tints).index(one[0]))
    counts = [sum(bool(one.place) for one in table) for table in tables.values()]
    both = {(one.place, one.module) for one in tables[DIALECTS[0]]} & {
        (one.place, one.module) for one in tables[DIALECTS[1]] if one.place
    }
    drawing = Drawing(
        f"The point {POINT} of two dialects as tables of contents: {DIALECTS[0]} lists {counts[0]} stages, "
        f"{DIALECTS[1]} {counts[1]}. From each a line leads to the module that it names, in the dialect's "
        f"own folder or in {SHARED}; both name {', '.join(module for _, module in sorted(both))}"
    )
    places, foot = _modules(drawing, modules, tints)
    heights = [[STAGE + LINE * len(one.lines) for one in table] for table in tables.values()]
    foot = max(foot, *(sum(high) + 30 for high in heights))
    for left, (dialect, table), high in zip(
        (EDGES, WIDE - EDGES - PAGE), tables.items(), heights, strict=True
    ):
        # The first table begins with the modules, the second one ends with them: so lines are short.
        top = 24.0 if left == EDGES else foot - sum(high) - 6
        drawing.words((left, top), f"{dialect}/contents: {CHAPTER}", bold=True, size=12, room=PAGE)
        for one, taken in zip(table, high, strict=True):
            _entry(drawing, (left, top + 12), one, tints, places)
            top += taken
    return drawing.svg(foot + 14)


def _modules(
    drawing: Drawing, modules: Sequence[tuple[str, str]], tints: Mapping[str, Tint]
) -> tuple[dict[tuple[str, str], float], float]:
    """Draw the modules between the tables; return how high each stands, and where they end."""
    places, top = {}, 24.0
    for folder, group in groupby(modules, key=lambda one: one[0]):
        drawing.words(
            (CENTRE, top),
            folder,
            size=11,
            bold=True,
            colour=tints[folder].deep,
            anchor="middle",
        )
        top += 8
        for one in group:
            drawing.box((MIDDLE, top), (MODULES, MODULE - 5), tints[folder])
            drawing.words(
                (CENTRE, top + 14),
                one[1],
                size=SMALL,
                mono=True,
                anchor="middle",
                room=MODULES - 8,
            )
            places[one] = top + (MODULE - 5) / 2
            top += MODULE
        top += 24
    return places, top - 24


def _entry(
    drawing: Drawing,
    at: tuple[float, float],
    entry: Entry,
    tints: Mapping[str, Tint],
    places: Mapping[tuple[str, str], float],
) -> None:
    left, level = at[0] + 16 * entry.deep, at[1] + 12
    size = 11.5
    if not entry.place:
        drawing.words((left, level), entry.name, size=size, bold=True, mono=True, room=PAGE)
    else:
        tint = tints[entry.place]
        drawing.words((left, level), entry.name, size=size, mono=True, colour=tint.deep, room=PAGE)
        there = places[entry.place, entry.module]
        if at[0] < MIDDLE:
            begin, end = left + width_of(entry.name, size, mono=True) + 6, at[0] + PAGE - 46
            drawing.line(((begin, level - 4), (end, level - 4)), EDGE, dashed=True)
            drawing.bent((end, level - 4), (MIDDLE, there), tint.deep)
        else:
            drawing.bent((MIDDLE + MODULES, there), (left - 6, level - 4), tint.deep)
    for row, line in enumerate(entry.lines, 1):
        drawing.words((left, level + LINE * row), line, size=SMALL, colour=FAINT)
