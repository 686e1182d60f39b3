"""Messages of a JSON export, with the line on which each begins: an array, JSON Lines, or an object."""

import json
from collections.abc import Iterator
from typing import Any

from affray.events.errors import AffrayError

Message = tuple[int, dict[str, Any]]


class BadExport(AffrayError):
    """A text that was said to be a JSON export, and is none."""


def messages_of(text: str) -> list[Message]:
    """Return the messages of an export and their lines. Raises BadExport. O(length)."""
    try:
        return list(_messages(text))
    except (ValueError, RecursionError) as error:
        raise BadExport(f"no JSON of chat messages: {error}") from None


def _messages(text: str) -> Iterator[Message]:
    decoder, at, line, counted = json.JSONDecoder(), 0, 1, 0
    opened = False
    while True:
        while at < len(text) and (text[at].isspace() or text[at] in ",\ufeff"):
            at += 1
        if at < len(text) and not opened and text[at] == "[":
            opened, at = True, at + 1
            continue
        if at >= len(text) or (opened and text[at] == "]"):
            return
        line += text.count("\n", counted, at)
        counted = at
        value, at = decoder.raw_decode(text, at)
        yield from _inside(line, value)


def _inside(line: int, value: Any) -> Iterator[Message]:
    """Yield a message, or those that an object or list around them holds."""
    if isinstance(value, list):
        for one in value:
            yield from _inside(line, one)
    elif isinstance(value, dict):
        if any(key in value for key in ("content", "rolls", "who", "speaker", "flavor", "inlinerolls")):
            yield line, value
        else:
            for one in value.values():
                if isinstance(one, dict | list):
                    yield from _inside(line, one)
