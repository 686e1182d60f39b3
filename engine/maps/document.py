"""A Universal VTT file (.dd2vtt, .uvtt, .df2vtt) as it is written: one JSON object, measured in squares."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from affray.engine.grid.battlefield import MAX_SIDE, GridError
from affray.events.files import read_bytes

SUFFIXES: Final = (".dd2vtt", ".uvtt", ".df2vtt")
MOST_BYTES: Final = 128 * 1024 * 1024
"""As much as is read of a file: pictures of large maps come to some 50 MB."""

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
    """The file; `unknown` are the paths of fields of which the format says nothing, each once."""

    resolution: Resolution
    format: float | str = ""
    line_of_sight: tuple[tuple[Point, ...], ...] = ()
    objects_line_of_sight: tuple[tuple[Point, ...], ...] = ()
    portals: tuple[Portal, ...] = ()
    lights: tuple[dict[str, Any], ...] = ()
    environment: dict[str, Any] = field(default_factory=dict)
    image: str | None = ""
    unknown: tuple[str, ...] = ()


def read_document(path: str | Path, within: Path | None = None) -> Document:
    """Return what a file says. Raises GridError, in one line, for what is no such file or has no bounds.

    With `within` it is a file that another one names: a regular one under that folder.
    """
    file = Path(path)
    try:
        data = read_bytes(file, MOST_BYTES, within)
    except OSError as error:
        raise GridError(f"cannot read {file}: {error.strerror or error}") from None
    try:
        return parse_document(data)
    except GridError as error:
        raise GridError(f"{file}: {error}") from None


def parse_document(data: bytes) -> Document:
    """Return what the bytes of a file say. Raises GridError."""
    try:
        value = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
        found = msgspec.convert(value, Document)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise GridError(f"no Universal VTT file: {error}") from None
    found = msgspec.structs.replace(found, unknown=tuple(dict.fromkeys(_unknown(value))))
    _refuse_bounds(found)
    return found


def _unknown(value: dict[str, Any]) -> Iterator[str]:
    parts: list[tuple[str, Any, type[Struct]]] = [
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
