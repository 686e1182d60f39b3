"""Facts to canonical bytes and back.

The bytes are JSON with sorted keys and no floats; they are written once and never re-encoded.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, Union

import msgspec

from affray.events.envelope import Encoded, Entry, Event
from affray.events.errors import BrokenLog, InvalidEntry, NewerLog
from affray.events.facts import DECLARATIONS, OUTCOMES, ROLLS
from affray.events.facts.base import JsonObject
from affray.events.validation import invalid_json_message

Part = TypeVar("Part")
FACTS: tuple[type[msgspec.Struct], ...] = (*DECLARATIONS, *ROLLS, *OUTCOMES)
VERSIONS: dict[str, int] = {str(fact.__struct_config__.tag): 1 for fact in FACTS} | {
    "encounter.opened": 3,
    "round.ended": 2,
}
"""The version of every type's schema that is known today; `upcast` has a step from each older one."""
TAG_OF: dict[type, str] = {fact: str(fact.__struct_config__.tag) for fact in FACTS}
LABELS: dict[type, tuple[str, int]] = {fact: (tag, VERSIONS[tag]) for fact, tag in TAG_OF.items()}

_decode = msgspec.json.Decoder(Union[FACTS]).decode  # noqa: UP007


_encoder = msgspec.json.Encoder(order="deterministic")

encode = _encoder.encode
"""Return the canonical bytes of a fact, its tag included."""

encode_into = _encoder.encode_into
"""Append the canonical bytes of a fact to a bytearray.

Bytes made from it take no more memory than needed; those from `encode` take at least 545 bytes.
"""


def entry(fact: object, round: int, turn: int, actor: str, cause: int) -> Encoded:
    """Return the entry for a fact at this round and turn of the fight.

    Raises InvalidEntry with the field for a fact that cannot be read back.
    """
    tag, version = LABELS[type(fact)]
    made = Encoded(tag, version, round, turn, actor, cause, _encoded(fact))
    check_readable(made)
    return made


def check_readable(entry: Entry) -> None:
    """Raise InvalidEntry with the field unless the fact of an entry can be read back."""
    try:
        _decode(entry.data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise InvalidEntry(f"{entry.type}: {invalid_json_message(error, entry.data)}") from None


def prepared(part: Part) -> Part:
    """Return part of a fact encoded once, to be reused in every fact that contains it.

    It replaces the part only for writing, because it is bytes.
    """
    return msgspec.Raw(encode(part))  # type: ignore[return-value]


def as_read(fact: Part) -> Part:
    """Return a fact as a reader of the log sees it, with the right types and within its bounds.

    Raises InvalidEntry with the field if no log can hold it. O(size of the fact).
    """
    try:
        read: Part = _decode(encode(fact))
        return read
    except (msgspec.MsgspecError, UnicodeEncodeError, TypeError, OverflowError, RecursionError):
        data = _encoded(fact)
    try:
        read = _decode(data)
        return read
    except (msgspec.MsgspecError, RecursionError) as error:
        raise InvalidEntry(f"{TAG_OF[type(fact)]}: {invalid_json_message(error, data)}") from None


def _encoded(fact: object) -> bytes:
    try:
        return encode(fact)
    except (msgspec.MsgspecError, UnicodeEncodeError, TypeError, OverflowError, RecursionError) as error:
        reason = "surrogates are not text" if isinstance(error, UnicodeEncodeError) else error
        raise InvalidEntry(f"{TAG_OF[type(fact)]}: {reason}") from None


def decode(event: Event) -> Any:
    """Return the fact of a stored event, upcast to the current schema.

    Raises NewerLog for a type or version that this release does not know, BrokenLog for data
    that does not fit its type.
    """
    version = VERSIONS.get(event.type)
    if version is None or event.version > version:
        raise NewerLog(
            f"{event.stream}#{event.seq}: event {event.type!r} version {event.version} "
            "was written by a newer version of affray"
        )
    data = event.data
    if event.version < version:
        data = _upcast(event, version)
    try:
        fact = _decode(data)
    except (msgspec.MsgspecError, RecursionError) as error:
        reason = f"unreadable {event.type}: {invalid_json_message(error, data)}"
        raise BrokenLog(event.stream, event.seq, reason) from None
    if TAG_OF[type(fact)] != event.type:
        raise BrokenLog(event.stream, event.seq, f"it is called {event.type}, its data is another type's")
    return fact


def check_fact(event: Event) -> None:
    """Raise BrokenLog unless the fact of a stored event is one of its type, within its bounds.

    Facts that only a newer release can read pass: reading them raises NewerLog.
    """
    with suppress(NewerLog):
        decode(event)


def _upcast(event: Event, version: int) -> bytes:

    try:
        return upcast(event.type, event.version, version, event.data)
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError, RecursionError) as error:
        reason = f"unreadable {event.type} version {event.version}: {error}"
        raise BrokenLog(event.stream, event.seq, reason) from None


# --- Conversion of old events: one function per type and version
#
# A step takes the decoded JSON object of version n and returns that of version n + 1.

Step = Callable[[JsonObject], JsonObject]


def _round_ended_1(value: JsonObject) -> dict[str, object]:
    """Before the second view of the state, digests covered the first."""
    return {**value, "view": 1}


def _encounter_opened_1(value: JsonObject) -> dict[str, object]:
    """Before packages, none were in use; fights without packages are still opened like this."""
    return value


def _encounter_opened_2(value: JsonObject) -> dict[str, object]:
    """In older versions turns ended when only one side was left, as without the field."""
    return value


STEPS: dict[tuple[str, int], Step] = {
    ("round.ended", 1): _round_ended_1,
    ("encounter.opened", 1): _encounter_opened_1,
    ("encounter.opened", 2): _encounter_opened_2,
}
"""The conversion from each type and version to the next version; released ones never change."""


def upcast(type: str, version: int, target: int, data: bytes) -> bytes:
    """Return the data of an event of `version` as version `target` would have written it.

    Raises KeyError if a step is missing; a test excludes that for all released versions.
    """
    value = msgspec.json.decode(data)
    for step in range(version, target):
        value = STEPS[type, step](value)
    return msgspec.json.encode(value)
