"""A long fight that is served, and one who follows and does not read."""

import asyncio
import contextlib
import itertools
import os
import socket
import time
from pathlib import Path
from typing import Any

from affray.engine.table.table import Table
from affray.events import SqliteStore
from tests.bench.arena import opened
from tests.campaigns.declaring import endless
from tests.campaigns.onlookers import Onlooker
from tests.campaigns.served import Server
from tests.campaigns.serving_load import all_at, as_told, ends, spread

SAMPLES = 20
SETTLED = 20_000
"""From so many events on the first fifth has seen what fills up: batches that are kept, the rules' caches."""

DROPPED_SECONDS = 30.0


async def told_all(server: Server, log: Path, events: int) -> tuple[list[Onlooker], list[int]]:
    """Declare events by events and let a few follow; return them, and the server's memory on the way."""
    master, onlooker = server.tokens["game master"], server.tokens["onlooker"]
    people = [Onlooker(server.port, master, frames=True), Onlooker(server.port, onlooker)]
    people += [Onlooker(server.port, server.tokens["h1"], frames=True), Onlooker(server.port, master)]
    following = [asyncio.create_task(one.follow()) for one in people]
    memory = []
    with SqliteStore(log, synchronous="NORMAL") as store:
        table = Table(store)
        acts = endless(table)
        for sample in range(1, SAMPLES + 1):
            while table.seq < events * sample // SAMPLES:
                for act in itertools.islice(acts, 20):
                    table.declare(act)
                await all_at(people, server)
            memory.append(server.kilobytes)
    late = Onlooker(server.port, master, frames=True)
    following.append(asyncio.create_task(late.follow()))
    while late.seq < people[0].seq and not following[-1].done():
        await asyncio.sleep(0.2)
        memory.append(server.kilobytes)
    for one, task in zip([*people, late], following, strict=True):
        one.leave()
        await task
    return [*people, late], memory


def flat(folder: Path, port: int, events: int) -> dict[str, Any]:
    """Let many events go by, and return what memory the server had (VmRSS) on the way, at equal distances."""
    log = folder / "memory.db"
    with SqliteStore(log) as store:
        opened(store)
    server = Server(log, port, "--onlooker", "--player", "h1")
    server.start()
    began = time.monotonic()
    try:
        people, memory = asyncio.run(told_all(server, log, events))
    finally:
        server.kill()
    wrong = [fault for one in people for fault in one.wrong]
    wrong += ["one who came late was not told all"] if people[-1].place != people[0].place else []
    early, end = memory[SAMPLES // 5], memory[SAMPLES - 1]
    if events >= SETTLED and end > early * 1.1:
        wrong.append(f"the server has grown from {early} to {end} kB")
    return {
        "events": people[0].seq,
        "seconds": round(time.monotonic() - began, 1),
        "MB at a fifth, half, end": [
            round(memory[at] / 1024, 1) for at in (SAMPLES // 5, SAMPLES // 2, SAMPLES - 1)
        ],
        "MB at most": round(max(memory) / 1024, 1),
        "MB at most while one reads all, late": round(max(memory[SAMPLES:]) / 1024, 1),
        "MB told": round(sum(one.bytes for one in people) / 1e6),
        "wrong": wrong[:20],
    }


def is_connected(client: socket.socket, port: int) -> bool:
    """Say whether the server still holds its end of a connection (by the system's table of them)."""
    mine = client.getsockname()[1]
    for row in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, state = row.split()[:4]
        if (int(local[-4:], 16), int(remote[-4:], 16)) == (port, mine):
            return state == "01"
    return False


def stopped_reading(server: Server) -> socket.socket:
    """Connect as one who asks for the feed, and reads nothing of it."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", server.port))
    rows = ["GET /feed?frames=1 HTTP/1.1", f"Host: 127.0.0.1:{server.port}"]
    rows.append(f"Authorization: Bearer {server.tokens['game master']}")
    client.sendall("\r\n".join([*rows, "", ""]).encode())
    return client


async def dropped(server: Server, log: Path) -> dict[str, Any]:
    """Declare while one does not read; return how long it was kept, and how the others fared."""
    people = [Onlooker(server.port, server.tokens["onlooker"]) for _ in range(20)]
    following = [asyncio.create_task(one.follow()) for one in people]
    times = []
    with SqliteStore(log) as store:
        table = Table(store)
        acts = endless(table)
        await all_at(people, server)
        client = stopped_reading(server)
        await asyncio.sleep(0.5)
        began = time.monotonic()
        while is_connected(client, server.port) and time.monotonic() < began + 3 * DROPPED_SECONDS:
            table.declare(next(acts))
            times.append({"seq": table.seq, "answered": time.monotonic()})
            await asyncio.sleep(0.05)
        kept = time.monotonic() - began
        late = Onlooker(server.port, server.tokens["game master"], frames=True)
        had = drained(client, late)
        again = asyncio.create_task(late.follow())
        await all_at([*people, late], server)
        end = ends([*people, late], server)
    for one, task in zip([*people, late], [*following, again], strict=True):
        one.leave()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    wrong = [fault for one in (*people, late) for fault in one.wrong]
    wrong += [f"one of {len(people)} was dropped too" for one in people if one.connections > 1]
    if kept > DROPPED_SECONDS:
        wrong.append(f"it was kept for {kept:.0f} seconds")
    if late.place != end[late.token]:
        wrong.append(f"it went on from {had} to {late.place}, and the fight is at {end[late.token]}")
    as_told(times, log)
    came = [(dict(one.came), one) for one in people]
    delays = [at - one["answered"] for one in times for seen, _ in came if (at := seen.get(one["seq"]))]
    return {
        "seconds until it was dropped": round(kept, 1),
        "it had, then": had,
        "it has, having come again": late.place,
        "load average": round(os.getloadavg()[0], 1),
        **spread("ms from commit to the others", delays),
        "wrong": wrong[:20],
    }


def drained(client: socket.socket, late: Onlooker) -> str:
    """Let a follower take in what still comes of a connection that was cut; return where it is then."""
    client.settimeout(5)
    with contextlib.suppress(OSError):
        while data := client.recv(65536):
            late.data_received(data)
    client.close()
    return late.place


def unread(folder: Path, port: int) -> dict[str, Any]:
    """Let one follow who does not read, and return what became of it and of the others."""
    log = folder / "unread.db"
    with SqliteStore(log) as store:
        opened(store)
    server = Server(log, port, "--onlooker")
    server.start()
    try:
        return asyncio.run(dropped(server, log))
    finally:
        server.kill()
