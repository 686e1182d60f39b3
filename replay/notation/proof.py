"""A fight that begins with a text is a log that verifies, or the line is named that does not."""

from collections.abc import Mapping, Sequence

from affray.engine.notation.tokens import NotationError
from affray.events.envelope import Branch, Event
from affray.events.memory import MemoryStore
from affray.replay.notation.plays import Play
from affray.replay.verification import verify


def check_proof(
    plays: Mapping[str, Play],
    branches: Sequence[Branch],
    events: Sequence[Event],
    secrets: Mapping[str, bytes],
) -> None:
    """Raise NotationError at the first line of which nobody could verify what it says."""
    store = MemoryStore()
    for name, value in secrets.items():
        store.keep_secret(name, value)
    store.restore(branches, iter(events))
    found = [check.problem for check in verify(store).checks if check.problem is not None]
    if found:
        first = min(found, key=lambda one: plays[one.stream].place_of(one.seq))
        line, column = plays[first.stream].place_of(first.seq)
        told = f": recorded {first.recorded}, found {first.found}" if first.found else ""
        raise NotationError(line, column, f"what can be verified, but {first.what}{told}")
