"""The log: folding, verifying, durable appending, seeking, forking, and what a rebuild costs elsewhere."""

import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from affray.events import MemoryStore, SqliteStore
from affray.events.chain import verified
from affray.events.codec import FACTS
from affray.events.envelope import Encoded, Event
from affray.events.stores.sql_rows import INSERT, encoded
from affray.projections.fold import fold
from affray.projections.state import digest
from affray.replay.log.playhead import PROJECTION, Playhead, version
from affray.replay.workers import PYTHON
from tests.bench.arena import opened, round_of
from tests.bench.rivals import measured

TIMES = 5

DISTANCES = (1, 500, 1000, 1500)
"""Events after a checkpoint."""


def best(work: Callable[[], Any], times: int = TIMES) -> float:
    """Return the seconds of the fastest of several runs."""
    fastest = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        work()
        fastest = min(fastest, time.perf_counter() - began)
    return fastest


def folding(store: MemoryStore) -> dict[str, Any]:
    """Fold stored bytes and set that against what msgspec alone takes to decode every one of them."""
    events = list(store.read("main"))
    decode = msgspec.json.Decoder(_union()).decode
    every = len(events) / best(lambda: [None for event in events if decode(event.data) is None])
    whole = len(events) / best(lambda: fold(events))
    chain = len(events) / best(lambda: sum(1 for _ in verified(events)))
    return {
        "events": len(events),
        "fold events/s": round(whole),
        "msgspec alone, every event/s": round(every),
        "fold to msgspec": round(whole / every, 2),
        "chain verified events/s": round(chain),
        "state": digest(fold(events)),
    }


def _union() -> Any:
    from typing import Union

    return Union[FACTS]  # noqa: UP007


def rebuilding(store: MemoryStore) -> dict[str, Any]:
    """Rebuild from SQLite, here and by `eventsourcing` on the same facts."""
    events = list(store.read("main", upto=5000))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "facts.db"
        with SqliteStore(path, synchronous="NORMAL") as filed:
            filed.append("main", [entry_of(event) for event in events], 0)
            mine = len(events) / best(lambda: fold(filed.read("main")))
            checked = len(events) / best(lambda: fold(verified(filed.read("main"))))
            state = digest(fold(filed.read("main")))
        facts = Path(folder) / "facts.jsonl"
        facts.write_bytes(b"\n".join(event.data for event in events))
        theirs = measured("rebuild.py", str(facts))
    result = {"events": len(events), "events/s": round(mine), "verified events/s": round(checked)}
    result["state"] = state
    if "events/s" in theirs:
        result["times eventsourcing"] = round(mine / theirs["events/s"], 1)
    return {**result, "eventsourcing": theirs}


def entry_of(event: Event) -> Encoded:
    """Return the entry that an event was made of."""
    return Encoded(event.type, event.version, event.round, event.turn, event.actor, event.cause, event.data)


def appending(store: MemoryStore, count: int, synchronous: Any) -> dict[str, Any]:
    """Append the arena's declarations to a file, one transaction each, and set that against bare sqlite3.

    The bare run writes the same rows into the same schema with the same triggers, in the same
    transactions, and does nothing else: no chain, no check, no encoding.
    """
    events = list(store.read("main", upto=count))
    groups = list(grouped(events))
    entries = [[entry_of(event) for event in group] for group in groups]
    rows = [encoded(group) for group in groups]

    def mine(path: Path) -> float:
        with SqliteStore(path, synchronous=synchronous) as filed:
            began, head = time.perf_counter(), 0
            for group in entries:
                head += len(filed.append("main", group, head))
            return time.perf_counter() - began

    def bare(path: Path) -> float:
        SqliteStore(path, synchronous=synchronous).close()
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        began = time.perf_counter()
        for group in rows:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(INSERT, group)
            connection.execute("COMMIT")
        seconds = time.perf_counter() - began
        connection.close()
        return seconds

    with tempfile.TemporaryDirectory() as folder:
        pairs = [(mine(Path(folder) / f"m{n}.db"), bare(Path(folder) / f"b{n}.db")) for n in range(TIMES)]
    ours, ceiling = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    return {
        "declarations": len(groups),
        "events": len(events),
        "declarations/s": round(len(groups) / ours),
        "events/s": round(len(events) / ours),
        "bare sqlite3 declarations/s": round(len(groups) / ceiling),
        "share of bare sqlite3": round(ceiling / ours, 2),
    }


def grouped(events: list[Event]) -> Iterator[list[Event]]:
    """Yield the events of one declaration after another."""
    group: list[Event] = []
    for event in events:
        if group and event.cause != group[0].cause:
            yield group
            group = []
        group.append(event)
    yield group


