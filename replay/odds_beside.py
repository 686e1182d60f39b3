"""How likely every outcome of a log was: for showing the odds beside the dice."""

from collections.abc import Callable, Iterator

from affray.events.store import Store
from affray.projections.fold import fold
from affray.projections.state import duplicate
from affray.replay.chances import Chance, chances, percent
from affray.replay.drawn_chances import Beside
from affray.replay.groups import groups
from affray.replay.playhead import state_at


def odds_beside(store: Store, passed: Callable[[int], object] = lambda seq: None) -> dict[str, list[Beside]]:
    """Return the odds of what dice decided, by branch, each line's own events alone.

    Every face of every die at stake is put to the rules of today: some milliseconds a declaration. `passed`
    is told the number of events gone through.
    """
    found: dict[str, list[Beside]] = {}
    count = 0
    for branch in store.branches():
        beside = found.setdefault(branch.name, [])
        state = state_at(store, branch.name, branch.at)
        for group in groups(store.read(branch.name, after=branch.at)):
            if any(event.type == "rolled" for event in group) and group[0].type == "declared":
                seqs = [event.seq for event in group]
                beside += _beside(chances(store, branch.name, seqs, before=duplicate(state)))
            fold(group, state)
            count += len(group)
            passed(count)
    return found


def _beside(some: list[Chance]) -> Iterator[Beside]:
    for one in some:
        yield Beside(one.seq, one.key, f"{one.outcome}: {percent(one.fraction)}")
