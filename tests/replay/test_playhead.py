"""The playhead: forwards and backwards through a fight."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import freeze
from affray.projections.timeline import BadPosition
from affray.replay.log import playhead
from affray.replay.log.playhead import Playhead, state_at
from tests.replay.fights import fought

STORE = fought(rounds=6).store
STATES = [freeze(fold(STORE.read("main", 0, seq))) for seq in range(STORE.head("main").seq + 1)]
LAST = len(STATES) - 1
MOVES: dict[str, Callable[[Playhead], bool]] = {
    "step": Playhead.step,
    "back": Playhead.back,
    "next_turn": Playhead.next_turn,
    "previous_turn": Playhead.previous_turn,
    "next_round": Playhead.next_round,
    "previous_round": Playhead.previous_round,
}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.integers(0, LAST), st.sampled_from(sorted(MOVES))), max_size=12))
def test_any_walk_shows_what_folding_forward_gives(walk: list[int | str]) -> None:
    """Wherever seeking, stepping and going back lead, the state is that of the events up to there."""
    head = Playhead(STORE)
    for move in walk:
        before = head.seq
        if isinstance(move, int):
            head.seek(move)
        elif not MOVES[move](head):
            assert head.seq == before
        assert freeze(head.state) == STATES[head.seq]
        assert (head.event.seq if head.event else 0) == head.seq


def test_back_undoes_every_step() -> None:
    """From the end to the beginning, one event at a time, each state is the one from before."""
    head = Playhead(STORE)
    head.seek("end")
    while head.back():
        assert freeze(head.state) == STATES[head.seq]
    assert head.seq == 0
    assert not head.back()


def test_turns_and_rounds_are_where_they_begin() -> None:
    """Going by turns and rounds stands behind the event that begins them, in order, and ends."""
    head = Playhead(STORE)
    seen = []
    while head.next_round():
        assert head.event is not None
        assert head.event.type == "round.began"
        seen.append(head.state.round)
    assert seen == list(range(1, len(seen) + 1))
    assert head.next_turn()
    turn = head.seq
    assert head.state.turn == 1
    assert head.step()
    assert head.previous_turn()
    assert head.seq == turn
    assert head.previous_round()
    assert head.event is not None
    assert head.event.type == "round.began"


def test_a_position_outside_the_line_moves_nothing() -> None:
    """Seeking beyond the end is an error in one line and leaves the playhead where it is."""
    head = Playhead(STORE)
    head.seek(5)
    with pytest.raises(BadPosition, match=f"'main' goes from 1 to {LAST}"):
        head.seek(LAST + 1)
    with pytest.raises(BadPosition):
        state_at(STORE, "main", -1)
    assert head.seq == 5


class Counting:
    """A store that counts the events it hands out."""

    def __init__(self, store: Store) -> None:
        self.store, self.count = store, 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.store, name)

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> object:
        """Yield the events and count them."""
        for event in self.store.read(stream, after, upto):
            self.count += 1
            yield event


def copied(store: Store, into: Store) -> Store:
    """Return `into` with everything of `store` in it."""
    into.restore(store.branches(), store.read_all())
    return into


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_position_costs_its_distance_to_a_checkpoint(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look at the end leaves checkpoints; the next one reads only what follows the last."""
    monkeypatch.setattr(playhead, "SPACING", 20)
    empty: Store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / "log.db")
    with copied(STORE, empty) as store:
        counting = Counting(store)
        assert freeze(state_at(counting, "main", LAST)) == STATES[LAST]  # type: ignore[arg-type]
        assert counting.count == LAST
        counting.count = 0
        for seq in (LAST, LAST - 1, LAST // 2, 30, 1, 0):
            assert freeze(state_at(counting, "main", seq)) == STATES[seq]  # type: ignore[arg-type]
        assert counting.count < 6 * 4 * 20 + 1
        assert counting.count < LAST * 2


def test_a_checkpoint_keeps_the_order_of_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules look at combatants in order of entry, so a state from a checkpoint has that order too."""
    monkeypatch.setattr(playhead, "SPACING", 10)
    store = copied(STORE, MemoryStore())
    plain = list(state_at(store, "main", LAST).combatants)
    again = list(state_at(store, "main", LAST).combatants)
    assert store.checkpoint("main", playhead.PROJECTION, playhead.version(), LAST) is not None
    assert plain == again == ["fighter", "rogue", "ogre", "goblin"]


def test_a_log_that_cannot_be_written_is_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only store gets no checkpoints and no error."""
    monkeypatch.setattr(playhead, "SPACING", 10)
    copied(STORE, SqliteStore(tmp_path / "log.db")).close()
    with SqliteStore(tmp_path / "log.db", readonly=True) as store:
        assert freeze(state_at(store, "main", LAST)) == STATES[LAST]
        assert store.checkpoint("main", playhead.PROJECTION, playhead.version(), LAST) is None


def test_a_damaged_checkpoint_is_only_a_miss() -> None:
    """Bytes that are no state are ignored: the events still tell."""
    store = copied(STORE, MemoryStore())
    event = next(iter(store.read("main", LAST - 1)))
    store.save_checkpoint("main", playhead.PROJECTION, playhead.version(), LAST, event.digest, b"{}x")
    assert freeze(state_at(store, "main", LAST)) == STATES[LAST]