def durable(rounds: int) -> dict[str, Any]:
    """Play rounds into a file: rules, dice, log and commit together."""
    result: dict[str, Any] = {}
    for synchronous in ("FULL", "NORMAL"):
        with (
            tempfile.TemporaryDirectory() as folder,
            SqliteStore(Path(folder) / "arena.db", synchronous=synchronous) as store,
        ):
            table = opened(store)
            declared, began = 0, time.perf_counter()
            for _ in range(rounds):
                for act in round_of(table):
                    table.declare(act)
                    declared += 1
            result[f"{synchronous} declarations/s"] = round(declared / (time.perf_counter() - began))
            result["state"] = digest(table.state)
    return result


def long_log(path: Path, store: MemoryStore, length: int) -> int:
    """Write a log of at least that many events, checkpoints included; return its length.

    The rounds are those of the arena, told again and again with their causes moved along, so that a
    million events are a matter of seconds. They fold like any other log; only the dice repeat.
    """
    events = list(store.read("main"))
    first = next(event.seq for event in events if event.type == "round.ended")
    again = [event for event in events if event.seq > first]
    while again and again[-1].type != "round.ended":
        again.pop()
    with SqliteStore(path, synchronous="NORMAL") as filed:
        head = len(filed.append("main", [entry_of(event) for event in events[:first]], 0))
        while head < length:
            moved = head - first
            told = [
                Encoded(e.type, e.version, e.round, e.turn, e.actor, e.cause + moved, e.data) for e in again
            ]
            head += len(filed.append("main", told, head))
        Playhead(filed).seek(head)
    return head


def seeking(store: MemoryStore, length: int) -> dict[str, Any]:
    """Open a long log, seek to random events and fork it, in a process of its own whose memory is read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.db"
        began = time.perf_counter()
        head = long_log(path, store, length)
        built = time.perf_counter() - began
        here = Path(__file__)
        environment = {**os.environ, "PYTHONPATH": str(here.parents[2])}
        found = subprocess.run(
            [*PYTHON, "-m", "tests.bench.logs", str(path), str(head)],
            cwd=here.parents[2],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        size = path.stat().st_size
    result: dict[str, Any] = msgspec.json.decode(found)
    return {"events": head, "built in s": round(built, 1), "file MB": size >> 20, **result}


def sought(path: Path, head: int) -> dict[str, Any]:
    """Measure what a reader of a long log waits for."""
    before = resident()
    began = time.perf_counter()
    with SqliteStore(path) as store:
        store.head("main")
        opening = time.perf_counter() - began
        playhead = Playhead(store)
        dice = random.Random(1)
        times = []
        states = []
        for _ in range(60):
            seq = dice.randint(1, head)
            began = time.perf_counter()
            playhead.seek(seq)
            times.append(time.perf_counter() - began)
            states.append(digest(playhead.state))
        distances = by_distance(store, head)
        forks = forked(store, "full", head)
    with SqliteStore(path, synchronous="NORMAL") as store:
        quick = forked(store, "normal", head)
    times.sort()
    return {
        "open ms": round(opening * 1000, 1),
        "seek ms, median": round(times[30] * 1000, 1),
        "seek ms, slowest of 60": round(times[-1] * 1000, 1),
        **distances,
        "fork ms, FULL (one fsync)": forks,
        "fork ms, NORMAL": quick,
        "memory MB before, after": f"{before >> 10}, {resident() >> 10}",
        "states": _together(states),
    }


def by_distance(store: SqliteStore, head: int) -> dict[str, str]:
    """Return what a seek costs by the distance to the checkpoint before, in each third of the log.

    Medians of nine places each, in milliseconds: they should grow along a row and be alike in a column.
    """
    dice = random.Random(4)
    found = {}
    for name, low in (("first", 0), ("middle", head // 3), ("last", head // 3 * 2)):
        cells = []
        for distance in DISTANCES:
            times = []
            while len(times) < 9:
                near = store.checkpoint("main", PROJECTION, version(), dice.randint(low, low + head // 3))
                if near is None or near.seq + distance > head:
                    continue
                playhead = Playhead(store, "main")
                began = time.perf_counter()
                playhead.seek(near.seq + distance)
                times.append(time.perf_counter() - began)
            cells.append(f"{sorted(times)[4] * 1000:.1f}")
        found[f"seek ms, {name} third, {DISTANCES} off"] = " ".join(cells)
    return found


def forked(store: SqliteStore, name: str, head: int) -> float:
    """Return the median milliseconds of a fork anywhere in the line."""
    dice, times = random.Random(2), []
    for number in range(21):
        at = dice.randint(1, head)
        began = time.perf_counter()
        store.fork(f"{name}-{number}", "main", at)
        times.append(time.perf_counter() - began)
    return round(sorted(times)[10] * 1000, 2)


def resident() -> int:
    """Return the most memory that this process has held, in kB."""
    status = Path("/proc/self/status")
    if status.exists():  # getrusage would tell the parent's peak as well
        return int(status.read_text().split("VmHWM:")[1].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _together(digests: list[str]) -> str:
    from hashlib import sha256

    return sha256("".join(digests).encode()).hexdigest()


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(sought(Path(sys.argv[1]), int(sys.argv[2]))))
