"""The feed: never a gap, never a repeat, for whoever comes late, reads slowly or goes away."""

import asyncio
import subprocess
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

import pytest

from affray.engine.table.table import Table
from affray.events import SqliteStore, logging
from affray.events.errors import LogUnavailable
from affray.events.facts import acts
from affray.replay.log.branches import promote
from affray.replay.serve import feed
from affray.replay.serve.access import Access
from affray.replay.serve.feed import Look
from affray.replay.serve.messages import BadPlace, FeedCursor, end_of
from affray.replay.serve.visibility import Teller
from affray.replay.undo import redo, undo
from affray.replay.workers import PYTHON
from tests.serve.following import SECONDS, Client, feeding, go_on

ANOTHER = """
import sys
from affray.engine.table.table import Table
from affray.events import SqliteStore
from affray.events.facts import acts
with SqliteStore(sys.argv[1]) as store:
    table = Table(store)
    for number in range(3):
        table.declare(acts.EndTurn(actor=table.state.active))
"""


def test_late_and_at_once(log: Path, store: SqliteStore) -> None:
    """Who comes late is told all, who is there what comes, and both hold the same."""

    async def run() -> None:
        access = Access.open(log)
        early, late = (Client(store, access.guests[0]) for _ in range(2))
        async with feeding(log, access) as feed:
            await early.follow(feed, end_of(store))
            for _ in range(3):
                go_on(store)
                await early.follow(feed, end_of(store), frames=True)
            await late.follow(feed, end_of(store))
        assert early.held == late.held

    asyncio.run(run())


