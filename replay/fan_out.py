"""The fan-out: work that is the same for many parts, shared among workers, its results in their order."""

import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property, lru_cache
from importlib.util import find_spec
from typing import Any, Generic, TypeVar

from affray.events import oplog
from affray.events.errors import AffrayError
from affray.replay.python_process import SAFE_PATH, environment

Part = TypeVar("Part")
Result = TypeVar("Result")
Value = TypeVar("Value")

RAY = "ray"
"""Where work goes beside the processes of this machine: `ray`, or `ray://HOST:PORT` for a cluster."""
SMALL = 40
"""Fewer parts are not worth a Ray of our own, which takes some four seconds to begin and end."""

LATEST = 8
"""Of what parts have in common a worker keeps so much."""


class Shared(Generic[Value]):
    """What many parts have in common: packed once, unpacked once by each worker, which leaves it as it is.

    What a worker remembers of a value, it knows again in the next part.
    """

    def __init__(self, value: Value) -> None:
        self.value = value

    @cached_property
    def _packed(self) -> bytes:
        return pickle.dumps(self.value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as bytes, which the receiver has seen before or not."""
        return _received, (self._packed,)


@lru_cache(LATEST)
def _received(packed: bytes) -> Shared[Any]:
    return Shared(pickle.loads(packed))


def fan_out(
    work: Callable[[Part], Result], parts: Sequence[Part], *, jobs: int = 1, on: str = ""
) -> Iterator[Result]:
    """Yield what `work` makes of each part, in the order of the parts, whoever works it out.

    `work` is a function of a module, and depends on nothing but its part: then the results are the same
    however many workers (`jobs`) share the work, whatever of them fails, and wherever they are: processes of
    this machine, or Ray with `on` (see `RAY`; a cluster has its own number of workers). One job, or one part,
    is worked out here; what is too small for a Ray of our own goes to processes, which is told.

    Raises AffrayError for fewer than one job and for a place that is none, and whatever `work` raises.
    """
    if jobs < 1:
        raise AffrayError("this needs one job at least")
    if on and _is_worth(on, len(parts)):
        yield from _on_ray(work, parts, jobs, on)
    elif jobs == 1 or len(parts) < 2:
        yield from map(work, parts)
    else:
        with environment(SAFE_PATH), ProcessPoolExecutor(jobs, initializer=_unheard) as pool:
            yield from pool.map(work, parts)


def _is_worth(on: str, parts: int) -> bool:
    scheme, _, host = on.partition("://")
    if scheme != RAY or (not host and on != RAY):
        raise AffrayError(f"work goes to processes, to {RAY} or to {RAY}://HOST:PORT, not to {on!r}")
    if host or parts >= SMALL:
        return True
    oplog.warning("work.small", parts=parts, needed=SMALL)
    return False


def _on_ray(work: Callable[[Part], Result], parts: Sequence[Part], jobs: int, on: str) -> Iterator[Result]:
    if find_spec("ray") is None:
        raise AffrayError("work on Ray needs the extra ray: pip install 'affray[ray]'")
    from affray.replay.on_ray import cluster, own, shared

    with own(jobs) if on == RAY else cluster(on) as workers:
        yield from shared(work, parts, workers)


def _unheard() -> None:
    """Leave an interrupt from the terminal to the process that shares the work out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
