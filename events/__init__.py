"""What happened, and where it is kept.

Each name is imported when it is first used: who prints an error needs no store.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affray.events.envelope import Branch, Entry, Event, Head
    from affray.events.errors import AffrayError, BrokenLog, Conflict, LogUnavailable, NewerLog, NotALog
    from affray.events.memory import MemoryStore
    from affray.events.sqlite import SqliteStore
    from affray.events.store import Store

_HOME = {
    "AffrayError": "errors",
    "Branch": "envelope",
    "BrokenLog": "errors",
    "Conflict": "errors",
    "Entry": "envelope",
    "Event": "envelope",
    "Head": "envelope",
    "LogUnavailable": "errors",
    "MemoryStore": "memory",
    "NewerLog": "errors",
    "NotALog": "errors",
    "SqliteStore": "sqlite",
    "Store": "store",
}


def __getattr__(name: str) -> Any:
    """Import a name of the face from its home."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


__all__ = [
    "AffrayError",
    "Branch",
    "BrokenLog",
    "Conflict",
    "Entry",
    "Event",
    "Head",
    "LogUnavailable",
    "MemoryStore",
    "NewerLog",
    "NotALog",
    "SqliteStore",
    "Store",
]
