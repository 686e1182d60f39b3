"""Maps that were drawn elsewhere: files in the Universal VTT format, read into squares, walls and doors."""

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct, field

from affray.engine.fight.fight import WALL
from affray.engine.grid.battlefield import MAX_SIDE, GridError, Side, Square, beside
from affray.engine.table.scenario_parts import BadScenario, converted, read_text, read_toml
from affray.events.errors import counted, did_you_mean
from affray.events.facts.base import JsonObject
from affray.events.facts.sheet import Barrier, Barriers, Grounds, Rows
from affray.events.files import read_bytes

# --- A Universal VTT file (.dd2vtt, .uvtt, .df2vtt) as it is written: one JSON object, measured in squares

SUFFIXES: Final = (".dd2vtt", ".uvtt", ".df2vtt")
DOCUMENT_MOST_BYTES: Final = 128 * 1024 * 1024
"""The most bytes read of a file: pictures of large maps take some 50 MB."""

MOST_POINTS: Final = 200_000
FARTHEST: Final = 100_000.0
"""No coordinate is larger, in squares."""

FORMATS: Final = ("0.2", "0.3", "1.0")


class Point(Struct, frozen=True):
    """A point, in squares from the upper left corner of the whole drawing."""

    x: float
    y: float


class Resolution(Struct, frozen=True):
    """The part of the drawing that was exported, in squares, and the pixels of its picture to a square."""

    map_size: Point
    pixels_per_grid: float
    map_origin: Point = Point(0.0, 0.0)


class Portal(Struct, frozen=True):
    """A door or a window; `bounds` are its two ends."""

    bounds: tuple[Point, ...]
    position: Point | None = None
    rotation: float = 0.0
    closed: bool = True
    freestanding: bool = False


class Document(Struct, frozen=True):
    """The file; `unknown` are the paths of fields that are not in the format, each once."""

    resolution: Resolution
    format: float | str = ""
    line_of_sight: tuple[tuple[Point, ...], ...] = ()
    objects_line_of_sight: tuple[tuple[Point, ...], ...] = ()
    portals: tuple[Portal, ...] = ()
    lights: tuple[JsonObject, ...] = ()
    environment: JsonObject = field(default_factory=dict)
    image: str | None = ""
    unknown: tuple[str, ...] = ()


def read_document(path: str | Path, within: Path | None = None) -> Document:
    """Return the contents of a file. Raises GridError, in one line, for other files or one without bounds.

    With `within` it is a file that another one names: a regular one under that folder.
    """
    file = Path(path)
    try:
        data = read_bytes(file, DOCUMENT_MOST_BYTES, within)
    except OSError as error:
        raise GridError(f"cannot read {file}: {error.strerror or error}") from None
    try:
        return parse_document(data)
    except GridError as error:
        raise GridError(f"{file}: {error}") from None


def parse_document(data: bytes) -> Document:
    """Return the contents of the bytes of a file. Raises GridError."""
    try:
        value = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
        found = msgspec.convert(value, Document)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise GridError(f"no Universal VTT file: {error}") from None
    found = msgspec.structs.replace(found, unknown=tuple(dict.fromkeys(_unknown(value))))
    _refuse_bounds(found)
    return found


def _unknown(value: JsonObject) -> Iterator[str]:
    parts: list[tuple[str, JsonObject, type[Struct]]] = [
        ("", value, Document),
        ("resolution.", value["resolution"], Resolution),
        *(("portals.", one, Portal) for one in value.get("portals", ())),
    ]
    for name, part, kind in parts:
        known = {*kind.__struct_fields__} - {"unknown"}
        yield from (f"{name}{key}" for key in part if key not in known)


def _refuse_bounds(found: Document) -> None:
    size, pixels = found.resolution.map_size, found.resolution.pixels_per_grid
    if not (0 < size.x <= MAX_SIDE and 0 < size.y <= MAX_SIDE):
        raise GridError(f"a map is 1 to {MAX_SIDE} squares each way, not {size.x:g} by {size.y:g}")
    if not 0 < pixels <= FARTHEST:
        raise GridError(f"{pixels:g} pixels to a square")
    lines = [*found.line_of_sight, *found.objects_line_of_sight, *(one.bounds for one in found.portals)]
    if sum(map(len, lines)) > MOST_POINTS or len(lines) > MOST_POINTS:
        raise GridError(f"more than {MOST_POINTS} points")
    points = [point for line in lines for point in line]
    points += [found.resolution.map_origin, *(one.position for one in found.portals if one.position)]
    for point in points:
        if not (abs(point.x) <= FARTHEST and abs(point.y) <= FARTHEST):
            raise GridError(f"a point at {point.x:g},{point.y:g}, beyond any map")
    for number, portal in enumerate(found.portals, 1):
        if len(portal.bounds) != 2:
            raise GridError(f"portal {number} has {len(portal.bounds)} ends, not 2 (bounds)")


