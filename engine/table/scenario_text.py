"""Reading the TOML of scenario files: size, shape, and what is wrong with it in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from affray.engine.book.toml import parsed
from affray.events.errors import AffrayError
from affray.events.misfit import Unreadable, fitted

LARGEST_FILE = 1_000_000

LONGEST_TEXT = 20_000


class BadScenario(AffrayError):
    """A scenario file that cannot be played: where it is wrong and why, in one line."""


def read_text(path: str | Path) -> str:
    """Return the text of a file of at most a megabyte. Raises BadScenario."""
    try:
        with Path(path).open("rb") as file:
            # A device has no size to ask for: read no more than one byte too many.
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise BadScenario(f"{path}: {getattr(error, 'strerror', '') or error}") from None
    if len(data) > LARGEST_FILE:
        raise BadScenario(f"{path}: larger than {LARGEST_FILE // 1000} kB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadScenario(f"{path}: not a UTF-8 text") from None


def read_toml(text: str, where: str) -> Any:
    """Return what a TOML text holds. Raises BadScenario."""
    try:
        value = parsed(text)
    except ValueError as error:
        raise BadScenario(f"{where}: {error}") from None
    _refuse_long(value, where)
    return value


def _refuse_long(value: Any, where: str) -> None:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str) and len(item) > LONGEST_TEXT:
            raise BadScenario(f"{where}: a text of {len(item)} characters is too long")
        if isinstance(item, dict):
            stack.extend(item.values())
            stack.extend(item)
        elif isinstance(item, list):
            stack.extend(item)


def converted(value: Any, type: Any, where: str) -> Any:
    try:
        return fitted(value, type)
    except Unreadable as error:
        raise BadScenario(f"{where}: {error}") from None


def reading_of(value: str | bool) -> str:
    """Return the name of a reading as a file gives it: true and false are on and off."""
    return value if isinstance(value, str) else ("on" if value else "off")
