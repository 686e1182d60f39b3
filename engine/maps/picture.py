"""The picture of a map: what kind of picture it is, by its first bytes, and how large."""

import base64
import binascii
from typing import Final

from msgspec import Struct

from affray.engine.grid.battlefield import GridError

MOST_BYTES: Final = 64 * 1024 * 1024
"""A picture with more is not taken."""

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_SIZED = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""The markers in a JPEG after which its size stands."""


class Picture(Struct, frozen=True):
    """A picture of a kind ("image/png", ...), so many pixels wide and high; 0 by 0 if it does not say."""

    kind: str
    data: bytes
    width: int
    height: int


def read_picture(text: str) -> Picture:
    """Return the picture that a map file carries in base64, as a data address too.

    PNG, JPEG and WebP, told by their first bytes, whatever they are called. Raises GridError for anything
    else: other kinds, such as SVG, may hold scripts.
    """
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise GridError(f"the picture is no base64: {error}") from None
    return picture_of(data)


def picture_of(data: bytes) -> Picture:
    """Return the picture that these bytes are. Raises GridError."""
    if len(data) > MOST_BYTES:
        raise GridError(f"the picture has more than {MOST_BYTES // 1024 // 1024} MB")
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
