"""What the feed costs: guests are asked about once, what is told is put together once, little is kept."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from affray.events import SqliteStore
from affray.replay.privacy.audience import GAME_MASTER, Key
from affray.replay.serve import feed, visibility
from affray.replay.serve.access import Access
from affray.replay.serve.feed import Batch, Batches, Feed, Look
from affray.replay.serve.messages import FeedCursor, end_of
from affray.replay.serve.visibility import Counting
from affray.replay.serve.workers import Desk
from tests.serve.following import SECONDS, Client, feeding, go_on


def test_guests_are_looked_up_once_for_all(
    log: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many follow: their tokens are not gone through by each of them for each batch."""

    async def run() -> None:
        access = Access.open(log)
        clients = [Client(store, access.guests[0]) for _ in range(20)]
        asked = 0

        def counted(token: str) -> None:
            nonlocal asked
            asked += 1

        monkeypatch.setattr(access, "guest_of", counted)
        async with feeding(log, access) as feed:
            go_on(store)
            end = end_of(store)
            await asyncio.gather(*(one.follow(feed, end) for one in clients))
        assert asked == 0

    asyncio.run(run())


def test_a_command_that_takes_seconds(log: Path, store: SqliteStore) -> None:
    """While the ledger's desk works, the feed tells what others record."""

    async def run() -> None:
        access = Access.open(log)
        client = Client(store, access.guests[0])
        ledger = Desk(log, "ledger", readonly=False)
        async with feeding(log, access) as feed:
            await client.follow(feed, end_of(store))
            loop = asyncio.get_running_loop()
            busy = asyncio.create_task(ledger.do(lambda _: _work_until(loop.time() + 1.5)))
            delays = []
            while not busy.done():
                go_on(store)
                begun = loop.time()
                await client.follow(feed, end_of(store))
                delays.append(loop.time() - begun)
            assert len(delays) > 1
            assert sorted(delays)[len(delays) // 2] < 1
            await busy
        await ledger.close()

    asyncio.run(run())


def _work_until(when: float) -> None:

    while time.monotonic() < when:
        sum(range(1000))


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the number of batches, and by how much is told in them; the newest one always stays."""
    monkeypatch.setattr(feed, "MOST_BATCHES", 5)
    monkeypatch.setattr(feed, "MOST_TOLD", 30)
    key = Key(GAME_MASTER, False)
    kept = Batches()

    def keep(count: int, size: int, at: int) -> None:
        for seq in range(at, at + count):
            told: Sequence[Any] = [None] * size
            kept.keep(FeedCursor("main", 0, seq), Batch(FeedCursor("main", 0, seq + 1), {key: told}))

    keep(20, 1, 0)
    assert (len(kept), kept.count) == (5, 5)
    keep(20, 10, 20)
    assert (len(kept), kept.count) == (3, 30)
    keep(1, 500, 40)
    assert (len(kept), kept.count) == (1, 500)
    assert kept.told(key, FeedCursor("main", 0, 40), FeedCursor("main", 0, 41)) == [None] * 500
    assert kept.told(key, FeedCursor("main", 0, 39), FeedCursor("main", 0, 41)) is None


def test_the_feed_belongs_to_nobody(log: Path) -> None:
    """Without followers nothing is told to anybody, and the feed moves on."""

    async def run() -> None:
        async with feeding(log, Access.open(log)) as feed:
            with SqliteStore(log) as store:
                go_on(store)
                end = end_of(store)
            async with asyncio.timeout(SECONDS):
                await feed.reached(end)
            assert isinstance(feed, Feed)
            assert feed.batches.count == 0

    asyncio.run(run())


def test_after_a_break_all_are_told_at_once(
    log: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many come again to a server that was started anew: what they have missed is put together once."""
    real, made = visibility.told_between, 0

    def counted(*given: Any) -> Any:
        nonlocal made
        made += 1
        return real(*given)

    async def run() -> None:
        monkeypatch.setattr(visibility, "told_between", counted)
        access = Access.open(log)
        clients = [Client(store, access.guests[0]) for _ in range(20)]
        go_on(store)
        async with feeding(log, access) as feed:
            end = end_of(store)
            await asyncio.gather(*(one.follow(feed, end) for one in clients))
        assert made == 1

    asyncio.run(run())


def test_frames_are_made_only_for_those_who_draw(log: Path, store: SqliteStore) -> None:
    """Once the last page is closed nothing is drawn any more."""
    look, plain, drawn = Look(Counting()), Key(GAME_MASTER, False), Key(GAME_MASTER, True)
    look.begin(store)
    for keys in ((plain,), (plain, drawn), (plain,)):
        go_on(store)
        found = look.new(store, keys)
        assert found is not None
        framed = {key: {one.data.frame is not UNSET for one in found[1].told[key]} for key in keys}
        assert framed == {key: {key.frames} for key in keys}
        assert look._framed is (drawn in keys)
