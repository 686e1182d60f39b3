"""The benchmark: one command, printed figures, and checksums that prove what was done.

    python tests/bench/run.py [--rounds N] [--json]

Two runs with the same arguments print the same checksums on any machine; only the times differ.
"""

import argparse
import json
import os
import platform
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.events import MemoryStore, SqliteStore
from affray.projections.fold import fold
from affray.projections.state import digest
from affray.replay.playhead import Playhead
from tests.bench.arena import opened, round_of


def attacks(rounds: int) -> tuple[dict[str, Any], MemoryStore]:
    """Play rounds in memory and return attacks, declarations and events per second."""
    store = MemoryStore()
    table = opened(store)
    for act in round_of(table):  # one round for the caches
        table.declare(act)
    seq = table.seq
    declared = 0
    began = time.perf_counter()
    for _ in range(rounds):
        for act in round_of(table):
            outcome = table.declare(act)
            if outcome.refused is not None:
                raise SystemExit(f"the arena is broken: {outcome.refused.reason}")
            declared += 1
    seconds = time.perf_counter() - began
    kinds: dict[str, int] = {}
    for event in store.read("main", after=seq):
        kinds[event.type] = kinds.get(event.type, 0) + 1
    resolved = kinds["attack.resolved"]
    return {
        "attacks": resolved,
        "opportunities taken": kinds.get("reaction.spent", 0),
        "declarations": declared,
        "events": table.seq - seq,
        "attacks/s": round(resolved / seconds),
        "declarations/s": round(declared / seconds),
        "events/s": round((table.seq - seq) / seconds),
        "state": digest(table.state),
        "head": store.head("main").digest.hex(),
    }, store


def folding(store: MemoryStore) -> dict[str, Any]:
    """Fold the stored bytes of a log and return events per second."""
    events = list(store.read("main"))
    best = 0.0
    for _ in range(3):
        began = time.perf_counter()
        state = fold(events)
        best = max(best, len(events) / (time.perf_counter() - began))
    return {"events": len(events), "events/s": round(best), "state": digest(state)}


def durable(rounds: int, synchronous: Any) -> dict[str, Any]:
    """Play rounds into a file and return committed declarations and events per second."""
    with (
        tempfile.TemporaryDirectory() as folder,
        SqliteStore(Path(folder) / "arena.db", synchronous=synchronous) as store,
    ):
        table = opened(store)
        seq, declared = table.seq, 0
        began = time.perf_counter()
        for _ in range(rounds):
            for act in round_of(table):
                table.declare(act)
                declared += 1
        seconds = time.perf_counter() - began
        return {
            "declarations": declared,
            "declarations/s": round(declared / seconds),
            "events/s": round((table.seq - seq) / seconds),
            "state": digest(table.state),
        }


def seeking(length: int) -> dict[str, Any]:
    """Seek to random events of a long log in a file and return the median time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.db"
        with SqliteStore(path, synchronous="NORMAL") as store:
            table = opened(store)
            while table.seq < length:
                for act in round_of(table):
                    table.declare(act)
            head = table.seq
            Playhead(store).seek(str(head))
        began = time.perf_counter()
        with SqliteStore(path) as store:
            store.head("main")
            opening = time.perf_counter() - began
            playhead = Playhead(store)
            dice = random.Random(1)
            times = []
            for _ in range(50):
                seq = dice.randint(1, head)
                began = time.perf_counter()
                playhead.seek(str(seq))
                times.append(time.perf_counter() - began)
            state = digest(playhead.state)
        times.sort()
        return {
            "events": head,
            "open ms": round(opening * 1000, 2),
            "seek ms, median": round(times[25] * 1000, 2),
            "seek ms, slowest": round(times[-1] * 1000, 2),
            "state": state,
        }


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=600, help="rounds of the arena in memory (default 600)")
    parser.add_argument(
        "--log", type=int, default=100_000, help="events of the log to seek in (default 100000)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    result: dict[str, Any] = {
        "machine": {
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
            "cores": os.cpu_count(),
        }
    }
    result["in memory"], store = attacks(wanted.rounds)
    result["fold from stored bytes"] = folding(store)
    result["durable, synchronous FULL"] = durable(max(1, wanted.rounds // 10), "FULL")
    result["durable, synchronous NORMAL"] = durable(max(1, wanted.rounds // 10), "NORMAL")
    result["seek"] = seeking(wanted.log)
    if wanted.json:
        print(json.dumps(result, indent=2))
        return
    for name, figures in result.items():
        print(name)
        for label, value in figures.items():
            print(f"  {label:22} {value:,}" if isinstance(value, int) else f"  {label:22} {value}")


if __name__ == "__main__":
    main()
