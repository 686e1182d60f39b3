"""Threads that have the log open, and processes for long tasks, outside the server's event loop."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from affray.engine.book.packages import folders_in_use
from affray.events.stores.store import Store
from affray.replay.chance.summaries import Swing
from affray.replay.log_files import encode_log_location, open_log
from affray.replay.serve.http import Problem
from affray.replay.serve.messages import WinChanceStatus
from affray.replay.workers import PYTHON

# --- Desks: threads that each have the log open for themselves, since a store belongs to one thread
#
# A desk works on one task of each guest at a time: a guest that asks without pause only delays itself.

T = TypeVar("T")

MOST_WAITING = 8
"""Most different requests of one guest that may wait."""


class Desk:
    """One thread with its own store; its tasks are done in turn."""

    def __init__(self, log: Path, name: str, *, readonly: bool, waiting: int = MOST_WAITING) -> None:
        """Start the thread; the first task opens the log. At most `waiting` tasks of one guest may wait."""
        self._log, self._readonly = log, readonly
        self._turns = Turns(waiting)
        self._thread = ThreadPoolExecutor(1, f"affray-{name}")
        self._store: Store | None = None

    async def do(self, work: Callable[[Store], T]) -> T:
        """Return the result of `work` on the store; raises what it raises, and what opening a log raises.

        Cancelling the caller does not stop the work.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._done, work)

    async def run_in_turn(self, who: str, what: Hashable, work: Callable[[Store], T]) -> T:
        """Return the result of `work` on the store for a guest, as described at `Turns.do`."""
        return await self._turns.do(who, what, lambda: self.do(work))

    async def close(self) -> None:
        """Close the log after the current task."""
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
    """Tasks of which each guest has one running at a time. Requests for the same waiting task share it.

    If tasks run in the order of arrival, the guests take turns: each waits for at most one task of each other
    guest.
    """

    def __init__(self, waiting: int = MOST_WAITING) -> None:
        """Start empty. At most `waiting` tasks of one guest may wait."""
        self._most = waiting
        self._asking: Counter[str] = Counter()
        self._locks: dict[str, asyncio.Lock] = {}
        self._waiting: dict[tuple[str, Hashable], asyncio.Task[Any]] = {}

    async def do(self, who: str, what: Hashable, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of the work that `who` requests as `what`, started after the request.

        Raises Problem if too many of its tasks wait already.
        """
        key = who, what
        if key not in self._waiting:
            if self._asking[who] > self._most:
                raise Problem("too_many", "too many requests of this link are waiting", retry_after=1)
            self._asking[who] += 1
            self._waiting[key] = asyncio.create_task(self._in_turn(key, work))
        found: T = await asyncio.shield(self._waiting[key])
        return found

    async def _in_turn(self, key: tuple[str, Hashable], work: Callable[[], Awaitable[T]]) -> T:
        who, _ = key
        try:
            async with self._locks.setdefault(who, asyncio.Lock()):
                del self._waiting[key]  # a later request may come at a later position
                return await work()
        finally:
            self._asking[who] -= 1
            if not self._asking[who]:
                del self._asking[who], self._locks[who]


# --- Win chances, calculated in a separate process: start, progress, result

LONGEST: Final = 1 << 26
"""Longest line read from it, in bytes: the chances along some ten thousand declarations."""


class WinChances:
    """The known chances, and the process that calculates them, one at a time."""

    def __init__(self, log: Path) -> None:
        """Start without chances for a log."""
        self.log = log
        self.for_all = False
        self.told = WinChanceStatus(False, 0, 0, False, "", None)
        self._task: asyncio.Task[None] | None = None

    def begin(self, runs: int) -> None:
        """Start calculating the chances of the main line, unless a calculation is running."""
        if self._task is None or self._task.done():
            self.told = replace(self.told, working=True, done=0, of=0, fault="")
            self._task = asyncio.create_task(self._work(runs))

    def seen(self, *, all_of_it: bool) -> WinChanceStatus:
        """Return the known chances; without `all_of_it` no words about declarations."""
        told = replace(self.told, for_all=self.for_all)
        if all_of_it or told.swing is None:
            return told
        plain = tuple(replace(turn, told="", die="", declaration="") for turn in told.swing.turns)
        return replace(told, swing=replace(told.swing, turns=plain))

    async def stop(self) -> None:
        """End the process, if there is one."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self, runs: int) -> None:
        pipe = asyncio.subprocess.PIPE
        words = (*PYTHON, "-m", "affray.replay.serve.win_chances", str(runs), *folders_in_use())
        process = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, limit=LONGEST)
        fault, found = "it ended early", self.told.swing
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(msgspec.json.encode(encode_log_location(self.log)) + b"\n")
            while line := (await process.stdout.readline()).decode().strip():
                if line.startswith("{"):
                    fault, found = "", msgspec.json.decode(line, type=Swing)
                elif line.startswith("! "):
                    fault = line.removeprefix("! ")
                else:
                    done, of = map(int, line.split())
                    self.told = replace(self.told, done=done, of=of)
            await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
            self.told = replace(self.told, working=False, fault=fault, swing=found)


# --- The rulebook of the fight's dialect: made once, in a separate process, when a reader first requests it

WEAVER: Final = (*PYTHON, "-m", "affray.replay.rulebook.page")
"""The command that writes the page of a dialect, compressed with gzip, in some five seconds."""


class NotWoven(Exception):
    """The process ended without a page."""


class RulebookWorker:
    """The requested pages, each made once; requests during that time wait for the same page."""

    def __init__(self, weaver: Sequence[str] = WEAVER) -> None:
        """Start without pages."""
        self._weaver = weaver
        self._pages: dict[str, asyncio.Task[bytes]] = {}

    async def packed(self, dialect: str) -> bytes:
        """Return the page of a dialect's rules, compressed with gzip. Raises NotWoven; the next request tries
        again.
        """
        known = self._pages.get(dialect)
        if known is None or (known.done() and (known.cancelled() or known.exception() is not None)):
            known = self._pages[dialect] = asyncio.create_task(self._woven(dialect))
        # A cancelled request does not stop the process: others may wait for it.
        return await asyncio.shield(known)

    async def stop(self) -> None:
        """End the processes, if there are any."""
        for task in self._pages.values():
            task.cancel()
        await asyncio.gather(*self._pages.values(), return_exceptions=True)

    async def _woven(self, dialect: str) -> bytes:
        process = await asyncio.create_subprocess_exec(
            *self._weaver,
            dialect,
            *folders_in_use(),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            page, told = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode or not page:
            raise NotWoven(told.decode("utf-8", "replace").strip().rpartition("\n")[2])
        return page
