"""Takes the screenshots of the tutorials, with headless Chromium."""

import shutil
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

if TYPE_CHECKING:
    from tests.house.walk import Walk

SIZES = {"wide": (1100, 800), "phone": (500, 1000)}
QUIET = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
)


def screenshot(walk: "Walk", told: str, file: Path) -> None:
    """Write what somebody sees: the guest or the file that is told, and how large."""
    who, _, size = told.removeprefix("screen of ").partition(", on a ")
    if Path(who.partition("#")[0]).exists():
        address = (Path.cwd() / who).as_uri().replace("%23", "#")
    else:
        guest = next(one for one in walk.served.access.guests if who in (*one.combatants, one.role))
        address = f"http://127.0.0.1:{walk.served.port}/#t={guest.token}"
    with _browser(*SIZES[size or "wide"]) as browser:
        browser.get(address)
        time.sleep(2)
        file.write_bytes(_packed(browser.get_screenshot_as_png()))


def _packed(png: bytes) -> bytes:
    """Return the same picture in fewer bytes: flat surfaces pack best unfiltered."""
    pixels, at = b"", 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            head, wide, depth = body, *(struct.unpack(">I", body[:4])[0], {2: 3, 6: 4}[body[9]])
        elif kind == b"IDAT":
            pixels += body
        at += 12 + size
    rows = b"".join(b"\0" + row for row in _rows(zlib.decompress(pixels), wide * depth, depth))
    return png[:8] + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")


def _rows(data: bytes, size: int, depth: int) -> Iterator[bytes]:
    """Yield the rows of pixels, the filter of each undone (PNG, section 9)."""
    above = bytearray(size)
    for start in range(0, len(data), size + 1):
        way, row = data[start], bytearray(data[start + 1 : start + 1 + size])
        for at in range(size if way else 0):
            left, slant = (row[at - depth], above[at - depth]) if at >= depth else (0, 0)
            guess = left + above[at] - slant
            near = min((left, above[at], slant), key=lambda one: abs(guess - one))
            row[at] = row[at] + (0, left, above[at], (left + above[at]) // 2, near)[way] & 255
        yield bytes(row)
        above = row


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@contextmanager
def _browser(wide: int, high: int) -> Iterator[Any]:
    options = Options()
    for word in (*QUIET, f"--window-size={wide},{high}"):
        options.add_argument(word)
    options.binary_location = str(shutil.which("chromium"))
    running = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        yield running
    finally:
        running.quit()
