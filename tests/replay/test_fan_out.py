"""The fan-out: what many parts have in common reaches a worker once."""

import pickle
from typing import Any

from affray.replay.workers import Shared, fan_out


def of_shared(part: tuple[Shared[list[int]], int]) -> tuple[int, int]:
    """Return which object a worker sees, and what it says."""
    shared, at = part
    return id(shared.value), shared.value[at]


def test_a_worker_sees_what_is_shared_as_one_object() -> None:
    """A part travels alone, as from one process to another: the value is the same object all the same."""
    said = [31, 41, 59]
    parts = [pickle.dumps((Shared(said), at)) for at in range(3)]
    seen = [of_shared(pickle.loads(part)) for part in parts]
    assert len({one for one, _ in seen}) == 1
    assert [what for _, what in seen] == said
    assert {one for one, _ in seen} != {id(said)}


def test_two_values_stay_two() -> None:
    """What differs is told apart, however many there are."""
    values: list[dict[str, Any]] = [{"n": n} for n in range(40)]
    assert [pickle.loads(pickle.dumps(Shared(value))).value for value in values] == values


def test_workers_share_a_value() -> None:
    """Two processes unpack it once each, and the results come in the order of the parts."""
    shared = Shared([n * n for n in range(60)])
    found = list(fan_out(of_shared, [(shared, at) for at in range(60)], jobs=2))
    assert [what for _, what in found] == [n * n for n in range(60)]
    assert len({one for one, _ in found}) <= 2
