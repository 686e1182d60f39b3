"""A page of thousands of branches: each is read once, and nothing is folded twice."""

import pytest

from affray.engine.table.scenario import packaged, play
from affray.events.codec import entry
from affray.events.facts.flow import Ruled
from affray.events.stores.memory import MemoryStore
from affray.replay.chance.luck import luck
from affray.replay.difference import diff
from affray.replay.log.branches import branches
from affray.replay.log.playhead import state_at
from affray.replay.viewer.frames import frames
from tests.timing import seconds


def branched(count: int, shape: str) -> MemoryStore:
    """Return a fight that many branches leave: near its end, in a chain, or with nothing of their own."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    head = store.head("main").seq
    for number in range(count):
        name = f"b{number}"
        parent = f"b{number - 1}" if number and shape == "chain" else "main"
        at = store.head(parent).seq if shape == "chain" else head - number % 20
        store.fork(name, parent, at)
        if shape != "bare":
            state = state_at(store, name, at)
            ruled = entry(Ruled("gm", "upheld", name), state.round, state.turn, "", at + 1)
            store.append(name, [ruled], at)
    return store


@pytest.mark.parametrize("shape", ["chain", "flat", "bare"])
def test_it_tells_what_each_branch_tells_alone(shape: str) -> None:
    """Luck and difference are those that are found for one branch by itself."""
    store = branched(12, shape)
    shown = {one.name: one for one in frames(store, "main").lines}
    for branch in store.branches():
        assert shown[branch.name].luck == luck(store, branch.name)
        if branch.parent:
            assert bool(shown[branch.name].parted) == bool(diff(store, branch.parent, branch.name).sentence)


@pytest.mark.parametrize("shape", ["chain", "flat", "bare"])
def test_it_takes_as_much_again_for_each_branch(shape: str) -> None:
    """Four times as many branches take about four times as long, not sixteen times."""
    few, many = branched(50, shape), branched(200, shape)
    allowed = 9 * seconds(lambda: told(few), 0, tries=2)
    assert seconds(lambda: told(many), allowed) < allowed


def told(store: MemoryStore) -> None:
    """Work out what a page and a list tell of all branches."""
    frames(store, "main")
    branches(store)
