"""How long it is from a declaration to those who look on, with many of them or one who asks too much."""

import asyncio
import contextlib
import itertools
import json
import os
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from affray.events import SqliteStore
from affray.replay.privacy.audience import Audience
from affray.replay.serve.visibility import Counting
from tests.bench.arena import opened
from tests.campaigns.declaring import acts_of_arena, appended, endless, in_process, is_over, posted
from tests.campaigns.onlookers import Onlooker
from tests.campaigns.served import Asking, Server


async def watched(server: Server, count: int, declare: Callable[[], int], told: Path) -> tuple[Any, ...]:
    """Let many follow while a process declares; return them, what it tells, and the processor's seconds."""
    token = server.tokens["onlooker"]
    people = [Onlooker(server.port, token) for _ in range(count)]
    following = [asyncio.create_task(one.follow()) for one in people]
    await all_at(people, server)
    used, own = server.seconds, time.process_time()
    child = declare()
    while not is_over(child):
        await asyncio.sleep(0.1)
    times = json.loads(told.read_text())
    used, own = server.seconds - used, time.process_time() - own
    await all_at(people, server)
    for one, task in zip(people, following, strict=True):
        one.leave()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    return people, times, used, own


def ends(people: Iterable[Onlooker], server: Server) -> dict[str, str]:
    """Return where the fight is now, as it is told to each of them, by token."""
    asked = {token: Asking(server.port, token) for token in {one.token for one in people}}
    return {token: str(one.ask("GET", "/session").told["position"]) for token, one in asked.items()}


async def all_at(people: list[Onlooker], server: Server) -> None:
    """Wait until all have come to where the fight is, for half a minute at most."""
    until, end = time.monotonic() + 30, ends(people, server)
    while any(one.place != end[one.token] for one in people) and time.monotonic() < until:
        await asyncio.sleep(0.02)


def campaign(folder: Path, port: int, count: int, every: float, seconds: float, way: str) -> dict[str, Any]:
    """Run it and return the figures; `wrong` lists what should not be.

    Posted declarations are timed from when they are sent, which is before they are decided and committed;
    those on the file from their commit.
    """
    log, told = folder / f"{way}.db", folder / f"{way}.told"
    with SqliteStore(log) as store:
        opened(store)
    declarations = round(seconds / every)
    acts = acts_of_arena(declarations) if way == "posted" else []
    server = Server(log, port, "--onlooker")
    server.start()
    try:
        token = server.tokens["game master"]
        work = (
            (lambda: posted(port, token, acts, every))
            if way == "posted"
            else (lambda: appended(log, declarations, every))
        )
        begun = time.monotonic()
        people, times, used, own = asyncio.run(watched(server, count, lambda: in_process(work, told), told))
        took = time.monotonic() - begun
    finally:
        server.kill()
    wrong = [fault for one in people for fault in one.wrong]
    as_told(times, log)
    missed = sum(times[-1]["seq"] - one.seq for one in people)
    if missed:
        wrong.append(f"{missed} events missed")
    span = times[-1]["sent"] - times[0]["sent"]
    start = "sent" if way == "posted" else "answered"
    return {
        "way": way,
        "onlookers": count,
        "declarations": len(times),
        "every ms": round(span / (len(times) - 1) * 1000, 1),
        "events": times[-1]["seq"],
        "load average": round(os.getloadavg()[0], 1),
        "seconds": round(took, 1),
        "server, share of a core": round(used / span, 2),
        "clients, share of a core": round(own / span, 2),
        **spread(
            f"ms from {'sending' if way == 'posted' else 'commit'} to receipt", late(people, times, start)
        ),
        **spread("ms to decide and answer", [one["answered"] - one["sent"] for one in times]),
        "the slowest were declarations": slowest(times),
        "missed": missed,
        "wrong": wrong[:20],
    }


def as_told(times: list[dict[str, float]], log: Path) -> None:
    """Put the numbers that events have for onlookers in place of those of the log."""
    with SqliteStore(log) as store:
        told = Counting().of(store, Audience(frozenset()), "main", store.head("main").seq)
        for one in times:
            one["seq"] = told.number(int(one["seq"]))


