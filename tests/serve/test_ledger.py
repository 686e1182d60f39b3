"""Commands: each done once or not at all, by whoever was first, and answered alike when it comes again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from affray.engine.table import policies
from affray.engine.table.table import Table
from affray.events import SqliteStore
from affray.events.codec import decode
from affray.events.facts import acts
from affray.replay.log.branches import promote
from affray.replay.serve.commands import Ledger, Written
from affray.replay.serve.http import Problem
from affray.replay.serve.messages import FeedCursor, end_of
from affray.replay.serve.workers import Desk
from affray.replay.undo import undo


@asynccontextmanager
async def writing(log: Path) -> AsyncIterator[Ledger]:
    """Have a ledger of a log inside the block."""
    desk = Desk(log, "ledger", readonly=False)
    try:
        yield Ledger(desk, policies.by_combatant(policies.auto))
    finally:
        await desk.close()


def spoken(store: SqliteStore) -> list[str]:
    """Return what was said in the fight, on whatever line."""
    declared = [decode(event) for event in store.read_all() if event.type == "declared"]
    return [one.act.words for one in declared if isinstance(one.act, acts.Speak)]


async def say(
    ledger: Ledger, words: str, expected: FeedCursor, request: str = "r1", manual: bool = False
) -> Written:
    """Let somebody say something."""
    return await ledger.declare(acts.Speak(actor="ogre", words=words), expected, "Ann", request, manual)


async def code_of(command: Any) -> tuple[str, str]:
    """Return the code and the position with which a command is refused."""
    with pytest.raises(Problem) as raised:
        await command
    return raised.value.code, raised.value.position


def test_the_same_request_again(log: Path, store: SqliteStore) -> None:
    """At once, later, and after a restart: done once, and answered alike."""

    async def run() -> None:
        here = end_of(store)
        async with writing(log) as ledger:
            first, at_once = await asyncio.gather(say(ledger, "Ha!", here), say(ledger, "Ha!", here))
            await say(ledger, "Ho!", first.after, "r2")
            later = await say(ledger, "Ha!", here)
        async with writing(log) as ledger:
            restarted = await say(ledger, "Ha!", end_of(store))
        assert first == at_once == later == restarted
        assert (first.before, first.after.seq) == (here, first.events[-1].seq)
        assert spoken(store) == ["Ha!", "Ho!"]

    asyncio.run(run())


def test_another_command_under_the_same_request(log: Path, store: SqliteStore) -> None:
    """It is refused, with the position now, whatever kinds of commands they are."""

    async def run() -> None:
        async with writing(log) as ledger:
            done = await say(ledger, "Ha!", end_of(store))
            now = str(done.after)
            expected = done.after
            assert await code_of(say(ledger, "Ho!", expected)) == ("request_reused", now)
            assert await code_of(ledger.undo(1, expected, "Ann", "r1")) == ("request_reused", now)
            assert await code_of(ledger.dispute(3, "no", expected, "Ann", "r1")) == ("request_reused", now)
            await ledger.fork("10", "line", expected, "f1")
            assert await code_of(ledger.fork("11", "line", expected, "f1")) == ("request_reused", now)
            assert await code_of(say(ledger, "Ho!", expected, "f1")) == ("request_reused", now)
        assert spoken(store) == ["Ha!"]

    asyncio.run(run())


def test_stale(log: Path, store: SqliteStore) -> None:
    """Whoever has not seen the last event is told where the fight is; nothing is done."""

    async def run() -> None:
        here = end_of(store)
        async with writing(log) as ledger:
            done = await say(ledger, "Ha!", here)
            for command in (
                say(ledger, "Ho!", here, "r2"),
                ledger.undo(1, here, "Ann", "r3"),
                ledger.dispute(3, "no", here, "Ann", "r4"),
                ledger.fork("10", "line", here, "r5"),
                ledger.promote("main", here, "Ann", "r6"),
            ):
                assert await code_of(command) == ("stale_position", str(done.after))
        assert end_of(store) == done.after
        assert len(store.branches()) == 1

    asyncio.run(run())


def test_several_at_once(log: Path, store: SqliteStore) -> None:
    """Of those who declare from one position exactly one is first."""

    async def run() -> None:
        here = end_of(store)
        async with writing(log) as ledger:
            told = await asyncio.gather(
                *(say(ledger, f"{n}", here, f"r{n}") for n in range(8)), return_exceptions=True
            )
        won = [one for one in told if isinstance(one, Written)]
        assert len(won) == 1
        assert {one.code for one in told if isinstance(one, Problem)} == {"stale_position"}
        assert len(spoken(store)) == 1

    asyncio.run(run())


@pytest.mark.parametrize("steps", [0, 1, 2, 5])
def test_somebody_goes_away(log: Path, store: SqliteStore, steps: int) -> None:
    """What was asked is done whole or not at all, and asked again it is done once."""

    async def run() -> None:
        here = end_of(store)
        async with writing(log) as ledger:
            task = asyncio.create_task(say(ledger, "Ha!", here))
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            done = await say(ledger, "Ha!", here)
        assert spoken(store) == ["Ha!"]
        assert end_of(store) == done.after

    asyncio.run(run())


def test_another_process_is_faster(log: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look and the commit: that is a stale position too, and the ledger catches up."""
    real = Table.declare

    def interrupted(table: Table, *given: Any, **named: Any) -> Any:
        monkeypatch.setattr(Table, "declare", real)
        with SqliteStore(log, synchronous="NORMAL") as other:
            Table(other).declare(acts.Speak(actor="ogre", words="First!"))
        return table.declare(*given, **named)

    async def run() -> None:
        async with writing(log) as ledger:
            await ledger.begin()
            here = end_of(store)
            monkeypatch.setattr(Table, "declare", interrupted)
            code, now = await code_of(say(ledger, "Ha!", here))
            assert (code, now) == ("stale_position", str(end_of(store)))
            await say(ledger, "Ha!", FeedCursor.read(now))
        assert spoken(store) == ["First!", "Ha!"]

    asyncio.run(run())


