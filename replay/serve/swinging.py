"""The chances of winning, worked out in a process of its own beside the fight: begun, watched, told."""

import asyncio
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from affray.replay.drawn_chances import Swing
from affray.replay.opened_log import said_to_process
from affray.replay.python_process import PYTHON
from affray.replay.serve.messages import Swinging

LONGEST: Final = 1 << 26
"""Bytes of the longest line that is read of it: the chances along some ten thousand declarations."""


class Reckoning:
    """What is known of the chances, and the process that works them out, one at a time."""

    def __init__(self, log: Path) -> None:
        """Know nothing yet of a log."""
        self.log = log
        self.for_all = False
        self.told = Swinging(False, 0, 0, False, "", None)
        self._task: asyncio.Task[None] | None = None

    def begin(self, runs: int) -> None:
        """Have the chances of the main line worked out, unless they are being worked out already."""
        if self._task is None or self._task.done():
            self.told = replace(self.told, working=True, done=0, of=0, fault="")
            self._task = asyncio.create_task(self._work(runs))

    def seen(self, *, all_of_it: bool) -> Swinging:
        """Return what is known; without `all_of_it` no words about declarations."""
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
        words, pipe = (*PYTHON, "-m", "affray.replay.swing_beside", str(runs)), asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, limit=LONGEST)
        fault, found = "it ended before its end", self.told.swing
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(msgspec.json.encode(said_to_process(self.log)) + b"\n")
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
