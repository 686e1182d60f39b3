"""What an entry must be for every store, and every line of an export, to hold it."""

import re
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from affray.events.envelope import Encoded, Entry, Event
from affray.events.errors import InvalidEntry

MAX_DATA = 8_000_000
"""The most bytes of data in one event, so that its line in an export stays below 10 MB."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_JSON = msgspec.json.Decoder(msgspec.Raw)
_MAX_INT = 2**63 - 1


def check_entries(entries: Iterable[Entry | Event]) -> None:
    """Raise InvalidEntry for the first entry that some store, or a line of an export, could not hold."""
    for e in entries:
        check_entry(e)


def check_entry(e: Entry | Event) -> None:
    """Raise InvalidEntry if some store, or a line of an export, could not hold this."""
    if len(e.data) > MAX_DATA:
        raise InvalidEntry(f"{e.type}: {len(e.data)} bytes of data, the most is {MAX_DATA}")
    check_names(e.type, e.actor)
    if type(e) is Encoded:
        return
    for number in (e.version, e.round, e.turn, e.cause):
        if not -_MAX_INT <= number <= _MAX_INT:
            raise InvalidEntry(f"{e.type}: {number} does not fit in 64 bits")
    check_data(e.type, e.data)


@lru_cache(maxsize=4096)
def check_names(type: str, actor: str) -> None:
    """Raise InvalidEntry for a type or actor that is no short printable text. Remembered."""
    if not type or len(type) > 1000 or len(actor) > 1000:
        raise InvalidEntry(
            f"type {type[:40]!r}: type and actor take at most 1000 characters, type at least 1"
        )
    if _CONTROL.search(type) or _CONTROL.search(actor):
        raise InvalidEntry(f"type {type!r}, actor {actor!r}: control characters and surrogates are not text")


def check_data(type: str, data: bytes) -> None:
    """Raise InvalidEntry unless `data` is one JSON object on one line."""
    # Bare braces at both ends and no line break: then an export can embed these very bytes in a line.
    if data[:1] != b"{" or data[-1:] != b"}" or b"\n" in data or b"\r" in data:
        raise InvalidEntry(f"{type}: data is not one JSON object on one line")
    try:
        _JSON.decode(data)
        data.decode()  # the decoder skips over strings without looking at their UTF-8
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidEntry(f"{type}: data is not valid JSON: {error}") from None
