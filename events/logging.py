"""The operational log: opening, conflicts, dropped checkpoints, waiting choices.

Silent until `show` is called, because a library should not write to standard error; structlog is imported
only then.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Literal, Protocol

from affray.events.errors import printable
from affray.events.facts.base import JsonObject

Level = Literal["debug", "info", "warning", "error"]
_LEVELS: dict[str, int] = {"debug": 10, "info": 20, "warning": 30, "error": 40}


class Logger(Protocol):
    """Where logged events go."""

    def info(self, event: str, **values: object) -> object:
        """Log an expected event."""
        ...

    def warning(self, event: str, **values: object) -> object:
        """Log an event that may need attention."""
        ...


_threshold = 100
_logger: Logger | None = None
_told: Callable[[str, JsonObject], object] | None = None


def show(level: Level = "info", *, json: bool = False) -> None:
    """Log to standard error from now on, for the console or as one JSON object per line."""
    global _threshold, _logger
    import structlog

    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(sort_keys=True)
        if json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    _threshold = _LEVELS[level]
    _logger = structlog.wrap_logger(
        structlog.PrintLogger(sys.stderr),
        processors=[
            _clean,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper("iso"),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_threshold),
    )


def _clean(logger: object, method: str, values: MutableMapping[str, object]) -> Mapping[str, object]:
    """Return the logged values without characters that steer a terminal."""
    return {name: printable(value) if isinstance(value, str) else value for name, value in values.items()}


def hide() -> None:
    """Stop logging."""
    global _threshold, _logger
    _threshold, _logger = 100, None


def info(event: str, **values: object) -> None:
    """Log an expected event."""
    if _threshold <= 20 and _logger is not None:
        _logger.info(event, **values)


def warning(event: str, **values: object) -> None:
    """Log an event that may need attention."""
    if _told is not None:
        _told(event, values)
    if _threshold <= 30 and _logger is not None:
        _logger.warning(event, **values)


@contextmanager
def telling(told: Callable[[str, JsonObject], object]) -> Iterator[None]:
    """Also pass the warnings inside the block to `told`: for interfaces that show them to a user."""
    global _told
    before, _told = _told, told
    try:
        yield
    finally:
        _told = before


@contextmanager
def captured() -> Iterator[list[dict[str, object]]]:
    """Collect what is logged inside the block instead of writing it, for tests."""
    global _threshold, _logger
    before = _threshold, _logger
    entries: list[dict[str, object]] = []
    _threshold, _logger = 0, _Capture(entries)
    try:
        yield entries
    finally:
        _threshold, _logger = before


class _Capture:
    def __init__(self, entries: list[JsonObject]) -> None:
        self._entries = entries

    def info(self, event: str, **values: object) -> None:
        self._entries.append({"event": event, "level": "info", **values})

    def warning(self, event: str, **values: object) -> None:
        self._entries.append({"event": event, "level": "warning", **values})
