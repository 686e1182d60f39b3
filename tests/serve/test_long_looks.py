"""One guest asks for what costs much without pause: nobody else waits, and the guests take turns.

What is compared is the order of work, not time: a busy machine changes nothing of it.
"""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from affray.events.errors import LogUnavailable
from affray.events.stores.sqlite import SqliteStore
from affray.replay.privacy.audience import GAME_MASTER, Audience
from affray.replay.serve import server as serve_server
from affray.replay.serve import server_context as serve_house
from affray.replay.serve.http import Problem
from affray.replay.serve.long_looks import LookupProcesses
from affray.replay.serve.messages import FeedCursor
from affray.replay.serve.read_model import Looking, Wanted
from affray.replay.serve.visibility import Counting
from affray.replay.serve.workers import MOST_WAITING, Desk
from affray.replay.workers import PYTHON
from tests.serve.served import Reply, Served, server, small_fight

WANTED = (
    Wanted("page"),
    Wanted("events", None, 3),
    Wanted("events", FeedCursor("main", 0, 4), 100),
    Wanted("names", FeedCursor("main", 0, 2)),
)
AUDIENCES = (
    GAME_MASTER,
    Audience(frozenset()),
    Audience(frozenset({"heroes"}), frozenset({"hero"}), frozenset({"imp"}), frozenset({("imp", "Vexlord")})),
)
CASES = [(one, wanted) for one in AUDIENCES for wanted in WANTED]

SCRIPT = """
import json, pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
sys.stdin.readline()
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    with (folder / "asked").open("a") as file:
        file.write(json.dumps(asked) + "\\n")
    while not (folder / f"go{number}").exists() and not (folder / "go").exists():
        time.sleep(0.005)
    print('{"size": 2}', "{}", sep="\\n", end="", flush=True)
"""
"""Stands in for what looks up long: it answers when a file is there, and notes down what was asked."""


def test_as_it_is_looked_up_here(tmp_path: Path) -> None:
    """The same bytes for everybody, whatever is wanted; what is wrong is a problem here too."""
    log = tmp_path / "fight.db"
    small_fight(log)

    async def asked() -> list[bytes]:
        looks = LookupProcesses(log)
        try:
            with pytest.raises(Problem, match="no position") as raised:
                await looks.find(GAME_MASTER, Wanted("names", FeedCursor("other", 0, 3)))
            assert raised.value.code == "bad_request"
            return [await looks.find(one, wanted) for one, wanted in CASES]
        finally:
            await looks.stop()

    with SqliteStore(log, readonly=True) as store:
        here = [wanted.found(Looking(one, Counting()), store) for one, wanted in CASES]
    assert asyncio.run(asked()) == here


def test_a_process_that_ends(tmp_path: Path) -> None:
    """Whoever waited is told that it could not be looked up; the next one gets an answer."""
    log = tmp_path / "fight.db"
    small_fight(log)

    async def asked() -> bytes:
        looks = LookupProcesses(log)
        await looks.find(GAME_MASTER, WANTED[0])
        (process,) = looks._all
        process.kill()
        await process.wait()
        with pytest.raises(LogUnavailable, match="came to an end"):
            await looks.find(GAME_MASTER, WANTED[0])
        found = await looks.find(GAME_MASTER, WANTED[0])
        (process,) = looks._all
        assert process.stdin is not None
        process.stdin.close()  # as when the server is killed
        assert await asyncio.wait_for(process.wait(), 20) == 0
        await looks.stop()
        return found

    assert json.loads(asyncio.run(asked()))["lines"]

    async def missing() -> None:
        looks = LookupProcesses(tmp_path / "gone" / "fight.db")
        try:
            with pytest.raises(LogUnavailable):
                await looks.find(GAME_MASTER, WANTED[0])
        finally:
            await looks.stop()

    asyncio.run(missing())


