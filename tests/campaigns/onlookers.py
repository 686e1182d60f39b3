"""Followers of a feed, many in one process and cheap: they look for ids, note when each came, come again."""

import asyncio
import json
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

IDS = re.compile(rb"^id: ([^\n]+):(\d+):(\d+)\nevent: ([a-z.-]+)\ndata: ", re.MULTILINE)
DIGESTS = re.compile(rb"^data: (.*)$", re.MULTILINE)


class Onlooker(asyncio.Protocol):
    """One who follows. `wrong` tells of gaps and repeats, `held` how far it has come along which line.

    With `digests` it reads what it is told (as the game master), and keeps the digest of each event.
    """

    def __init__(
        self,
        port: int,
        token: str,
        *,
        frames: bool = False,
        digests: bool = False,
        others: Sequence[int] = (),
    ) -> None:
        """Begin with nothing."""
        self.port, self.token, self.frames = port, token, frames
        self._ports = [*others, port]  # each time the next of them
        self.branch, self.epoch, self.seq = b"", 0, 0
        self.wrong: list[str] = []
        self.came: list[tuple[int, float]] = []
        """The last event of each piece that was read, and when."""
        self.digests: dict[int, str] | None = {} if digests else None
        self.rebases = self.connections = self.bytes = 0
        self.refused = b""
        self._tail = b""
        self._transport: asyncio.Transport | None = None
        self._lost: asyncio.Future[None] | None = None

    async def follow(self, *, after: str = "start") -> None:
        """Follow until the connection ends, from where this one is."""
        loop = asyncio.get_running_loop()
        self._lost, self._tail = loop.create_future(), b""
        self.port = self._ports[0]
        self._ports.append(self._ports.pop(0))
        transport, _ = await loop.create_connection(lambda: self, "127.0.0.1", self.port)
        rows = [
            # 1.0: what comes is not cut into chunks, whose heads could stand in the middle of an event.
            f"GET /feed?after={after}&frames={int(self.frames)} HTTP/1.0",
            f"Host: 127.0.0.1:{self.port}",
            f"Authorization: Bearer {self.token}",
        ]
        if self.branch:
            rows.append(f"Last-Event-ID: {self.place}")
        transport.write("\r\n".join([*rows, "", ""]).encode())
        self.connections += 1
        await self._lost

    async def follow_on(self, pause: float = 0.05) -> None:
        """Follow for ever: come again whenever the connection ends."""
        while True:
            with suppress(OSError):
                await self.follow()
            await asyncio.sleep(pause)

    @property
    def place(self) -> str:
        """The position of the last event that came."""
        return f"{self.branch.decode()}:{self.epoch}:{self.seq}"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Know the connection."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def leave(self) -> None:
        """End the connection from this side."""
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let `follow` end."""
        if self._lost is not None and not self._lost.done():
            self._lost.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Take in what was told whole; what is cut off is nothing yet."""
        now = time.monotonic()
        self.bytes += len(data)
        data = self._tail + data if self._tail else data
        end = data.rfind(b"\n\n") + 2
        if end < 2:
            self._tail = data
            if data.startswith(b"HTTP/1.1 ") and not data.startswith(b"HTTP/1.1 200"):
                self.refused = data
            return
        data, self._tail = data[:end], data[end:]
        before = self.seq
        for branch, epoch, seq, kind in IDS.findall(data):
            self.take(branch, int(epoch), int(seq), kind)
        if self.digests is not None:
            for line in DIGESTS.findall(data):
                self.keep(json.loads(line)["data"])
        if self.seq != before:
            self.came.append((self.seq, now))

    def take(self, branch: bytes, epoch: int, seq: int, kind: bytes) -> None:
        """Go on by one event; note it if it is not the next one."""
        if kind == b"rebase":
            self.rebases += 1
            if epoch <= self.epoch or seq > self.seq:
                self.wrong.append(f"rebase to {branch.decode()}:{epoch}:{seq} at {self.place}")
            if self.digests is not None:
                for gone in [one for one in self.digests if one > seq]:
                    del self.digests[gone]
        elif kind == b"view":
            if (branch, epoch, seq) != (self.branch, self.epoch, self.seq):
                self.wrong.append(f"view at {branch.decode()}:{epoch}:{seq} at {self.place}")
        elif seq != self.seq + 1 or (self.branch and (branch, epoch) != (self.branch, self.epoch)):
            what = "gap" if seq > self.seq + 1 else "repeat"
            self.wrong.append(f"{what}: {branch.decode()}:{epoch}:{seq} at {self.place}")
        self.branch, self.epoch, self.seq = branch, epoch, seq

    def keep(self, told: dict[str, Any]) -> None:
        """Keep the digest of an event that was told."""
        assert self.digests is not None
        if "digest" in told:
            self.digests[told["seq"]] = told["digest"]
