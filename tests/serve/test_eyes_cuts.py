"""A fight that goes on: what is told live, late, in pages and as a state agrees, wherever it is cut."""

import random
from typing import Any

import msgspec
import pytest

from affray.engine.table import policies
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.replay.privacy.audience import GAME_MASTER, Audience, Key
from affray.replay.serve.feed import Look
from affray.replay.serve.messages import CloudEvent, FeedCursor, encode_sse, end_of
from affray.replay.serve.read_model import Looking
from affray.replay.serve.visibility import Counting, source_of
from tests.house.fights import DIALECTS, opened, play_wildly
from tests.relatives import RELATIVES
from tests.serve.haunted import GHOST, bring
from tests.serve.looks import told_of
from tests.serve.many import seeds

pytestmark = pytest.mark.slow


class Watched(MemoryStore):
    """A log that is looked at after every commit, as the feed does it."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[Key] = []
        self.look = Look(Counting())
        self.told: dict[Key, list[CloudEvent]] = {}
        self.ends: list[int] = []

    def append(self, *command: Any, **more: Any) -> Any:
        """Append, and tell it to everybody."""
        found = super().append(*command, **more)
        self.look.source = source_of(self)
        while self.keys and (batch := self.look.new(self, self.keys)) is not None:  # type: ignore[arg-type]
            for key, told in batch[1].told.items():
                self.told.setdefault(key, []).extend(told)
            self.ends.append(batch[1].to.seq)
        return found


def watched(dialect: str, seed: int, turns: int = 30) -> Watched:
    """Return the log of a fight in which questions wait for an answer, watched from its first event on."""
    store = Watched()
    table = opened(dialect, store, seed)
    table.use(answers=policies.ask)
    dice = random.Random(f"{dialect} {seed}")
    ids = [*table.state.combatants]
    bring(table, dice.choice(ids))
    sides = {one.id: one.side for one in table.state.combatants.values()}
    people = [GAME_MASTER, Audience(frozenset())]
    for id in (ids[0], ids[-1]):
        for hide in (frozenset[str](), frozenset({GHOST})):
            people.append(Audience(frozenset({sides[id]}), frozenset({id}), hide))
    store.keys = [Key(who, frames) for who in people for frames in (False, True)]
    table.declare(acts.Begin())
    play_wildly(table, dice, turns)
    return store


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", seeds(1))
def test_live_and_late(dialect: str, seed: int) -> None:
    """Whoever comes later, at whatever event, is told what those were told who were there."""
    store = watched(dialect, seed)
    last = store.head("main").seq
    assert len(store.ends) > 25
    dice = random.Random(seed)
    for key in store.keys:
        live = b"".join(map(encode_sse, store.told[key]))
        assert live == b"".join(map(encode_sse, told_of(store, key.audience, frames=key.frames)))
        marks = Looking(key.audience).marks
        told = marks.told(store, FeedCursor("main", 0, last)).seq
        assert told == last or not key.audience.all_seeing
        for after in {*dice.sample(range(last), 12), *dice.sample(store.ends, 6)}:
            late = told_of(store, key.audience, frames=key.frames, after=after)
            before = marks.told(store, FeedCursor("main", 0, after)).seq
            assert [one.data.seq for one in late] == [*range(before + 1, told + 1)]
            for now, then in zip(late, store.told[key][before:], strict=True):
                assert encode_sse(now) == encode_sse(then), (key, after, now, then)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_pages_of_any_length(dialect: str) -> None:
    """Put together they are the feed."""
    store = watched(dialect, 2)
    for key in store.keys:
        if key.frames:
            continue
        for limit in (3, 1000):
            place, found, more = FeedCursor("main", 0, 0), list[bytes](), True
            while more:
                page = Looking(key.audience).events(store, place, limit)
                found += map(encode_sse, page.events)
                place, more = FeedCursor.read(page.position), page.more
                assert len(page.events) <= limit
            assert found == [encode_sse(one) for one in store.told[key]]
            assert place == Looking(key.audience).marks.told(store, end_of(store))


def folded(lines: list[Any], upto: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return how the fight stands after an event by what frames say has changed."""
    encounter: dict[str, Any] = {}
    people: dict[str, dict[str, Any]] = {}
    for frame in lines[:upto]:
        change = (frame[2] if len(frame) > 2 else None) or {}
        encounter.update(change.get("g", {}))
        for id, fields in change.get("c", {}).items():
            people.setdefault(id, {}).update(fields)
    return encounter, people


@pytest.mark.parametrize("dialect", RELATIVES)
def test_page_and_state(dialect: str) -> None:
    """The page tells what the feed tells, and what its frames say has changed comes to the state there."""
    store = watched(dialect, 3)
    for key in store.keys:
        if not key.frames:
            continue
        looking = Looking(key.audience)
        (line,) = (msgspec.json.decode(one) for one in looking.page(store).lines)
        plain = store.told[Key(key.audience, False)]
        assert line["events"] == [msgspec.json.decode(msgspec.json.encode(one.data)) for one in plain]
        framed = [msgspec.json.decode(msgspec.json.encode(one.data))["frame"] for one in store.told[key]]
        # The page of the game master shows other lines too, and knows from the beginning who enters on any.
        assert line["frames"] == framed or key.audience.all_seeing
        for text, chain, _, sight, *_ in framed:
            assert text or not chain
            assert all(0 < one <= len(framed) for one in chain)
            assert sight is None or not key.audience.hide
        for seq in {*range(1, len(framed), 9), len(framed)}:
            state = msgspec.json.decode(msgspec.json.encode(looking.state(store, str(seq))))
            encounter, people = folded(framed, seq)
            assert encounter == state["encounter"], seq
            assert people.keys() == state["combatants"].keys()
            for id, view in state["combatants"].items():
                people[id].pop("threat")
                view.pop("threat")
                assert people[id] == view, (key, seq, id)
