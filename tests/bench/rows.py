"""Rows: how long a folder of logs with so many events takes to become Parquet, and a rows file.

    python -m tests.bench.rows [EVENTS] [JOBS]

Logs of a quarter of a million events each, the arena's rounds told again and again under different names, are
written first; then the clock runs over reading them, making the rows and writing the files, all included.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from affray.events import MemoryStore, SqliteStore
from affray.events.envelope import Encoded, Event
from affray.replay.rows.dataset import make_dataset
from affray.replay.rows.rows_file import make_rows_file
from affray.replay.rows.source import sources
from tests.bench.arena import opened, round_of
from tests.bench.logs import entry_of

ROUNDS = 60
MOST = 250_000
"""Events of one log."""


def written(path: Path, events: list[Event], length: int) -> None:
    """Write a log of so many events, the name of its encounter that of its file."""
    first = next(event.seq for event in events if event.type == "round.ended")
    last = max(event.seq for event in events if event.type == "round.ended")
    begun = [entry_of(event) for event in events[:first]]
    opening = begun[0]
    data = opening.data.replace(b'"name":"', b'"name":"' + path.stem.encode(), 1)
    place = (opening.round, opening.turn, opening.actor, opening.cause)
    begun[0] = Encoded(opening.type, opening.version, *place, data)
    with SqliteStore(path, synchronous="NORMAL") as store:
        head = len(store.append("main", begun, 0))
        while head < length:
            moved = head - first
            again = [
                Encoded(e.type, e.version, e.round, e.turn, e.actor, e.cause + moved, e.data)
                for e in events[first:last]
            ]
            head += len(store.append("main", again, head))


def measured(work: Callable[[], Any], events: int) -> str:
    """Return what a piece of work took by the clock and of all processors, for each event too."""
    began, before = time.perf_counter(), spent()
    work()
    took, busy = time.perf_counter() - began, spent() - before
    each = f"{took / events * 1e6:.1f} microseconds an event"
    return f"{took:.1f} s, {each}; {busy:.1f} s of processor time"


def spent() -> float:
    """Return the seconds of processor time of this process and those that it began."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def main(length: int, jobs: int) -> None:
    """Print what each medium takes."""
    store = MemoryStore()
    table = opened(store)
    for _ in range(ROUNDS):
        for act in round_of(table):
            table.declare(act)
    events = list(store.read("main"))
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder) / "logs"
        logs.mkdir()
        for number in range(-(-length // MOST)):
            written(logs / f"log{number}.db", events, min(MOST, length))
        found = sources([logs]).logs
        count = sum(one.events for one in found)
        print(f"{count} events in {len(found)} logs")
        for many in sorted({1, jobs}):
            out = Path(folder) / f"rows{many}"
            told = measured(lambda out=out, many=many: make_dataset(out, found, jobs=many), count)
            print(f"Parquet, {many} at work: {told}")
        print("SQLite:", measured(lambda: make_rows_file(Path(folder) / "x.rows.db", found), count))
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB")


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["1000000"])[0]), int((sys.argv[2:] or ["2"])[0]))
