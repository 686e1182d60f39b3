"""Commands over HTTP: done once however often they are sent, whole or not at all for those who go away."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from affray.events import SqliteStore, logging
from affray.events.codec import decode
from affray.events.errors import LogUnavailable
from affray.events.facts import acts
from affray.replay.privacy.audience import GAME_MASTER
from affray.replay.serve.access import Access, Guest
from affray.replay.serve.read_model import Looking
from affray.replay.serve.server import serving
from tests.serve.asking import Answer, answer_of
from tests.serve.following import fight
from tests.serve.looks import audience


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return the log of a fight that has begun."""
    fight(tmp_path / "fight.db")
    return tmp_path / "fight.db"


@asynccontextmanager
async def served(log: Path, access: Access) -> AsyncIterator[Starlette]:
    """Have the application of a log inside the block."""
    app = serving(log, access, "http://localhost:8417/")
    async with app.router.lifespan_context(app):
        yield app


async def post(app: Starlette, guest: Guest, path: str, **body: Any) -> Answer:
    """Return what is answered to a command."""
    headers = [("host", "localhost:8417"), ("authorization", f"Bearer {guest.token}")]
    headers.append(("content-type", "application/json"))
    return await answer_of(app, "POST", path, headers=headers, body=[json.dumps(body).encode()])


def say(app: Starlette, guest: Guest, words: str, expected: str, request: str = "r1") -> Any:
    """Return the asking that lets the ogre say something."""
    act = {"act": "speak", "actor": "ogre", "words": words}
    return post(app, guest, "/declarations", act=act, expected=expected, request=request)


def spoken(log: Path) -> list[str]:
    """Return what was said in the fight, and by whom it was declared."""
    with SqliteStore(log) as store:
        declared = [decode(event) for event in store.read_all() if event.type == "declared"]
        return [f"{one.by}: {one.act.words}" for one in declared if isinstance(one.act, acts.Speak)]


def now(log: Path, *own: str) -> str:
    """Return the position where the fight is, as it is told to the game master, or to a player."""
    with SqliteStore(log) as store:
        return Looking(audience(store, own) if own else GAME_MASTER).now(store)


def test_sent_again(log: Path) -> None:
    """At once, later, and to another server: the same answer, and done once."""

    async def run() -> None:
        access = Access.open(log)
        master = access.guests[0]
        here = now(log)
        async with served(log, access) as app:
            first, second = await asyncio.gather(say(app, master, "Ha!", here), say(app, master, "Ha!", here))
            await say(app, master, "Ho!", first.json["position"], "r2")
            third = await say(app, master, "Ha!", here)
        async with served(log, access) as app:
            fourth = await say(app, master, "Ha!", here)
        assert first.status == 200
        assert first.json == second.json == third.json == fourth.json
        assert [one["data"]["type"] for one in first.json["events"]] == ["declared", "rule.applied"]
        assert spoken(log) == ["game master: Ha!", "game master: Ho!"]

    asyncio.run(run())


def test_the_same_id_of_two_guests(log: Path) -> None:
    """Each is another request, and neither gets the other's answer."""

    async def run() -> None:
        access = Access.open(log)
        player = access.invite("player", ("ogre",), "Ann")
        async with served(log, access) as app:
            one = await say(app, access.guests[0], "Ha!", now(log))
            other = await say(app, player, "Ho!", now(log, "ogre"))
            assert (one.status, other.status) == (200, 200)
        assert spoken(log) == ["game master: Ha!", "Ann: Ho!"]

    asyncio.run(run())


def test_two_at_once(log: Path) -> None:
    """Exactly one is first; the other is told where the fight is, and may go on from there."""

    async def run() -> None:
        access = Access.open(log)
        player = access.invite("player", ("ogre",), "Ann")
        async with served(log, access) as app:
            here = now(log)
            both = await asyncio.gather(
                say(app, access.guests[0], "Ha!", here), say(app, player, "Ho!", now(log, "ogre"))
            )
            assert sorted(one.status for one in both) == [200, 409]
            late = max(both)
            assert late.code == "stale_position"
            assert late.json["position"] == (now(log) if late is both[0] else now(log, "ogre"))
        assert len(spoken(log)) == 1

    asyncio.run(run())


@pytest.mark.parametrize("milliseconds", [0, 1, 3, 10, 40])
def test_whoever_goes_away(log: Path, milliseconds: int) -> None:
    """Cut off at any moment, the command is done whole or not at all; sent again it is done once."""

    async def run() -> None:
        access = Access.open(log)
        here = now(log)
        async with served(log, access) as app:
            gone = asyncio.create_task(say(app, access.guests[0], "Ha!", here))
            await asyncio.sleep(milliseconds / 1000)
            gone.cancel()
            with suppress(asyncio.CancelledError):
                await gone
            again = await say(app, access.guests[0], "Ha!", here)
            assert again.status == 200
            assert again.json["position"] == now(log)
            assert not app.state.house.feed._followed
        assert spoken(log) == ["game master: Ha!"]

    asyncio.run(run())


def test_a_log_that_is_locked(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is no fault of who asks, and where the log is kept is told to nobody."""

    async def run() -> None:
        access = Access.open(log)
        async with served(log, access) as app:
            here = now(log)

            def locked(*given: Any, **named: Any) -> Any:
                raise LogUnavailable(f"{log}: it is locked by another writer")

            with monkeypatch.context() as patched, logging.captured() as noted:
                patched.setattr(SqliteStore, "append", locked)
                found = await say(app, access.guests[0], "Ha!", here)
            assert (found.status, found.code) == (500, "internal")
            assert str(log).encode() not in found.body
            assert any("locked" in str(one) for one in noted)
            assert (await say(app, access.guests[0], "Ha!", here)).status == 200

    asyncio.run(run())


def test_the_order_of_answer_and_feed(log: Path) -> None:
    """What is answered is on the feed by then: whoever follows and asks never knows more than the feed."""

    async def run() -> None:
        access = Access.open(log)
        async with served(log, access) as app:
            place = now(log)
            for number in range(10):
                place = (await say(app, access.guests[0], "Ha!", place, f"r{number}")).json["position"]
                assert str(app.state.house.feed.place) == place

    asyncio.run(run())
