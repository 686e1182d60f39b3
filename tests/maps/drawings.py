"""Small map files, made here, in the Universal VTT format."""

import base64
import struct
import zlib
from pathlib import Path
from typing import Any

import msgspec

At = tuple[float, float]


def point(at: At) -> dict[str, float]:
    """Return a point as the format writes it."""
    return {"x": at[0], "y": at[1]}


def line(*points: At) -> list[dict[str, float]]:
    """Return a drawn line."""
    return [point(at) for at in points]


def portal(start: At, end: At, **said: Any) -> dict[str, Any]:
    """Return a portal between two ends."""
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    given = {"rotation": 0.0, "closed": True, "freestanding": False, **said}
    return {"position": point(middle), "bounds": line(start, end), **given}


def png(width: int, height: int) -> bytes:
    """Return a picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x60\x70\x50" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def drawing(size: At = (6, 4), origin: At = (0, 0), **said: Any) -> dict[str, Any]:
    """Return a map file with these fields."""
    resolution = {"map_origin": point(origin), "map_size": point(size), "pixels_per_grid": 10}
    return {"format": 0.3, "resolution": resolution, "line_of_sight": [], "portals": [], **said}


def cellar(**said: Any) -> dict[str, Any]:
    """Return a cellar of 6 by 4 squares in two rooms, with a door between them, and its picture."""
    walls = [line((5, 1), (5, 2)), line((5, 3), (5, 5))]
    doors = [portal((5, 2), (5, 3))]
    picture = base64.b64encode(png(60, 40)).decode()
    return drawing(origin=(2, 1), line_of_sight=walls, portals=doors, image=picture, **said)


def written(folder: Path, value: Any, name: str = "cellar.dd2vtt") -> Path:
    """Write a map file and return where it is."""
    file = folder / name
    file.write_bytes(value if isinstance(value, bytes) else msgspec.json.encode(value))
    return file