# --- Drawn lines as sides of squares: a side is walled off if the line from middle to middle meets a wall
# So whatever is closed in the drawing is closed on the map. All computations use integers, in small parts of
# a square. The drawing is moved by a hair, to the right and down, so that no line passes a middle exactly: of
# two walls that meet at a middle, only one counts there.

FINE: Final = 65_536
_HALF: Final = FINE // 2
_COARSE: Final = 1024
_HAIR: Final = (1, 29)

GridPoint = tuple[int, int]


def fine(x: float, y: float) -> GridPoint:
    """Return a point in squares in computing units, rounded to a 1024th of a square and moved by a hair."""
    part = FINE // _COARSE
    return round(x * _COARSE) * part + _HAIR[0], round(y * _COARSE) * part + _HAIR[1]


def sides_met(start: GridPoint, end: GridPoint, size: Square) -> set[Side]:
    """Return the sides of squares whose line between the two middles meets a drawn line.

    Includes sides at the edge of the map, not those beyond it. O(length).
    """
    width, height = size
    found: set[Side] = {(True, line, at) for line, at in _crossed(start, end, width, height)}
    turned = _crossed(start[::-1], end[::-1], height, width)
    return found | {(False, line, at) for line, at in turned}


def _crossed(start: GridPoint, end: GridPoint, columns: int, rows: int) -> Iterator[tuple[int, int]]:
    """Yield the upright sides, as their grid line and row, that a line meets in the middles of rows."""
    (px, py), (qx, qy) = (start, end) if start[1] <= end[1] else (end, start)
    if py == qy:
        return
    first, last = -((_HALF - py) // FINE), (qy - _HALF) // FINE
    for row in range(max(first, 0), min(last, rows - 1) + 1):
        middle = row * FINE + _HALF
        at = px * (qy - py) + (qx - px) * (middle - py)
        line = (at - _HALF * (qy - py)) // (FINE * (qy - py)) + 1
        if 0 <= line <= columns:
            yield line, row


def nearest_side(start: GridPoint, end: GridPoint) -> Side:
    """Return the side nearest to the middle of a drawn line, among those with about its direction.

    Of two at the same distance the lower or right one.
    """
    upright = abs(end[1] - start[1]) >= abs(end[0] - start[0])
    (px, py), (qx, qy) = (start, end) if upright else (start[::-1], end[::-1])
    across, along = px + qx, py + qy  # twice the middle
    return (
        upright,
        (across + FINE) // (2 * FINE),
        -((2 * FINE - along) // (2 * FINE)) - (along % (2 * FINE) == 0),
    )


def is_on_grid(start: GridPoint, end: GridPoint) -> bool:
    """Return whether a drawn line lies on a grid line, to a sixty-fourth of a square."""
    return any(
        abs((start[axis] + _HALF) % FINE - _HALF) <= FINE // 64 and abs(start[axis] - end[axis]) <= FINE // 64
        for axis in (0, 1)
    )


def is_slanting(start: GridPoint, end: GridPoint) -> bool:
    """Return whether a drawn line is neither level nor upright."""
    return min(abs(start[0] - end[0]), abs(start[1] - end[1])) > FINE // 64


def middles_inside(outline: Sequence[GridPoint], size: Square) -> dict[int, int]:
    """Return the squares whose middle lies within a closed outline: a bit for each, by row.

    O(points + rows that the lines between them cross): not one step for each square.
    """
    found: dict[int, int] = {}
    width, height = size
    for row, crossed in _crossings(outline, height).items():
        crossings = sorted(crossed)
        squares = 0
        for enter, leave in zip(crossings[::2], crossings[1::2], strict=False):
            first, last = -int((_HALF - enter) // FINE), int((leave - _HALF) // FINE)
            first, last = max(first, 0), min(last, width - 1)
            if first <= last:
                squares |= ((1 << last - first + 1) - 1) << first
        if squares:
            found[row] = squares
    return found


def _crossings(outline: Sequence[GridPoint], height: int) -> dict[int, list[float]]:
    """Return where the lines of a closed outline cross the middles of rows."""
    found: dict[int, list[float]] = {}
    for (px, py), (qx, qy) in pairwise([*outline, *outline[:1]]):
        low, high = (py, qy) if py <= qy else (qy, py)
        first, end = -((_HALF - low) // FINE), -((_HALF - high) // FINE)
        for row in range(max(first, 0), min(end, height)):
            middle = row * FINE + _HALF
            found.setdefault(row, []).append(px + (qx - px) * (middle - py) / (qy - py))
    return found


def squares_of(rows: Mapping[int, int]) -> list[Square]:
    """Return squares given as bits by row: sorted."""
    return sorted(
        (x, y) for y, squares in rows.items() for x in range(squares.bit_length()) if squares >> x & 1
    )


def is_outside(points: Iterable[GridPoint], size: Square) -> bool:
    """Return whether all points lie beyond the same edge of the map."""
    xs, ys = zip(*points, strict=True)
    return bool(max(xs) < 0 or max(ys) < 0 or min(xs) > size[0] * FINE or min(ys) > size[1] * FINE)


# --- The picture of a map: its kind, by its first bytes, and its size

PICTURE_MOST_BYTES: Final = 64 * 1024 * 1024
"""A picture with more is not taken."""

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_SIZED = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""The markers in a JPEG that precede its size."""


class Picture(Struct, frozen=True):
    """A picture of a kind ("image/png", ...), with its width and height in pixels; 0 by 0 if it does not
    say.
    """

    kind: str
    data: bytes
    width: int
    height: int


def read_picture(text: str) -> Picture:
    """Return the picture that a map file carries in base64, as a data address too.

    PNG, JPEG and WebP, recognized by their first bytes, whatever their names. Raises GridError for all
    others: some kinds, such as SVG, may hold scripts.
    """
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise GridError(f"the picture is no base64: {error}") from None
    return picture_of(data)


def picture_of(data: bytes) -> Picture:
    """Return these bytes as a picture. Raises GridError."""
    if len(data) > PICTURE_MOST_BYTES:
        raise GridError(f"the picture has more than {PICTURE_MOST_BYTES // 1024 // 1024} MB")
    if data.startswith(_PNG) and data[12:16] == b"IHDR":
        return Picture("image/png", data, _big_endian(data[16:20]), _big_endian(data[20:24]))
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return Picture("image/webp", data, *_size_of_webp(data))
    if data.startswith(_JPEG):
        return Picture("image/jpeg", data, *_size_of_jpeg(data))
    raise GridError("the picture is neither PNG nor JPEG nor WebP")


def _big_endian(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _size_of_webp(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    sides = int.from_bytes(data[26:28], "little"), int.from_bytes(data[28:30], "little")
    return sides[0] & 0x3FFF, sides[1] & 0x3FFF


def _size_of_jpeg(data: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        if data[at + 1] in _SIZED:
            return _big_endian(data[at + 7 : at + 9]), _big_endian(data[at + 5 : at + 7])
        at += 2 + _big_endian(data[at + 2 : at + 4])
    return 0, 0


# --- A drawn map read into squares: walls, doors, windows and pillars, with a report of all doubtful readings

PORTALS: Final = ("door", "open", "window", "wall", "gap")
"""The possible readings of a portal: a closed door, an open one, a window, a wall, nothing."""

OBJECTS: Final = {"pillar": "T", "low": "=", "wall": "#", "nothing": "."}
"""The possible readings of the outlines of objects, and the ground of each."""

MOST_WHERE: Final = 12

Grade = Literal["ambiguous", "approximated", "outside", "unused"]


class Finding(Struct, frozen=True):
    """A finding about the reading of a map.

    `grade`: has another possible reading ("ambiguous"), does not lie on the grid ("approximated"), lies
        beyond the map ("outside"), or has no effect ("unused"). `count` is their number, `where` the squares
        of the first of them.
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
        """Add a finding to the report."""
        squares = tuple(dict.fromkeys(where))[:MOST_WHERE]
        self.findings.append(Finding(grade, what, text, count, squares))

    def _points(self, drawn: Sequence[Point]) -> list[GridPoint]:
        origin = self.document.resolution.map_origin
        return [fine(point.x - origin.x, point.y - origin.y) for point in drawn]

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
            if is_outside(points, self.size):
                outside += 1
                continue
            met: set[Side] = set()
            for start, end in pairwise(points):
                found = sides_met(start, end, self.size)
                met |= found
                if is_slanting(start, end):
                    slanting.append(self._square(start))
                elif start != end and not is_on_grid(start, end):
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
                self.say(
                    "unused", "portals", f"portal {number} is not attached to walls: read like any other"
                )
            door = f"door {number}"
            if kind in ("door", "open"):
                doors.append(door)
            elif kind == "window":
                windows.append(number)
            free = [side for side in sides if side not in self.portals]
            self.portals |= {side: _barrier(kind, side, door) for side in free}
            if taken := len(sides) - len(free):
                text = f"portal {number} overlaps another: left out there"
                self.say("ambiguous", "portals", text, taken, [square])
        if self.document.portals:
            self.say(
                "unused", "portals", "rotation and position: their ends say it", len(self.document.portals)
            )
        return doors, windows

    def _sides_of(self, number: int, ends: list[GridPoint]) -> tuple[list[Side], Square]:
        """Return the sides of a portal, or the nearest one, and the first square next to it."""
        if ends[0] == ends[1]:
            text = f"portal {number} has no length: read at the side nearest to it"
            self.say("approximated", "portals", text, 1, [self._square(ends[0])])
        start, end = ends
        found = sorted(sides_met(start, end, self.size))
        if is_slanting(start, end) or not is_on_grid(start, end):
            text = f"portal {number} is not on a grid line"
            self.say("approximated", "portals", text, 1, [self._square(ends[0])])
        if not found:
            found = [nearest_side(start, end)]
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
            if not points or is_outside(points, self.size):
                outside += 1
                continue
            inside = middles_inside(points, self.size)
            for row, squares in inside.items():
                bits[row] = bits.get(row, 0) | squares
            if not inside:
                small.append(self._square(points[0]))
        filled = squares_of(bits)
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
            text = "no rule uses the positions of lights: declare `circumstance` for combatants in the dark"
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
        """Return whether squares of the map lie on both sides of a side."""
        width, height = self.size
        return all(0 <= x < width and 0 <= y < height for x, y in beside(side))

    def _square(self, point: GridPoint) -> Square:
        width, height = self.size
        x, y = point[0] // FINE, point[1] // FINE
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


# --- Maps in files: rows as text, the `map` and the barriers between its squares as TOML, or a drawn file


class GroundPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A map with the barriers between its squares, and the ground on them: a scenario's keys of that name."""

    map: Rows
    barriers: Barriers = ()
    ground: Grounds = ()


def map_in(
    path: Path, barriers: Barriers = (), ground: Grounds = (), within: Path | None = None
) -> GroundPlan:
    """Return the map of a file, with its barriers and ground, and the given ones in addition.

    A drawn map (.dd2vtt, .uvtt, .df2vtt), TOML (.toml), or rows of text. Raises BadScenario. With `within` it
    is a file that another one names: a regular one under that folder.
    """
    if is_drawn_elsewhere(path):
        try:
            plan = plan_of(drawn(read_document(path, within), {}))
        except GridError as fault:
            raise BadScenario(str(fault)) from None
    elif path.suffix == ".toml":
        plan = converted(read_toml(read_text(path, within), str(path)), GroundPlan, str(path))
    else:
        plan = GroundPlan(tuple(read_text(path, within).rstrip("\r\n").splitlines()))
    return GroundPlan(plan.map, (*plan.barriers, *barriers), (*plan.ground, *ground))


def is_drawn_elsewhere(path: Path) -> bool:
    """Return whether a file is, by its name, one in the Universal VTT format."""
    return path.suffix.lower() in SUFFIXES


def plan_of(found: DrawnMap) -> GroundPlan:
    """Return a drawn map in the form that a fight takes."""
    return GroundPlan(found.map, found.barriers)


def plan_text(plan: GroundPlan, heading: str) -> str:
    """Return a map with its barriers as TOML: `map_in` reads it, scenarios can hold it."""
    rows = "".join(f'  "{row}",\n' for row in plan.map)
    between = "".join(f"  {{{', '.join(_pairs(one))}}},\n" for one in plan.barriers)
    return f"# {heading}\nmap = [\n{rows}]\nbarriers = [\n{between}]\n"


def _pairs(one: Barrier) -> Iterator[str]:
    for name, (x, y) in (("here", one.here), ("there", one.there)):
        yield f"{name} = [{x}, {y}]"
    for name, value in (("cover", one.cover), ("door", one.door)):
        if value:
            yield f'{name} = "{value}"'
    if one.open:
        yield "open = true"
