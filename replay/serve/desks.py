"""Desks: threads that each have the log open for themselves, since a store belongs to one thread.

Of each guest a desk has one piece of work at a time: whoever asks without pause waits for itself.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from affray.events.store import Store
from affray.replay.opened_log import open_log
from affray.replay.serve.errors import Problem

T = TypeVar("T")

MOST_WAITING = 8
"""So many different requests may wait for one guest."""


class Desk:
    """One thread with a store of its own; what is given to it is done in turn."""

    def __init__(self, log: Path, name: str, *, readonly: bool, waiting: int = MOST_WAITING) -> None:
        """Begin the thread; the log is opened with the first work. Of one guest so many pieces may wait."""
        self._log, self._readonly = log, readonly
        self._turns = Turns(waiting)
        self._thread = ThreadPoolExecutor(1, f"affray-{name}")
        self._store: Store | None = None

    async def do(self, work: Callable[[Store], T]) -> T:
        """Return what `work` makes of the store; raises what it raises, and what opening a log raises.

        Who is cancelled meanwhile does not stop the work.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._done, work)

    async def do_in_turn(self, who: str, what: Hashable, work: Callable[[Store], T]) -> T:
        """Return what `work` makes of the store for a guest, as `Turns.do` says."""
        return await self._turns.do(who, what, lambda: self.do(work))

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


class Turns:
    """Work of which each guest has one piece at a time. Who asks for what waits already, shares it.

    Where the pieces are done in the order in which they come, the guests take turns: none waits for more than
    one piece of each other.
    """

    def __init__(self, waiting: int = MOST_WAITING) -> None:
        """Begin with nothing to do. So many pieces of one guest may wait."""
        self._most = waiting
        self._asking: Counter[str] = Counter()
        self._locks: dict[str, asyncio.Lock] = {}
        self._waiting: dict[tuple[str, Hashable], asyncio.Task[Any]] = {}

    async def do(self, who: str, what: Hashable, work: Callable[[], Awaitable[T]]) -> T:
        """Return what the work comes to that `who` asks for as `what`, begun after it was asked for.

        Raises Problem where too much of theirs waits already.
        """
        key = who, what
        if key not in self._waiting:
            if self._asking[who] > self._most:
                raise Problem("too_many", "too much waits for this link already", retry_after=1)
            self._asking[who] += 1
            self._waiting[key] = asyncio.create_task(self._in_turn(key, work))
        found: T = await asyncio.shield(self._waiting[key])
        return found

    async def _in_turn(self, key: tuple[str, Hashable], work: Callable[[], Awaitable[T]]) -> T:
        who, _ = key
        try:
            async with self._locks.setdefault(who, asyncio.Lock()):
                del self._waiting[key]  # whoever asks from now on may know more
                return await work()
        finally:
            self._asking[who] -= 1
            if not self._asking[who]:
                del self._asking[who], self._locks[who]
