"""Odds by many processes, beside what the machine's cores give to work that shares nothing at all."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from typing import Any

import msgspec

from affray.engine.table.scenario import packaged, set_up
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.replay.chance.odds import odds


def scaling(runs: int) -> dict[str, Any]:
    """Play the packaged fight on so many times, with one process and with one for each core.

    The bare work is a loop of additions in as many processes: what it gains is the most that any work can
    gain on this machine, whose cores may be threads of one.
    """
    jobs = max(2, os.cpu_count() or 1)
    store = MemoryStore()
    set_up(packaged("demo_srd35"), store, seed=b"odds").declare(acts.Begin())
    alone, found = timed(lambda: odds(store, "end", runs=runs, seed="bench"))
    together, again = timed(lambda: odds(store, "end", runs=runs, seed="bench", jobs=jobs))
    assert found == again
    bare_alone, _ = timed(lambda: bare(1))
    bare_together, _ = timed(lambda: bare(jobs))
    return {
        "fights": runs,
        "one process, s": round(alone, 2),
        f"{jobs} processes, s": round(together, 2),
        "times as fast": round(alone / together, 2),
        "bare loops, times as fast": round(jobs * bare_alone / bare_together, 2),
        "odds": sha256(msgspec.json.encode(found)).hexdigest(),
    }


def bare(jobs: int) -> None:
    """Do the same work in each of so many processes, sharing nothing."""
    with ProcessPoolExecutor(jobs) as pool:
        list(pool.map(count, [20_000_000] * jobs))


def count(most: int) -> int:
    """Add up the squares below a number."""
    total = 0
    for number in range(most):
        total += number * number
    return total


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that work took, and what it gave."""
    began = time.perf_counter()
    found = work()
    return time.perf_counter() - began, found
