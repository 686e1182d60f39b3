"""The rulebook of the fight's dialect: woven once, in a process beside it, when somebody first looks."""

import asyncio
from collections.abc import Sequence
from typing import Final

from affray.replay.python_process import PYTHON

WEAVER: Final = (*PYTHON, "-m", "affray.replay.rulebook.beside")
"""The command that writes the page of a dialect, packed by gzip, which takes some five seconds."""


class NotWoven(Exception):
    """The process ended without a page."""


class Weaving:
    """The pages that were asked for, each once; whoever asks meanwhile waits for the same."""

    def __init__(self, weaver: Sequence[str] = WEAVER) -> None:
        """Have no page yet."""
        self._weaver = weaver
        self._pages: dict[str, asyncio.Task[bytes]] = {}

    async def packed(self, dialect: str) -> bytes:
        """Return the page of a dialect's rules, packed by gzip. Raises NotWoven; the next one tries again."""
        known = self._pages.get(dialect)
        if known is None or (known.done() and (known.cancelled() or known.exception() is not None)):
            known = self._pages[dialect] = asyncio.create_task(self._woven(dialect))
        # Whoever goes away meanwhile ends nothing: others may wait for it.
        return await asyncio.shield(known)

    async def stop(self) -> None:
        """End the processes, if there are any."""
        for task in self._pages.values():
            task.cancel()
        await asyncio.gather(*self._pages.values(), return_exceptions=True)

    async def _woven(self, dialect: str) -> bytes:
        process = await asyncio.create_subprocess_exec(
            *self._weaver, dialect, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
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
