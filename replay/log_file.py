"""Logs as files: databases, and exports that are read into memory."""

from pathlib import Path

from affray.events.errors import NotALog
from affray.events.jsonl import import_jsonl
from affray.events.memory import MemoryStore
from affray.events.store import Store
from affray.replay.opened_log import open_log


def open_any(log: Path) -> Store:
    """Open a log, or an exported one (jsonl, read into memory). Raises what opening it raises."""
    try:
        return open_log(log, readonly=True)
    except NotALog:
        if log.suffix != ".jsonl":
            raise
    store = MemoryStore()
    with log.open("rb") as lines:
        import_jsonl(lines, store)
    return store
