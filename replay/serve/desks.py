"""Desks: threads that each have the log open for themselves, since a store belongs to one thread."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from affray.events.store import Store
from affray.replay.opened_log import open_log

T = TypeVar("T")


class Desk:
    """One thread with a store of its own; what is given to it is done in turn."""

    def __init__(self, log: Path, name: str, *, readonly: bool) -> None:
        """Begin the thread; the log is opened with the first work."""
        self._log, self._readonly = log, readonly
        self._thread = ThreadPoolExecutor(1, f"affray-{name}")
        self._store: Store | None = None

    async def do(self, work: Callable[[Store], T]) -> T:
        """Return what `work` makes of the store; raises what it raises, and what opening a log raises.

        Who is cancelled meanwhile does not stop the work.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._done, work)

    async def close(self) -> None:
        """Let go of the log when the work at hand is done."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._closed)
        self._thread.shutdown(wait=False)

    def _done(self, work: Callable[[Store], T]) -> T:
        if self._store is None:
            self._store = open_log(self._log, readonly=self._readonly)
        return work(self._store)

    def _closed(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None
