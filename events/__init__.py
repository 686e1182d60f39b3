"""What happened, and where it is kept."""

from affray.events.envelope import Branch, Entry, Event, Head
from affray.events.errors import AffrayError, BrokenLog, Conflict, LogUnavailable, NewerLog, NotALog
from affray.events.memory import MemoryStore
from affray.events.sqlite import SqliteStore
from affray.events.store import Store

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
