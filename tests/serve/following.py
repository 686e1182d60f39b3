"""A feed on a log, and clients that hold what they were told, checked against the log at every step."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from affray.engine.table.scenario import packaged, set_up
from affray.engine.table.table import Table
from affray.events import SqliteStore
from affray.events.facts import acts
from affray.events.stores.store import Store
from affray.replay.serve.access import Access, Guest
from affray.replay.serve.feed import Feed
from affray.replay.serve.messages import FeedCursor, end_of, is_before
from affray.replay.serve.visibility import FeedPositions
from affray.replay.serve.workers import Desk

SECONDS = 20
"""So long a test waits for what comes at once."""


def fight(log: Path) -> None:
    """Begin the packaged fight in a file."""
    with SqliteStore(log, synchronous="NORMAL") as store:
        set_up(packaged("demo_srd35"), store, seed=b"a served fight").declare(acts.Begin())


def go_on(store: SqliteStore, turns: int = 1) -> None:
    """Let turns end."""
    table = Table(store)
    for _ in range(turns):
        table.declare(acts.EndTurn(actor=table.state.active))


@asynccontextmanager
async def feeding(log: Path, access: Access, *, running: bool = True) -> AsyncIterator[Feed]:
    """Have a feed of a log inside the block; one that is not `running` finds nothing new yet."""
    desks = [Desk(log, name, readonly=True) for name in ("feed", "late")]
    feed = Feed(*desks, access)
    await feed.start()
    task = asyncio.create_task(feed.run()) if running else None
    try:
        yield feed
    finally:
        feed.stop()
        if task is not None:
            await task
        for desk in desks:
            await desk.close()


class Client:
    """One who follows; as the game master it holds the beginning of a line that is or was the main one.

    `told` are all messages as (id, event, data).
    """

    def __init__(self, store: Store, guest: Guest) -> None:
        """Hold nothing; the store is what it is checked against."""
        self.store, self.guest = store, guest
        self.feed: Feed | None = None
        self.place = FeedCursor("main", 0, 0)
        self.held: list[str] = []
        self.told: list[tuple[FeedCursor, str, dict[str, Any]]] = []

    async def follow(self, feed: Feed, upto: FeedCursor, *, frames: bool = False) -> None:
        """Follow from where this client is until it has come to a position of the log."""
        async with asyncio.timeout(SECONDS), self.following(feed, frames=frames) as told:
            while is_before(self.place, self.told_at(upto)):
                self.take(await anext(told))

    @asynccontextmanager
    async def following(self, feed: Feed, *, frames: bool = False) -> AsyncIterator[AsyncIterator[bytes]]:
        """Follow from where this client is while the block runs."""
        self.feed = feed
        place, seen, come_from = await feed.begin(self.guest, self.place)
        told = feed.follow(self.guest, place, frames=frames, seen=seen, come_from=come_from)
        async with aclosing(told):
            yield told

    def told_at(self, place: FeedCursor) -> FeedCursor:
        """Return a position of the log as this client is told it."""
        if self.feed is None:
            return place  # nothing has been told to it yet
        return FeedPositions(self.feed.views.audience(self.guest), self.feed.counting).told(self.store, place)

    def take(self, sent: bytes) -> None:
        """Apply what was sent, and check every event of it."""
        for block in sent.decode().removesuffix("\n\n").split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.split("\n"))
            place, data = FeedCursor.read(fields["id"]), json.loads(fields["data"])["data"]
            if fields["event"] == "rebase":
                assert FeedCursor.read(data["from"]) == self.place
                assert place.epoch > self.place.epoch
                assert place.seq <= self.place.seq
                del self.held[place.seq :]
            elif fields["event"] == "view":
                assert place.view != self.place.view
            else:
                assert place == replace(self.place, seq=self.place.seq + 1)
                self.held.append(data.get("digest", ""))
            self.place = place
            self.told.append((place, fields["event"], data))
        if self.guest.role == "game master":
            assert self.held == line(self.store, self.place.branch, self.place.seq)

    def is_at_the_end(self) -> bool:
        """Say whether it holds the main line, all of it."""
        return self.place == self.told_at(end_of(self.store))


def line(store: Store, branch: str, upto: int | None = None) -> list[str]:
    """Return the digests of a line."""
    return [event.digest.hex() for event in store.read(branch, 0, upto)]
