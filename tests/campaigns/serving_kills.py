"""Killed and started again at random moments, while somebody declares and others follow."""

import asyncio
import contextlib
import json
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.stores.address import Address
from affray.replay.log_files import open_log
from affray.replay.privacy.audience import Audience
from affray.replay.serve.messages import end_of
from affray.replay.serve.visibility import Counting, FeedPositions
from affray.replay.verification.verify import verify
from tests.bench.arena import opened
from tests.campaigns.declaring import Insistent, in_process, is_over
from tests.campaigns.onlookers import Onlooker
from tests.campaigns.served import Reply, Server
from tests.campaigns.serving_load import ends

READERS = 3
"""So many read all of what they are told, as many again only where they are."""

TURNS = {0.3: "undo", 0.5: "promote", 0.7: "undo"}
"""What changes the main line, after what part of the time."""


SERVERS = 3
"""So many serve one fight of a database."""


class Several:
    """Servers of one fight in a database, of which one at a time is killed and started again."""

    def __init__(self, log: Path, port: int, folder: Path, seed: int) -> None:
        """Know how to start them, at ports that follow one another."""
        self._all = [Server(log, port + n, "--onlooker", folder=folder) for n in range(SERVERS)]
        self.port, self.others = port, [port + n for n in range(1, SERVERS)]
        self._dice, self._down = random.Random(seed), [*self._all]

    @property
    def tokens(self) -> dict[str, str]:
        """The guests' tokens, the same at all of them."""
        return self._all[0].tokens

    def start(self) -> None:
        """Start those that do not run."""
        while self._down:
            self._down.pop().start()

    def kill(self) -> None:
        """End one of them at once."""
        self._down.append(self._dice.choice(self._all))
        self._down[-1].kill()

    def end(self) -> None:
        """End them all at once."""
        for one in self._all:
            one.kill()

    def ask(self, method: str, path: str) -> Reply:
        """Ask one of those that run."""
        return self._all[0].ask(method, path)


def declare(port: int, token: str, stop: Path, seed: int, others: Sequence[int] = ()) -> dict[str, Any]:
    """Declare through the server until a file is there; return what was acknowledged."""
    dice = random.Random(seed)
    one = Insistent(port, token, time.monotonic() + 3600, others)
    turns = 0
    number = 0
    while not stop.exists() or turns < len(TURNS):
        number += 1
        one.hazard(f"hazard {number}")
        time.sleep(dice.random() / 20)
        wanted = stop.with_suffix(".turns")
        due = wanted.read_text().split() if wanted.exists() else []
        for what in due[turns:]:
            turns += 1
            one.undo(f"undo {turns}", 2) if what == "undo" else one.promote(f"line-{turns}")
    return {"done": list(one.done), "repeated": one.repeated, "stale": one.stale, "turns": turns}


async def killed(server: Server | Several, kills: int, seed: int, stop: Path, child: int) -> list[Onlooker]:
    """Kill and start the server while all go on; return those who followed, once they are at the end."""
    dice = random.Random(seed)
    token = server.tokens["game master"]
    more = server.others
    readers = [
        Onlooker(server.port, token, digests=True, frames=n == 1, others=more[n:]) for n in range(READERS)
    ]
    others = [Onlooker(server.port, server.tokens["onlooker"], others=more) for _ in range(READERS)]
    following = [asyncio.create_task(one.follow_on()) for one in (*readers, *others)]
    due = dict(TURNS)
    for number in range(kills + 1):
        for part in [one for one in due if one * kills <= number]:
            with stop.with_suffix(".turns").open("a") as file:
                file.write(f"{due.pop(part)}\n")
        if number == kills:
            break
        # From the middle of starting to the middle of the work.
        await asyncio.sleep(dice.choice((0.1, 1.0, 2.0, 3.0)) * dice.random())
        server.kill()
        await asyncio.to_thread(server.start)
    await asyncio.sleep(1)
    stop.touch()
    while not is_over(child):
        await asyncio.sleep(0.05)
    end = ends((*readers, *others), server)
    until = time.monotonic() + 20
    while any(one.place != end[one.token] for one in (*readers, *others)) and time.monotonic() < until:
        await asyncio.sleep(0.02)
    for task in following:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    return [*readers, *others]


def campaign(folder: Path, port: int, kills: int, seed: int, database: str = "") -> dict[str, Any]:
    """Run it and return the figures; `wrong` lists what should not be.

    Over a database several servers share the fight, of which one is killed at a time.
    """
    log, stop, told = folder / "kills.db", folder / "kills.stop", folder / "kills.told"
    log = Address(database) if database else log
    with open_log(log) as store:
        opened(store)
    server = Several(log, port, folder, seed) if database else Server(log, port, "--onlooker")
    server.start()
    began = time.monotonic()
    try:
        token = server.tokens["game master"]
        child = in_process(lambda: declare(port, token, stop, seed, server.others), told)
        followers = asyncio.run(killed(server, kills, seed, stop, child))
    finally:
        server.end()
    return {
        "kills": kills,
        "seconds": round(time.monotonic() - began, 1),
        "connections": sum(one.connections for one in followers),
        "rebases told": sum(one.rebases for one in followers),
        **held_against(log, told, followers),
    }


def held_against(log: Path, told: Path, followers: list[Onlooker]) -> dict[str, Any]:
    """Compare the log with what was acknowledged, and with what the followers hold."""
    answers = json.loads(told.read_text())
    wrong = [fault for one in followers for fault in one.wrong]
    with open_log(log, readonly=True) as store:
        line = store.main_line()
        end = end_of(store)
        told = FeedPositions(Audience(frozenset()), Counting()).told(store, end)
        digests = {event.seq: event.digest.hex() for event in store.read(line)}
        times = Counter(
            fact.act.source
            for event in store.read_all()
            if event.type == "declared" and isinstance((fact := decode(event)).act, acts.Hazard)
        )
        if not verify(store).ok:
            wrong.append("verify finds a problem")
    for one in followers:
        if one.place != str(told if one.digests is None else end):
            wrong.append(f"a follower ended at {one.place}, the fight at {end}")
        if one.digests is not None and one.digests != digests:
            wrong.append("a follower holds other events than the main line")
    lost = [name for name in answers["done"] if not times[name]]
    twice = [name for name, count in times.items() if count > 1]
    if lost or twice:
        wrong.append(f"lost: {lost}; done twice: {twice}")
    return {
        "declarations": len(times),
        "acknowledged": len(answers["done"]),
        "repeated after no answer": answers["repeated"],
        "answered as stale": answers["stale"],
        "turns of the main line": answers["turns"],
        "events": len(digests),
        "gaps": sum("gap" in one for one in wrong),
        "repeats": sum("repeat:" in one for one in wrong),
        "lost": len(lost),
        "done twice": len(twice),
        "wrong": wrong,
    }