def test_a_slow_follower_reads_what_is_not_kept(
    log: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connection stays as it is meanwhile, and the events come from the log."""
    monkeypatch.setattr(feed, "MOST_BATCHES", 2)

    async def run() -> None:
        access = Access.open(log)
        slow, quick = (Client(store, access.guests[0]) for _ in range(2))
        async with feeding(log, access) as feed:
            await slow.follow(feed, end_of(store))
            following = feed.follow(slow.guest, slow.place, frames=False)
            async with aclosing(following), asyncio.timeout(SECONDS):
                go_on(store)
                slow.take(await anext(following))
                for _ in range(8):
                    go_on(store)
                    await quick.follow(feed, end_of(store))
                while not slow.is_at_the_end():
                    slow.take(await anext(following))

    asyncio.run(run())


def test_promoted_undone_and_brought_again(log: Path, store: SqliteStore) -> None:
    """A line that is left and comes back is told from where it had been left."""

    async def run() -> None:
        access = Access.open(log)
        there, away = (Client(store, access.guests[0]) for _ in range(2))
        async with feeding(log, access) as feed:
            go_on(store, 2)
            await there.follow(feed, end_of(store))
            await away.follow(feed, end_of(store))
            undo(store)
            await there.follow(feed, end_of(store))
            redo(store)
            await there.follow(feed, end_of(store))
            store.fork("other", "main", 20)
            promote(store, "other")
            go_on(store)
            await there.follow(feed, end_of(store))
            Table(store, "main").declare(acts.EndTurn(actor=Table(store, "main").state.active))
            promote(store, "main")
            await there.follow(feed, end_of(store))
            await away.follow(feed, end_of(store))
        turns = [(place, data["from"]) for place, kind, data in there.told if kind == "rebase"]
        assert [place.epoch for place, _ in turns] == [1, 2, 3, 4]
        assert there.held == away.held

    asyncio.run(run())


def test_ahead_of_the_feed(log: Path, store: SqliteStore) -> None:
    """Who knows a position that the feed has not come to yet waits, and is told what comes after it."""

    async def run() -> None:
        access = Access.open(log)
        async with feeding(log, access, running=False) as feed:
            go_on(store)
            ahead = Client(store, access.guests[0])
            ahead.place = end_of(store)
            ahead.held = [event.digest.hex() for event in store.read("main")]
            following = asyncio.create_task(ahead.follow(feed, FeedCursor("main", 0, ahead.place.seq + 5)))
            await asyncio.sleep(0.05)
            go_on(store)
            following.cancel()
            running = asyncio.create_task(feed.run())
            with suppress(asyncio.CancelledError):
                await following
            assert ahead.told == []
            await ahead.follow(feed, end_of(store))
            feed.stop()
            await running

    asyncio.run(run())


def test_another_log(log: Path) -> None:
    """A position that this log has never had is refused, not taken for one of it."""

    async def run() -> None:
        access = Access.open(log)
        async with feeding(log, access) as feed:
            following = feed.follow(access.guests[0], FeedCursor("else", 0, 3), frames=False)
            with pytest.raises(BadPlace):
                await anext(following)
            assert not feed._followed

    asyncio.run(run())


def test_another_process_writes(log: Path, store: SqliteStore) -> None:
    """What it records is told as soon as it is committed."""

    async def run() -> None:
        access = Access.open(log)
        client = Client(store, access.guests[0])
        async with feeding(log, access) as feed:
            process = subprocess.Popen([*PYTHON, "-c", ANOTHER, str(log)])
            before = end_of(store)
            while process.poll() is None or not client.is_at_the_end():
                await client.follow(feed, end_of(store))
                await asyncio.sleep(0.005)
            assert process.returncode == 0
            assert client.place.seq > before.seq

    asyncio.run(run())


@pytest.mark.parametrize("broken", ["reading", "telling"])
def test_a_log_that_is_away_for_a_moment(
    log: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """Nothing of the look that failed counts; who waits for it is not kept waiting, and then all goes on."""
    monkeypatch.setattr(feed, "AGAIN_SECONDS", 0.02)
    left = 3

    def once(real: Any, *given: Any, **named: Any) -> Any:
        nonlocal left
        found = real(*given, **named)
        if broken == "telling":
            found = list(found)
        if left and (broken == "telling" or found is not None):
            left -= 1
            raise LogUnavailable("the disk is away") if left else ValueError("a fault of the program")
        return found

    async def run() -> None:
        nonlocal left
        access = Access.open(log)
        client = Client(store, access.guests[0])
        async with feeding(log, access) as feed:
            await client.follow(feed, end_of(store))
            where, name = (Look, "_onward") if broken == "reading" else (Teller, "tell")
            real = getattr(where, name)
            monkeypatch.setattr(where, name, lambda *given, **named: once(real, *given, **named))
            with logging.captured() as noted:
                following = asyncio.create_task(client.follow(feed, FeedCursor("main", 0, 999)))
                # Until the client waits: how many turns of the loop that takes differs between Pythons.
                await asyncio.sleep(0.1)
                go_on(store)
                async with asyncio.timeout(SECONDS):
                    await feed.reached(end_of(store))
                    while left or not client.is_at_the_end():
                        await asyncio.sleep(0.01)
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following
            assert sum(one["event"] == "serve.failed" for one in noted) == 3
            go_on(store)
            await client.follow(feed, end_of(store))

    asyncio.run(run())


@pytest.mark.parametrize("late", [True, False])
def test_cancelled_anywhere(log: Path, store: SqliteStore, late: bool) -> None:
    """Whoever goes away, at whatever moment, leaves nothing behind, and goes on where it was."""

    async def run() -> None:
        access = Access.open(log)
        client, steady = (Client(store, access.guests[0]) for _ in range(2))
        async with feeding(log, access) as feed:
            for steps in range(25):
                go_on(store)
                if not late:
                    await client.follow(feed, end_of(store))
                    go_on(store)
                task = asyncio.create_task(client.follow(feed, end_of(store), frames=steps % 2 == 0))
                for _ in range(steps):
                    await asyncio.sleep(0.001 if steps > 15 else 0)
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
                assert not feed._followed
                await steady.follow(feed, end_of(store))
            await client.follow(feed, end_of(store))
        assert client.held == steady.held

    asyncio.run(run())


def test_withdrawn_and_hidden(log: Path, store: SqliteStore) -> None:
    """A follower is told with the eyes that it has now, and none whose link holds no longer."""

    async def run() -> None:
        access = Access.open(log)
        client = Client(store, access.invite("onlooker"))
        async with feeding(log, access) as feed:
            await client.follow(feed, end_of(store))
            async with client.following(feed) as following, asyncio.timeout(SECONDS):
                waiting = asyncio.create_task(anext(following))
                await asyncio.sleep(0.01)
                access.hide("ogre")
                feed.poke()
                client.take(await waiting)
                assert [kind for _, kind, _ in client.told][-1] == "view"
                go_on(store)
                while not client.is_at_the_end():
                    client.take(await anext(following))
                access.withdraw(client.guest.token)
                feed.poke()
                with pytest.raises(StopAsyncIteration):
                    await anext(following)

    asyncio.run(run())


def test_waiting_ends_with_the_feed(log: Path) -> None:
    """Nobody waits for a position that a feed which has ended will never come to."""

    async def run() -> None:
        async with feeding(log, Access.open(log)) as feed:
            waiting = asyncio.create_task(feed.reached(FeedCursor("main", 9, 1)))
            await asyncio.sleep(0.05)
            assert not waiting.done()
            feed.stop()
            await asyncio.wait_for(waiting, SECONDS)

    asyncio.run(run())


def test_invited_this_moment(log: Path, store: SqliteStore) -> None:
    """Whoever has got a link may follow at once."""

    async def run() -> None:
        access = Access.open(log)
        async with feeding(log, access, running=False) as feed:
            client = Client(store, access.invite("onlooker"))
            await client.follow(feed, end_of(store))
            assert client.is_at_the_end()

    asyncio.run(run())