@pytest.fixture
def busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Serve a fight of which everything long takes as long as the test wants."""
    small_fight(tmp_path / "fight.db")
    command = (*PYTHON, "-c", SCRIPT, str(tmp_path))
    monkeypatch.setattr(serve_house, "SHORT", 0)
    monkeypatch.setattr(serve_server, "LookupProcesses", partial(LookupProcesses, command=command, most=1))
    with server(tmp_path / "fight.db") as one:
        one.access.invite("onlooker")
        one.access.invite("player", ["hero"])
        yield one
        (tmp_path / "go").touch()


def wait_until(holds: Callable[[], bool]) -> None:
    """Return once something holds. Raises AssertionError if it does not for long."""
    for _ in range(4000):
        if holds():
            return
        time.sleep(0.005)
    raise AssertionError("it has not come to that")


def wait_for(file: Path, lines: int) -> list[Any]:
    """Return what was asked, once it is so many pieces."""
    wait_until(lambda: file.exists() and len(file.read_text().splitlines()) >= lines)
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_who_asks_without_pause_keeps_nobody_waiting(busy: Served, tmp_path: Path) -> None:
    """While a page is looked up all else is answered, and too much that waits is refused.

    Another guest's page comes next, whatever the first one has asked for besides.
    """
    master, onlooker, player = busy.access.guests
    with ThreadPoolExecutor(40) as threads:

        def ask(who: Any, path: str) -> Future[Reply]:
            return threads.submit(busy.ask, who, "GET", path)

        waiting = [ask(onlooker, "/page")]
        wait_for(tmp_path / "asked", 1)
        answers = [ask(onlooker, f"/names?after=main:0:{number}") for number in range(MOST_WAITING + 5)]
        wait_until(lambda: sum(one.done() for one in answers) == 5)
        assert {one.result().status for one in answers if one.done()} == {429}
        # None of these waits for the page, which is not looked up yet.
        for who in (master, onlooker, player):
            assert busy.get(who, "/session")["role"] == who.role
            assert busy.get(who, "/state")["head"] > 0
        assert busy.get(player, "/legal/hero")["who"] == "hero"
        with busy.following(player) as told:
            assert busy.declare(master, "speak", actor="hero", words="ho").status == 200
            assert next(told)[1]["data"]["seq"] > 0
        theirs = ask(player, "/page")
        wait_until(lambda: player.token in busy.house.long_turns._asking)
        (tmp_path / "go0").touch()
        second = wait_for(tmp_path / "asked", 2)[1]
        (tmp_path / "go1").touch()
        third = wait_for(tmp_path / "asked", 3)[2]
        (tmp_path / "go").touch()
        assert {(*one["audience"]["own"],) for one in (second, third)} == {(), ("hero",)}
        assert theirs.result().status == waiting[0].result().status == 200
        assert sorted(one.result().status for one in answers) == [200] * MOST_WAITING + [429] * 5


def test_guests_take_turns_at_a_desk(tmp_path: Path) -> None:
    """One piece of each at a time: who has asked for five waits for those, and another guest for one."""
    small_fight(tmp_path / "fight.db")
    go_on, order = threading.Event(), list[str]()

    def piece(name: str) -> str:
        go_on.wait(20)
        order.append(name)
        return name

    async def play() -> None:
        desk = Desk(tmp_path / "fight.db", "test", readonly=True)
        many = [
            asyncio.create_task(desk.run_in_turn("a", number, lambda _, n=number: piece(f"a{n}")))  # type: ignore[misc]
            for number in range(5)
        ]
        await asyncio.sleep(0.05)
        one = asyncio.create_task(desk.run_in_turn("b", 0, lambda _: piece("b0")))
        await asyncio.sleep(0.05)
        go_on.set()
        await asyncio.gather(*many, one)
        await desk.close()

    asyncio.run(play())
    assert order == ["a0", "b0", "a1", "a2", "a3", "a4"]


def test_guests_take_turns_at_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who contests five events at once keeps another guest waiting for one of them."""
    small_fight(tmp_path / "fight.db")
    go_on, begun = threading.Event(), list[int]()

    with server(tmp_path / "fight.db") as one, ThreadPoolExecutor(8) as threads:
        player = one.access.invite("player", ["hero"])
        dispute = one.house.ledger.dispute

        async def slow(at: int, *given: Any, **more: Any) -> Any:
            begun.append(at)
            await asyncio.to_thread(go_on.wait, 20)
            return await dispute(at, *given, **more)

        monkeypatch.setattr(one.house.ledger, "dispute", slow)
        contested = [
            threads.submit(one.post, player, "/disputes", f"c{at}", at=at, text="no") for at in range(1, 6)
        ]
        wait_until(lambda: one.house.commands._asking[player.token] == 5)
        assert one.declare(one.master, "speak", actor="hero", words="ho").status == 200
        assert len(begun) == 1
        go_on.set()
        # What was asked for before the others' words is told where the fight is now.
        assert {reply.result().status for reply in contested} == {409}
        assert len(begun) == 5