def late(people: list[Onlooker], times: list[dict[str, float]], start: str) -> list[float]:
    """Return how long each declaration took to each of them."""
    found = []
    for one in people:
        seqs = [seq for seq, _ in one.came]
        for time_of in times:
            at = bisect_left(seqs, time_of["seq"])
            if at < len(seqs):
                found.append(one.came[at][1] - time_of[start])
    return found


def slowest(times: list[dict[str, float]]) -> list[int]:
    """Return which declarations took longest to be decided and answered."""
    order = sorted(range(len(times)), key=lambda at: times[at]["sent"] - times[at]["answered"])
    return [at + 1 for at in order[:3]]


def spread(name: str, seconds: list[float]) -> dict[str, float]:
    """Return how the times are spread, in milliseconds."""
    order = sorted(seconds)
    parts = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
    found = {
        f"{name}, {part}": round(order[int(len(order) * share)] * 1000, 1) for part, share in parts.items()
    }
    return {**found, f"{name}, worst": round(order[-1] * 1000, 1)}


LONG = 3_000
"""So many events has the fight of which somebody asks for pages without pause."""

MOST_MS = 100
"""So long others wait at most, with a processor to spare."""


def asked_without_pause(folder: Path, port: int, seconds: float) -> dict[str, Any]:
    """Let one guest ask for all that costs much, over six connections, without pause; time everybody else.

    `wrong` tells of waits of others that are too long nine times of ten: on a machine that is busy otherwise
    the longest say little.
    """
    log = folder / "long.db"
    with SqliteStore(log) as store:
        table = opened(store)
        for act in endless(table):
            table.declare(act)
            if table.seq >= LONG:
                break
    server = Server(log, port, "--onlooker", "--player", "h1")
    server.start()
    try:
        cheap, pages = list[float](), list[float]()
        costly = ("/page", "/events?limit=1000", "/names?after=main:0:5", "/state?at=r3")
        token = server.tokens
        for who in ("game master", "onlooker", "h1"):  # what is read once is no wait that anybody causes
            for path in ("/session", "/page"):
                server.ask("GET", path, who=who)
        until = time.monotonic() + seconds

        def ask(who: str, paths: Sequence[str], times: list[float], pause: float) -> None:
            asking = Asking(port, token[who])
            for path in itertools.cycle(paths):
                begun = time.monotonic()
                asking.ask("GET", path)
                times.append(time.monotonic() - begun)
                time.sleep(pause)
                if time.monotonic() > until:
                    return

        def declare() -> list[float]:
            asking, times = Asking(port, token["game master"]), list[float]()
            position = asking.ask("GET", "/session").told["position"]
            while time.monotonic() < until:
                act = {"act": "speak", "actor": "h1", "words": "on"}
                body = {"act": act, "request": f"said {len(times)}", "expected": position}
                begun = time.monotonic()
                asked = asking.ask("POST", "/declarations", body)
                times.append(time.monotonic() - begun)
                assert asked.status == 200, asked
                position = asked.told["position"]
                time.sleep(0.1)
            return times

        own = [list[float]() for _ in range(6)]
        with ThreadPoolExecutor(9) as threads:
            work = [threads.submit(ask, "onlooker", costly[n % 4 :] + costly, own[n], 0) for n in range(6)]
            work += [threads.submit(ask, "h1", ["/session", "/state"], cheap, 0.05)]
            work += [threads.submit(ask, "h1", ["/page"], pages, 0.5)]
            declared = threads.submit(declare).result()
            for one in work:
                one.result()
    finally:
        server.kill()
    found = {
        "events": LONG,
        "load average": round(os.getloadavg()[0], 1),
        "asked without pause": sum(map(len, own)),
        **spread("ms for the others, /session and /state", cheap),
        **spread("ms for the others, to declare", declared),
        **spread("ms for the page of another guest", pages),
        **spread("ms for whoever asks without pause", [one for some in own for one in some]),
    }
    wrong = [
        f"{name}: {ms}" for name, ms in found.items() if "others" in name and "p90" in name and ms > MOST_MS
    ]
    return {**found, "wrong": wrong}
