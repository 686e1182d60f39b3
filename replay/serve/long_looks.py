"""Look up many events in separate processes, without delaying other requests.

Python runs one thread at a time: a page of 3,000 events, half a second of work, would slow down all others.
Each process runs `look_beside.py`.
"""

import asyncio
import os
from asyncio.subprocess import Process
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from affray.engine.book.packages import folders_in_use
from affray.events.errors import LogUnavailable
from affray.replay.log_files import encode_log_location
from affray.replay.privacy.audience import Audience
from affray.replay.serve.http import Problem
from affray.replay.serve.read_model import Wanted
from affray.replay.workers import PYTHON

SHORT: Final = 500
"""Up to this many events, looking up is faster than starting a process."""

MOST_PROCESSES: Final = max(1, min(2, (os.cpu_count() or 1) - 1))
"""Most guests served at once: one processor is left for the other requests."""

COMMAND: Final = (*PYTHON, "-m", "affray.replay.serve.look_beside")

_BUFFER: Final = 1 << 20


class LookupRequest(Struct, frozen=True):
    """The data to look up, and its audience."""

    audience: Audience
    wanted: Wanted


class Answer(Struct, frozen=True, omit_defaults=True):
    """The number of bytes that follow, or a problem by its code, or without a code the `message` of an
    internal error.
    """

    size: int = 0
    code: str = ""
    message: str = ""
    position: str = ""


class LookupProcesses:
    """The processes that look up one log: started when needed, one task at a time each."""

    def __init__(self, log: Path, command: Sequence[str] = COMMAND, most: int = MOST_PROCESSES) -> None:
        """Start without processes."""
        self._log, self._command = log, command
        self._idle: list[Process] = []
        self._free = asyncio.Semaphore(most)
        self._all: set[Process] = set()

    async def find(self, audience: Audience, wanted: Wanted) -> bytes:
        """Return the wanted data as far as an audience may see it, as JSON; requests are served in order.

        Raises Problem, BadPlace and the like; LogUnavailable if the process ended.
        """
        async with self._free:
            process = self._idle.pop() if self._idle else await self._started()
            try:
                answer, told = await _exchange(process, LookupRequest(audience, wanted))
            except BaseException as error:
                self._end(process)
                if isinstance(error, (OSError, EOFError, msgspec.DecodeError)):
                    raise LogUnavailable(f"{self._log}: the process that reads it ended: {error}") from None
                raise
            self._idle.append(process)
        if answer.code:
            raise Problem(answer.code, answer.message, position=answer.position)
        if answer.message:
            raise LogUnavailable(answer.message)
        return told

    async def stop(self) -> None:
        """End the processes, if there are any."""
        ending = [*self._all]
        for process in ending:
            self._end(process)
        await asyncio.gather(*(process.wait() for process in ending))

    async def _started(self) -> Process:
        pipe = asyncio.subprocess.PIPE
        words = (*self._command, *folders_in_use())
        process = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, limit=_BUFFER)
        self._all.add(process)
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(encode_log_location(self._log)) + b"\n")
        return process

    def _end(self, process: Process) -> None:
        self._all.discard(process)
        if process.returncode is None:
            process.kill()


async def _exchange(process: Process, asked: LookupRequest) -> tuple[Answer, bytes]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(msgspec.json.encode(asked) + b"\n")
    await process.stdin.drain()
    answer = msgspec.json.decode(await process.stdout.readline(), type=Answer)
    return answer, await process.stdout.readexactly(answer.size)
