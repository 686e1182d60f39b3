"""The feed through every constellation of branches: what a client holds is what the main line holds."""

import asyncio
import random
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affray.events import MemoryStore, SqliteStore
from affray.events.codec import entry
from affray.events.errors import AffrayError
from affray.events.facts.flow import Disputed
from affray.events.stores.store import Store
from affray.replay.log.branches import promote
from affray.replay.serve import feed
from affray.replay.serve.access import Access
from affray.replay.serve.messages import BadPlace, FeedCursor, end_of, rebased
from affray.replay.undo import redo, undo
from tests.serve.following import Client, feeding, fight, line

MOVES = ("grow", "grow", "grow elsewhere", "fork", "promote", "undo", "redo")
SOME = st.lists(st.tuples(st.sampled_from(MOVES), st.integers(0, 999), st.integers(0, 999)), max_size=12)


def move(store: Store, kind: str, one: int, other: int) -> None:
    """Let something happen to the branches of a log."""
    names = [branch.name for branch in store.branches()]
    branch = store.main_line() if kind == "grow" else names[one % len(names)]
    if kind in ("grow", "grow elsewhere"):
        head = store.head(branch).seq
        facts = [Disputed(f"Q{head}", "somebody", f"claim {n}", 1) for n in range(1 + other % 3)]
        made = [entry(fact, 0, 0, "", head + n) for n, fact in enumerate(facts, 1)]
        store.append(branch, made, head)
    elif kind == "fork":
        store.fork(f"line-{len(names)}", branch, other % (store.head(branch).seq + 1))
    else:
        try:
            if kind == "promote":
                promote(store, branch)
            else:
                undo(store) if kind == "undo" else redo(store)
        except AffrayError:
            pass  # nothing to undo, nothing to bring again


@settings(max_examples=150, deadline=None)
@given(SOME, SOME)
def test_the_common_ancestor(before: list[tuple[str, int, int]], after: list[tuple[str, int, int]]) -> None:
    """It is the last event that both lines share, by the events themselves, up to where somebody was."""
    store = MemoryStore()
    move(store, "grow", 0, 2)
    for one in before:
        move(store, *one)
    was = end_of(store)
    for one in after:
        move(store, *one)
    now = end_of(store)
    for seq in {0, 1, was.seq // 2, was.seq}:
        if seq > was.seq:
            continue
        found = rebased(store, FeedCursor(was.branch, was.epoch, seq), now)
        old, new = line(store, was.branch, seq), line(store, now.branch)
        shared = len(in_common(old, new))
        assert found == FeedCursor(now.branch, now.epoch, shared)
        assert rebased(store, found, now) == found


def in_common(old: list[str], new: list[str]) -> list[str]:
    """Return what two lines have in common at their beginning."""
    shared = []
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        shared.append(one)
    return shared


@pytest.mark.parametrize(
    "text",
    ["main:0:6", "main:1:2", "else:0:2", "main:3:0", "main", "main:0", ":0:1", "main:-1:2", "main:0:²"],
)
def test_a_position_of_another_log(text: str) -> None:
    """It is refused, and never taken for one of this log."""
    store = MemoryStore()
    for _ in range(5):
        move(store, "grow", 0, 0)
    store.fork("line", "main", 2)
    with pytest.raises(BadPlace):
        rebased(store, FeedCursor.read(text), end_of(store))


def test_a_line_that_was_never_the_main_one() -> None:
    """Nobody finds out by asking what branches there are."""
    store = MemoryStore()
    for _ in range(5):
        move(store, "grow", 0, 0)
    store.fork("secret", "main", 2)
    store.fork("open", "main", 3)
    promote(store, "open")
    said = set()
    for name in ("secret", "nothing", "open"):
        with pytest.raises(BadPlace) as raised:
            rebased(store, FeedCursor(name, 0, 1), end_of(store))
        said.add(str(raised.value).replace(name, "NAME", 1))
    assert len(said) == 1
    assert rebased(store, FeedCursor("main", 0, 5), end_of(store)) == FeedCursor("open", 1, 3)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of a fight that has begun."""
    log = tmp_path_factory.mktemp("turns") / "fight.db"
    fight(log)
    return log


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SOME, st.integers(0, 10_000))
def test_followers_hold_the_main_line(
    begun: Path, tmp_path: Path, moves: list[tuple[str, int, int]], seed: int
) -> None:
    """One follows all the time, one now and then, one at the end only; the feed begins anew at times."""
    log = tmp_path / f"{seed}.db"
    for suffix in ("", "-secrets"):
        shutil.copy(f"{begun}{suffix}", f"{log}{suffix}")
    asyncio.run(followed(log, moves, random.Random(seed)))


async def followed(log: Path, moves: list[tuple[str, int, int]], dice: random.Random) -> None:
    """Let the moves happen while clients follow."""
    access = Access.open(log)
    master = access.guests[0]
    with SqliteStore(log, synchronous="NORMAL") as store:
        steady, restless, last = (Client(store, master) for _ in range(3))
        left = list(moves)
        while left or not steady.is_at_the_end():
            async with feeding(log, access) as feed:
                for _ in range(dice.randint(1, 6)):
                    if left:
                        move(store, *left.pop(0))
                    if dice.random() < 0.5:
                        await steady.follow(feed, end_of(store), frames=dice.random() < 0.3)
                    if dice.random() < 0.2:
                        await restless.follow(feed, end_of(store))
                await steady.follow(feed, end_of(store))
        async with feeding(log, access) as feed:
            for one in (steady, restless, last):
                await one.follow(feed, end_of(store))
                assert one.is_at_the_end()


def test_with_hardly_a_batch_at_hand(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is not at the end is told from the log, which comes to the same."""
    monkeypatch.setattr(feed, "MOST_BATCHES", 1)
    for seed in range(4):
        dice = random.Random(seed)
        log = tmp_path / f"{seed}.db"
        for suffix in ("", "-secrets"):
            shutil.copy(f"{begun}{suffix}", f"{log}{suffix}")
        moves = [(dice.choice(MOVES), dice.randrange(999), dice.randrange(999)) for _ in range(15)]
        asyncio.run(followed(log, moves, dice))
