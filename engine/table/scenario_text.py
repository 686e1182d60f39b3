"""Reading the TOML of scenario files: size, shape, and what is wrong with it in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from affray.engine.book.toml import parsed
from affray.events.errors import AffrayError
from affray.events.files import UnfitFile, place_within, read_bytes
from affray.events.misfit import Unreadable, fitted

LARGEST_FILE = 1_000_000

LONGEST_TEXT = 20_000


class BadScenario(AffrayError):
    """A scenario file that cannot be played: where it is wrong and why, in one line."""


def read_text(path: str | Path, within: Path | None = None) -> str:
    """Return the text of a file of at most a megabyte. Raises BadScenario.

    With `within` it is a file that another one names: a regular one under that folder.
    """
    try:
        data = read_bytes(Path(path), LARGEST_FILE, within)
    except (OSError, ValueError) as error:
        raise BadScenario(f"{path}: {getattr(error, 'strerror', '') or error}") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadScenario(f"{path}: not a UTF-8 text") from None


def place_named(name: str, where: str, within: Path | None) -> tuple[Path, Path]:
    """Return where a file is that the file `where` names, and the folder that it must be in.

    That is the folder of `where`, unless `within` allows another. Raises BadScenario for one elsewhere.
    """
    beside = Path(where).parent
    folder = within if within is not None else beside
    try:
        place_within(beside / name, folder)
    except (UnfitFile, ValueError) as fault:
        told = getattr(fault, "strerror", "") or fault
        raise BadScenario(
            f"{where}: {name}: {told}; files that it names may lie elsewhere with --within FOLDER"
        ) from None
    return beside / name, folder


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
