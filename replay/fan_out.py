"""The fan-out: work that is the same for many parts, shared among processes, its results in their order."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from affray.events.errors import AffrayError

Part = TypeVar("Part")
Result = TypeVar("Result")


def fan_out(work: Callable[[Part], Result], parts: Sequence[Part], *, jobs: int = 1) -> Iterator[Result]:
    """Yield what `work` makes of each part, in the order of the parts, whoever works it out.

    `work` is a function of a module, and depends on nothing but its part: then the results are the same
    however many processes (`jobs`) share the work. One process, or one part, is worked out here. Raises
    AffrayError for fewer than one job, and whatever `work` raises.
    """
    if jobs < 1:
        raise AffrayError("this needs one job at least")
    if jobs == 1 or len(parts) < 2:
        yield from map(work, parts)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(work, parts)
