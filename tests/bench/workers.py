"""What workers gain: odds by processes and on Ray, one worker against two, and on paper by a thousand.

`python tests/bench/workers.py [FIGHTS]` from a checkout with the extra ray.
"""

import math
import os
import pickle
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from affray.engine.table.scenario import packaged, set_up
from affray.events.facts import acts
from affray.events.memory import MemoryStore
from affray.replay.fan_out import fan_out
from affray.replay.odds import odds
from affray.replay.on_ray import own

TIMES = 3
PART = 25
"""Fights in a part, as odds hands them out."""


def nothing(part: bytes) -> bytes:
    """Work that takes no time: what is left is the cost of handing it out."""
    return b"x" * 200


def seconds(work: Callable[[], Any]) -> float:
    """Return the shortest of some times, by the clock."""
    found = []
    for _ in range(TIMES):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found)


def main(fights: int) -> None:
    """Print a table."""
    store = MemoryStore()
    table = set_up(packaged("demo_srd35"), store, seed=b"odds")
    table.declare(acts.Begin())
    print(f"{fights} fights of the packaged fight, {os.cpu_count()} cores")
    parts = [pickle.dumps(table.state)] * (fights // PART)
    taken: dict[tuple[str, int], float] = {}
    began_in = each = 0.0
    for on in ("", "ray"):
        for jobs in (1, 2):
            with ExitStack() as held:
                if on:
                    began = time.perf_counter()
                    held.enter_context(own(jobs))
                    began_in = time.perf_counter() - began
                odds(store, "end", runs=50 * PART, seed="warm", jobs=jobs, on=on)
                play = lambda: odds(store, "end", runs=fights, seed="bench", jobs=jobs, on=on)  # noqa: B023, E731
                taken[on, jobs] = seconds(play)
                if on and jobs == 2:
                    each = (
                        seconds(lambda: list(fan_out(nothing, parts * 4, jobs=2, on="ray"))) / len(parts) / 4
                    )
        one, two = taken[on, 1], taken[on, 2]
        print(f"{on or 'processes':<10} one {one:6.2f} s, two {two:6.2f} s, efficiency {one / (2 * two):.2f}")
    print(f"a Ray of our own begins in {began_in:.1f} s; a part that does nothing costs {1000 * each:.2f} ms")
    on_paper(taken["ray", 1] / fights, each)


def on_paper(fight: float, each: float) -> None:
    """Print what 1,000 cores would do: the process that shares out is busy for `each` a part."""
    for size in (PART, 40 * PART):
        for wanted in (100_000, 10_000_000):
            parts = math.ceil(wanted / size)
            shared = max(parts * each, math.ceil(parts / 1000) * size * fight)
            print(
                f"on paper, 1,000 cores, parts of {size}: {wanted:,} fights in {shared:.1f} s, "
                f"{wanted * fight / shared:.0f} times as fast as one core"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