def test_a_line_that_was_left(log: Path, store: SqliteStore) -> None:
    """What was declared on it and comes again is not done anew, nor told as if it were on the main line."""

    async def run() -> None:
        async with writing(log) as ledger:
            kept = await say(ledger, "Ha!", end_of(store))
            gone = await say(ledger, "Ho!", kept.after, "r2")
            undo(store)
            now = end_of(store)
            again = await say(ledger, "Ho!", gone.before, "r2")
            assert (again.before, again.after, again.events) == (now, now, ())
            assert "not on what is the main line now" in again.told
            assert await code_of(say(ledger, "He!", now, "r2")) == ("request_reused", str(now))
            shared = await say(ledger, "Ha!", now)
            assert shared.events == kept.events
            assert shared.after == FeedCursor(now.branch, now.epoch, kept.after.seq)
        assert spoken(store) == ["Ha!", "Ho!"]

    asyncio.run(run())


def test_turns_of_the_main_line_again(log: Path, store: SqliteStore) -> None:
    """Undo, fork and promote come again, also after a restart: the main line has changed once for each."""

    async def run() -> None:
        async with writing(log) as ledger:
            done = await say(ledger, "Ha!", end_of(store))
            undone = await ledger.undo(1, done.after, "Ann", "u1")
            assert await ledger.undo(1, done.after, "Ann", "u1") == undone
            forked = await ledger.fork("12", "line", undone.after, "f1")
            said = await say(ledger, "Ho!", undone.after, "r2")
            assert await ledger.fork("12", "line", undone.after, "f1") == forked
            turned = await ledger.promote("line", said.after, "Ann", "p1")
        async with writing(log) as ledger:
            for command in (
                ledger.undo(1, done.after, "Ann", "u1"),
                ledger.promote("line", said.after, "Ann", "p1"),
            ):
                again = await command
                assert again.after == turned.after == end_of(store)
                assert again.told.startswith("done before")
            forked = await ledger.fork("12", "line", turned.after, "f1")
            assert forked.told == "line leaves undo-1 after event 12"
        assert store.epoch() == 2

    asyncio.run(run())


def test_a_dispute_again(log: Path, store: SqliteStore) -> None:
    """It stands in the log once, and its event is told each time."""

    async def run() -> None:
        async with writing(log) as ledger:
            done = await ledger.dispute(5, "no", end_of(store), "Ann", "q1")
            assert [one.type for one in done.events] == ["disputed"]
            assert done.told == "Q1"
            await say(ledger, "Ha!", done.after)
            assert await ledger.dispute(5, "no", done.before, "Ann", "q1") == done
        async with writing(log) as ledger:
            again = await ledger.dispute(5, "no", done.before, "Ann", "q1")
            assert (again.before, again.after, again.events) == (done.before, done.after, done.events)
        assert sum(event.type == "disputed" for event in store.read_all()) == 1

    asyncio.run(run())


def test_dice_thrown_by_people(log: Path, store: SqliteStore) -> None:
    """The fight waits for each of them; nothing else is declared meanwhile; what falls is what they say."""

    async def run() -> None:
        act = acts.Hazard(target="ogre", source="fire", save="ref", dc=12, damage="1d4", damage_type="fire")
        async with writing(log) as ledger:
            assert (await code_of(ledger.choose("3", end_of(store), "Ann", "c0", True)))[0] == "not_waiting"
            at = await ledger.declare(act, end_of(store), "Ann", "h1", True)
            assert at.asked is not None
            assert at.asked.notation
            assert await code_of(say(ledger, "Ha!", at.after)) == ("waiting", str(at.after))
            for number in range(5):
                if at.asked is None:
                    break
                face = "2" if "d4" in at.asked.notation else "3"
                at = await ledger.choose(face, at.after, "Ann", f"c{number + 1}", True)
            assert at.asked is None
            assert (await say(ledger, "Ha!", at.after)).events
        rolled = [decode(event) for event in store.read_all() if event.type == "rolled"]
        by_hand = [one for one in rolled if one.provenance == "physical"]
        assert {one.faces for one in by_hand} == {(3,), (2,)}

    asyncio.run(run())


def test_a_fault_in_the_rules(log: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the command is done, and the next one meets the fight as the log has it."""

    async def run() -> None:
        async with writing(log) as ledger:
            await ledger.begin()
            here = end_of(store)
            real = SqliteStore.append

            def failing(*given: Any, **named: Any) -> Any:
                monkeypatch.setattr(SqliteStore, "append", real)
                raise ZeroDivisionError

            monkeypatch.setattr(SqliteStore, "append", failing)
            with pytest.raises(ZeroDivisionError):
                await say(ledger, "Ha!", here)
            assert end_of(store) == here
            await say(ledger, "Ha!", here)
        assert spoken(store) == ["Ha!"]

    asyncio.run(run())


def test_a_branch_promoted_by_another_process(log: Path, store: SqliteStore) -> None:
    """The ledger goes on along it, from the position of its own."""

    async def run() -> None:
        async with writing(log) as ledger:
            done = await say(ledger, "Ha!", end_of(store))
            store.fork("line", "main", 20)
            promote(store, "line")
            assert await code_of(say(ledger, "Ho!", done.after, "r2")) == (
                "stale_position",
                str(end_of(store)),
            )
            there = await say(ledger, "Ho!", end_of(store), "r2")
            assert (there.after.branch, there.after.epoch) == ("line", 1)

    asyncio.run(run())
