"""What takes long: of each guest one piece at a time, and what is asked again meanwhile is done once."""

import asyncio

import pytest

from affray.replay.serve.http import Problem
from affray.replay.serve.workers import MOST_WAITING, Turns


class Works:
    """Work that is finished when it is told so; `begun` is what was begun, in that order."""

    def __init__(self) -> None:
        """Begin nothing."""
        self.turns, self.begun = Turns(), list[str]()
        self.go_on = asyncio.Event()

    def ask(self, who: str, what: str) -> asyncio.Task[str]:
        """Ask for a piece of work."""

        async def work() -> str:
            self.begun.append(f"{who} {what}")
            await self.go_on.wait()
            return f"{who} {what} {len(self.begun)}"

        return asyncio.create_task(self.turns.do(who, what, work))


async def settle() -> None:
    """Let everything go as far as it goes."""
    for _ in range(50):
        await asyncio.sleep(0)


def test_one_piece_of_each_guest() -> None:
    """Another guest does not wait for all that one has asked for."""

    async def play() -> None:
        works = Works()
        asked = [works.ask("a", f"names {number}") for number in range(5)]
        await settle()
        asked.append(works.ask("b", "page"))
        await settle()
        assert works.begun == ["a names 0", "b page"]
        works.go_on.set()
        await asyncio.gather(*asked)
        assert len(works.begun) == 6

    asyncio.run(play())


def test_what_is_asked_again_is_done_once() -> None:
    """Two hundred onlookers with one link: what has begun already may be out of date, the next is theirs."""

    async def play() -> None:
        works = Works()
        first = works.ask("a", "page")
        await settle()
        others = [works.ask("a", "page") for _ in range(200)]
        await settle()
        others[0].cancel()
        works.go_on.set()
        assert await first == "a page 1"
        assert {await one for one in others[1:]} == {"a page 2"}
        assert not works.turns._asking
        assert not works.turns._locks
        assert not works.turns._waiting

    asyncio.run(play())


def test_too_much_that_waits_is_refused() -> None:
    """With 429, for this guest alone; a failure ends one piece of work and no more."""

    async def play() -> None:
        works = Works()
        asked = [works.ask("a", f"names {number}") for number in range(MOST_WAITING + 1)]
        await settle()
        with pytest.raises(Problem, match="too many requests of this link"):
            await works.ask("a", "page")
        fine = works.ask("b", "page")
        works.go_on.set()
        await asyncio.gather(*asked, fine)

        async def fails() -> str:
            raise Problem("hidden", "no")

        with pytest.raises(Problem, match="no"):
            await works.turns.do("a", "page", fails)
        assert (await works.ask("a", "page")).startswith("a page")

    asyncio.run(play())
