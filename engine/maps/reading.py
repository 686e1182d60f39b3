"""A drawn map read into squares: walls, doors, windows and pillars, with a report of what is not so plain."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct

from affray.engine.fight.walled_field import WALL
from affray.engine.grid.battlefield import GridError, Side, Square, beside
from affray.engine.maps import lines
from affray.engine.maps.document import FORMATS, Document, read_document
from affray.engine.maps.picture import Picture, read_picture
from affray.events.errors import did_you_mean
from affray.events.facts.terrain import Barrier
from affray.events.wording import counted

PORTALS: Final = ("door", "open", "window", "wall", "gap")
"""What a portal may be: a closed door, an open one, a window, a wall, nothing at all."""

OBJECTS: Final = {"pillar": "T", "low": "=", "wall": "#", "nothing": "."}
"""What the outlines of objects may be, and the ground that they are then."""

MOST_WHERE: Final = 12

Grade = Literal["ambiguous", "approximated", "outside", "unused"]


class Finding(Struct, frozen=True):
    """What is to be known about the reading of a map.

    `grade`: what can be said otherwise ("ambiguous"), does not lie on the grid ("approximated"), lies beyond
    the map ("outside"), or has no effect ("unused"). `count` says how many there are, `where` the squares of
    the first of them.
    """

    grade: Grade
    what: str
    text: str
    count: int = 1
    where: tuple[Square, ...] = ()


class DrawnMap(Struct, frozen=True):
    """A map as a fight takes it, what was found out in reading it, and its picture, if it has one.

    `sides` counts the sides of squares that are walled off; `doors` are the names of the doors, `windows` the
    numbers of the portals that are windows.

    >>> import json
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from affray.engine import read_map
    >>> room = {
    ...     "format": 0.3,
    ...     "resolution": {
    ...         "map_origin": {"x": 0, "y": 0}, "map_size": {"x": 4, "y": 2}, "pixels_per_grid": 50,
    ...     },
    ...     "line_of_sight": [[{"x": 2, "y": 0}, {"x": 2, "y": 1}]],
    ...     "portals": [{"position": {"x": 2, "y": 1.5}, "bounds": [{"x": 2, "y": 1}, {"x": 2, "y": 2}],
    ...         "rotation": 0, "closed": True, "freestanding": False}],
    ... }
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "room.uvtt"
    ...     size = file.write_text(json.dumps(room))
    ...     room = read_map(file)
    >>> room.map, room.sides, room.doors
    (('....', '....'), 1, ('door 1',))
    """

    map: tuple[str, ...]
    barriers: tuple[Barrier, ...]
    findings: tuple[Finding, ...]
    sides: int
    doors: tuple[str, ...]
    windows: tuple[int, ...]
    picture: Picture | None = None


def read_map(path: str | Path, portals: Mapping[int, str] | None = None, objects: str = "pillar") -> DrawnMap:
    """Return the map of a Universal VTT file (.dd2vtt, .uvtt, .df2vtt).

    A side of a square is walled off where the line from its middle to that of the next square meets a wall.
    `portals` says what some of its portals are, by their number from 1 (see PORTALS), `objects` what the
    outlines of objects are (see OBJECTS). Raises GridError for what is no such file, or says what cannot be.
    O(file + walled sides).

    >>> import json
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from affray.engine import read_map
    >>> room = {
    ...     "format": 0.3,
    ...     "resolution": {
    ...         "map_origin": {"x": 0, "y": 0}, "map_size": {"x": 4, "y": 2}, "pixels_per_grid": 50,
    ...     },
    ...     "line_of_sight": [[{"x": 2, "y": 0}, {"x": 2, "y": 1}]],
    ...     "portals": [{"position": {"x": 2, "y": 1.5}, "bounds": [{"x": 2, "y": 1}, {"x": 2, "y": 2}],
    ...         "rotation": 0, "closed": True, "freestanding": False}],
    ... }
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "room.uvtt"
    ...     size = file.write_text(json.dumps(room))
    ...     plain, seen_through = read_map(file), read_map(file, {1: "window"})
    >>> len(plain.doors), seen_through.windows
    (1, (1,))
    """
    return drawn(read_document(path), portals or {}, objects)


def drawn(document: Document, portals: Mapping[int, str], objects: str = "pillar") -> DrawnMap:
    """Return the map that a file describes; see `read_map`."""
    for number, kind in portals.items():
        if not 1 <= number <= len(document.portals):
            raise GridError(f"no portal {number}: the file has {counted(len(document.portals), 'portal')}")
        if kind not in PORTALS:
            raise GridError(f"a portal is no {kind!r}{did_you_mean(kind, PORTALS)}")
    if objects not in OBJECTS:
        raise GridError(f"objects are no {objects!r}{did_you_mean(objects, OBJECTS)}")
    return _Reading(document).read(portals, objects)


def size_in_squares(document: Document) -> Square:
    """Return how many squares the map of a file is wide and high; those that are cut off count."""
    size = document.resolution.map_size
    return ceil(size.x), ceil(size.y)


class _Reading:
    """One reading of a file: what was found so far."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.size = size_in_squares(document)
        self.walls: set[Side] = set()
        self.portals: dict[Side, Barrier | None] = {}
        self.findings: list[Finding] = []

    def read(self, portals: Mapping[int, str], objects: str) -> DrawnMap:
        """Read everything."""
        self._say_of_grid()
        self._walls()
        doors, windows = self._portals(portals)
        rows = self._objects(objects)
        self._say_of_rest()
        picture = self._picture()
        walled = [side for side in sorted(self.walls) if side not in self.portals]
        barriers = [Barrier(*beside(side), cover=WALL) for side in walled]
        barriers += [one for _, one in sorted(self.portals.items()) if one is not None]
        return DrawnMap(
            rows, tuple(barriers), tuple(self.findings), len(walled), tuple(doors), tuple(windows), picture
        )

    def say(self, grade: Grade, what: str, text: str, count: int = 1, where: Iterable[Square] = ()) -> None:
        """Put something into the report."""
        squares = tuple(dict.fromkeys(where))[:MOST_WHERE]
        self.findings.append(Finding(grade, what, text, count, squares))

    def _points(self, drawn: Sequence[Any]) -> list[lines.Point]:
        origin = self.document.resolution.map_origin
        return [lines.fine(point.x - origin.x, point.y - origin.y) for point in drawn]

    def _say_of_grid(self) -> None:
        resolution, said = self.document.resolution, str(self.document.format)
        if said and said not in FORMATS:
            self.say("ambiguous", "format", f"format {said} is unknown: read as {' and '.join(FORMATS)} are")
        size, origin = resolution.map_size, resolution.map_origin
        if (size.x, size.y) != self.size:
            text = f"{size.x:g} by {size.y:g}: squares that are cut off at the right and below count whole"
            self.say("approximated", "map_size", text)
        if origin.x % 1 or origin.y % 1:
            text = f"begins at {origin.x:g},{origin.y:g}, within a square of the drawing: squares begin there"
            self.say("approximated", "map_origin", text)

    def _walls(self) -> None:
        off: list[Square] = []
        slanting: list[Square] = []
        lost: list[Square] = []
        empty = outside = 0
        for line in self.document.line_of_sight:
            points = self._points(line)
            if len(set(points)) < 2:
                empty += 1
                continue
            if lines.is_outside(points, self.size):
                outside += 1
                continue
            met: set[Side] = set()
            for start, end in pairwise(points):
                found = lines.sides_met(start, end, self.size)
                met |= found
                if lines.is_slanting(start, end):
                    slanting.append(self._square(start))
                elif start != end and not lines.is_on_grid(start, end):
                    off.append(self._square(start))
            if not met:
                lost.append(self._square(points[0]))
            self.walls |= {side for side in met if self._is_inside(side)}
        rule = "a side is walled off where the line between two middles meets one"
        if slanting:
            self.say("approximated", "walls", f"slanting or curved: {rule}", len(slanting), slanting)
        if off:
            self.say("approximated", "walls", f"not on a grid line: {rule}", len(off), off)
        if lost:
            self.say("unused", "walls", "too small to come between two middles", len(lost), lost)
        if empty:
            self.say("unused", "walls", "of no length", empty)
        if outside:
            self.say("outside", "walls", "beyond the map: left out", outside)

    def _portals(self, said: Mapping[int, str]) -> tuple[list[str], list[int]]:
        doors: list[str] = []
        windows: list[int] = []
        for number, portal in enumerate(self.document.portals, 1):
            ends = self._points(portal.bounds)
            sides, square = self._sides_of(number, ends)
            if not sides:
                continue
            kind = said.get(number) or ("door" if portal.closed else "window")
            if number not in said and not portal.closed:
                text = f"portal {number} is open: read as a window, else say --portal {number}=open or =gap"
                self.say("ambiguous", "portals", text, 1, [square])
            if portal.freestanding:
                self.say("unused", "portals", f"portal {number} stands free of walls: read like any other")
            door = f"door {number}"
            if kind in ("door", "open"):
                doors.append(door)
            elif kind == "window":
                windows.append(number)
            free = [side for side in sides if side not in self.portals]
            self.portals |= {side: _barrier(kind, side, door) for side in free}
            if taken := len(sides) - len(free):
                text = f"portal {number} stands in another: left out there"
                self.say("ambiguous", "portals", text, taken, [square])
        if self.document.portals:
            self.say(
                "unused", "portals", "rotation and position: their ends say it", len(self.document.portals)
            )
        return doors, windows

    def _sides_of(self, number: int, ends: list[lines.Point]) -> tuple[list[Side], Square]:
        """Return the sides in which a portal stands, or the nearest one, and the first square beside it."""
        if ends[0] == ends[1]:
            text = f"portal {number} has no length: read at the side nearest to it"
            self.say("approximated", "portals", text, 1, [self._square(ends[0])])
        start, end = ends
        found = sorted(lines.sides_met(start, end, self.size))
        if lines.is_slanting(start, end) or not lines.is_on_grid(start, end):
            text = f"portal {number} is not on a grid line"
            self.say("approximated", "portals", text, 1, [self._square(ends[0])])
        if not found:
            found = [lines.nearest_side(start, end)]
            text = f"portal {number} comes between no two middles: read at the side nearest to it"
            self.say("approximated", "portals", text, 1, [beside(found[0])[0]])
        inside = [side for side in found if self._is_inside(side)]
        if not inside:
            self.say("outside", "portals", f"portal {number} leads off the map: left out")
        return inside, beside(found[0])[0]

    def _objects(self, kind: str) -> tuple[str, ...]:
        width, height = self.size
        rows = [["."] * width for _ in range(height)]
        small: list[Square] = []
        outside, bits = 0, dict[int, int]()
        for outline in self.document.objects_line_of_sight:
            points = self._points(outline)
            if not points or lines.is_outside(points, self.size):
                outside += 1
                continue
            inside = lines.middles_inside(points, self.size)
            for row, squares in inside.items():
                bits[row] = bits.get(row, 0) | squares
            if not inside:
                small.append(self._square(points[0]))
        filled = lines.squares_of(bits)
        for x, y in filled:
            rows[y][x] = OBJECTS[kind]
        if filled:
            text = f"squares of which an object has the middle: read as {kind} (or --objects {_others(kind)})"
            self.say("ambiguous", "objects", text, len(filled), filled)
        if small:
            self.say("unused", "objects", "that have the middle of no square", len(small), small)
        if outside:
            self.say("outside", "objects", "beyond the map: left out", outside)
        return tuple("".join(row) for row in rows)

    def _say_of_rest(self) -> None:
        if self.document.lights:
            text = "no rule goes by where lights stand: say `circumstance` of whom it is dark around"
            self.say("unused", "lights", text, len(self.document.lights))
        for name, value in sorted(self.document.environment.items()):
            self.say("unused", "environment", f"{name} {str(value)[:40]}: no rule goes by it")
        for name in self.document.unknown[:MOST_WHERE]:
            self.say("unused", "unknown", f"{name[:60]}: no field of the format")

    def _picture(self) -> Picture | None:
        if not self.document.image:
            self.say("unused", "image", "the file has no picture")
            return None
        picture = read_picture(self.document.image)
        resolution = self.document.resolution
        wanted = [
            round(side * resolution.pixels_per_grid)
            for side in (resolution.map_size.x, resolution.map_size.y)
        ]
        if picture.width and [picture.width, picture.height] != wanted:
            measures = f"{picture.width} by {picture.height} pixels, by the grid {wanted[0]} by {wanted[1]}"
            self.say("approximated", "image", f"{measures}: stretched to the map")
        return picture

    def _is_inside(self, side: Side) -> bool:
        """Say whether squares of the map lie on both sides of a side."""
        width, height = self.size
        return all(0 <= x < width and 0 <= y < height for x, y in beside(side))

    def _square(self, point: lines.Point) -> Square:
        width, height = self.size
        x, y = point[0] // lines.FINE, point[1] // lines.FINE
        return min(max(x, 0), width - 1), min(max(y, 0), height - 1)


def _barrier(kind: str, side: Side, door: str) -> Barrier | None:
    here, there = beside(side)
    if kind == "window":
        return Barrier(here, there, cover="high")
    if kind == "wall":
        return Barrier(here, there, cover=WALL)
    return None if kind == "gap" else Barrier(here, there, cover=WALL, door=door, open=kind == "open")


def _others(kind: str) -> str:
    return ", ".join(name for name in OBJECTS if name != kind)
