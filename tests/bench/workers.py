"""What workers gain: odds by processes and on Ray, one worker against two, and on paper by a thousand.

`python tests/bench/workers.py [FIGHTS]` from a checkout with the extra ray, on a machine that does nothing
else, or the load that it prints is in all figures.

The serial share is what the process that hands out has to do itself: so much a part, whatever is in it (the
clock, for parts that do nothing), and so much a fight, to take its result in (processor time).
"""

import math
import os
import pickle
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from affray.engine.table.scenario import packaged, set_up
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.replay.chance.odds import Odds, Run, odds, wilson
from affray.replay.workers import fan_out, own

TIMES = 5
PART = 25
"""Fights in a part, as odds hands them out."""


def nothing(part: bytes) -> bytes:
    """Work that takes no time: what is left is the cost of handing it out."""
    return b"x" * 200


def seconds(*works: Callable[[], Any]) -> list[float]:
    """Return the shortest of some times of each, by the clock, in turn: what else is busy befalls all."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(TIMES):
        for work, times in zip(works, found, strict=True):
            began = time.perf_counter()
            work()
            times.append(time.perf_counter() - began)
    return [min(times) for times in found]


def main(fights: int) -> None:
    """Print a table."""
    store = MemoryStore()
    table = set_up(packaged("demo_srd35"), store, seed=b"odds")
    table.declare(acts.Begin())
    before = os.getloadavg()[0]
    print(f"{fights} fights of the packaged fight, {os.cpu_count()} cores, load before {before:.1f}")
    parts = [pickle.dumps(table.state)] * (fights // PART)

    def play(jobs: int, on: str = "") -> Odds:
        return odds(store, "end", runs=fights, seed="bench", jobs=jobs, on=on)

    def handing_out(on: str = "") -> float:
        """Return the seconds that a part costs which does nothing."""
        return seconds(lambda: list(fan_out(nothing, parts * 4, jobs=2, on=on)))[0] / len(parts) / 4

    alone, two = seconds(partial(play, 1), partial(play, 2))
    rate = fights / alone
    print(f"here, in one process: {alone:6.2f} s, {rate:.0f} fights a second, {3600 * rate:,.0f} an hour")
    print(f"two processes, their start included: {two:6.2f} s, efficiency {alone / (2 * two):.2f}")
    each = {"processes": handing_out()}
    taken = {}
    for jobs in (1, 2):
        began = time.perf_counter()
        with own(jobs):
            began_in = time.perf_counter() - began
            odds(store, "end", runs=50 * PART, seed="warm", jobs=jobs, on="ray")
            taken[jobs] = seconds(partial(play, jobs, "ray"))[0]
            each["ray"] = handing_out("ray")
    print(f"Ray, one {taken[1]:6.2f} s, two {taken[2]:6.2f} s, efficiency {taken[1] / (2 * taken[2]):.2f}")
    taking = taken_in(fights)
    print(f"a Ray of our own begins in {began_in:.1f} s")
    for on, cost in each.items():
        print(f"{on:<10} a part that does nothing costs {1000 * cost:.2f} ms")
    print(f"the result of a fight is taken in in {1e6 * taking:.1f} us; load after {os.getloadavg()[0]:.1f}")
    on_paper(taken[1] / fights, each["ray"], taking)


def taken_in(fights: int) -> float:
    """Return the seconds in which the result of one fight is unpacked and counted."""
    run = Run("heroes", ("ysolde", "brannoc", "gharm"), 5)
    packed = pickle.dumps([run] * PART)
    began = time.process_time()
    for _ in range(fights // PART):
        done = pickle.loads(packed)
        wilson(sum(one.won == "heroes" for one in done), len(done))
        for id in run.alive:
            wilson(sum(id in one.alive for one in done), len(done))
    return (time.process_time() - began) / fights


def on_paper(fight: float, each: float, taking: float) -> None:
    """Print what 1,000 cores would do: if sharing out takes `each` a part, `taking` a fight."""
    for size in (PART, 40 * PART):
        most = fight / (each / size + taking)
        print(f"on paper, parts of {size}: no more than {most:.0f} cores are kept busy")
        for wanted in (100_000, 10_000_000):
            parts = math.ceil(wanted / size)
            shared = max(parts * each + wanted * taking, math.ceil(parts / 1000) * size * fight)
            print(
                f"on paper, 1,000 cores, parts of {size}: {wanted:,} fights in {shared:.1f} s, "
                f"{wanted * fight / shared:.0f} times as fast as one core"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
