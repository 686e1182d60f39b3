"""The event log: envelope, chain, codec and stores.

Each name is imported on first use, so printing an error does not import a store.
"""

from typing import TYPE_CHECKING

from affray.events.lazy_exports import lazily

if TYPE_CHECKING:
    from affray.events.envelope import Branch, Entry, Event, Head
    from affray.events.errors import AffrayError, BrokenLog, Conflict, LogUnavailable, NewerLog, NotALog
    from affray.events.stores.memory import MemoryStore
    from affray.events.stores.sqlite import SqliteStore
    from affray.events.stores.store import Store

_HOME = {
    "AffrayError": "affray.events.errors",
    "Branch": "affray.events.envelope",
    "BrokenLog": "affray.events.errors",
    "Conflict": "affray.events.errors",
    "Entry": "affray.events.envelope",
    "Event": "affray.events.envelope",
    "Head": "affray.events.envelope",
    "LogUnavailable": "affray.events.errors",
    "MemoryStore": "affray.events.stores.memory",
    "NewerLog": "affray.events.errors",
    "NotALog": "affray.events.errors",
    "SqliteStore": "affray.events.stores.sqlite",
    "Store": "affray.events.stores.store",
}


__getattr__ = lazily(__name__, _HOME)

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


def __dir__() -> list[str]:
    return __all__
