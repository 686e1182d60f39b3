"""How long something takes, told so that only the work itself counts."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let the collector of garbage wait: one collection of all that the tests hold may take a second."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def seconds(work: Callable[[], object], enough: float, tries: int = 5) -> float:
    """Return the least processor time of this thread that work took, in seconds.

    It is tried again, up to so often, until it takes less than what is enough.
    """
    best = float("inf")
    for _ in range(tries):
        with undisturbed():
            begun = time.thread_time()
            work()
            best = min(best, time.thread_time() - begun)
        if best < enough:
            break
    return best
