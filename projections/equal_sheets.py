"""Equal sheets are one object: what is remembered of a sheet is known of each that is like it."""

from typing import Final

from msgspec import msgpack

from affray.events.facts.sheet import Sheet

MOST: Final = 2048
"""Sheets that are known before they are forgotten all together."""

_KNOWN: Final[dict[bytes, Sheet]] = {}
_written: Final = msgpack.Encoder().encode


def one_of_equals(sheet: Sheet) -> Sheet:
    """Return the first of the sheets that say the same, the one given if it is new. O(size of the sheet)."""
    said = _written(sheet)
    known = _KNOWN.get(said)
    if known is None:
        if len(_KNOWN) >= MOST:
            _KNOWN.clear()
        known = _KNOWN[said] = sheet
    return known
