"""Failing system calls: what a log does when the disk says no in the middle of an append.

    python tests/campaigns/syscalls.py [--runs 200] [--seed N] [--json]

Needs strace. Each run starts a process that plays into a log while strace makes one of SQLite's calls fail
(EIO, ENOSPC) from the nth on for a while, or for ever. The process may be told LogUnavailable as often as it
likes, then goes on; it may not crash, and not lie: afterwards everything acknowledged is in the log, what
failed is there wholly or not at all and happens once when it is repeated, and `verify` passes.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.table.table import Table
from affray.events import SqliteStore
from affray.events.errors import AffrayError, LogUnavailable
from affray.replay.verification.verify import verify
from tests.campaigns.crash import can_trace
from tests.campaigns.judge import Broken, check
from tests.campaigns.victim import next_command, perform
from tests.house.fights import DIALECTS, opened

FAULTS = (
    ("pwrite64", "EIO"), ("pwrite64", "ENOSPC"), ("fdatasync", "EIO"), ("fdatasync", "ENOSPC"),
    ("ftruncate", "EIO"), ("pread64", "EIO"), ("fcntl", "ENOLCK"), ("unlink", "EIO"),
)  # fmt: skip


def play(path: Path, dialect: str, seed: int) -> dict[str, Any]:
    """Play 40 commands into a log, repeating each until it is taken or has failed five times.

    Returns what was told: the digests by position, the refused faults, and whether it had to give up.
    """
    dice = random.Random(seed)
    told: dict[str, Any] = {"acks": {}, "requests": {}, "faults": [], "gave up": ""}
    try:
        with SqliteStore(path) as store:
            store._connection.execute("PRAGMA wal_autocheckpoint = 6")
            table = Table(store)
            for number in range(40):
                command = next_command(table, dice)
                if command is None:
                    break
                for attempt in range(5):
                    try:
                        outcome = perform(table, command, f"{seed}.{number}")
                    except LogUnavailable as error:
                        told["faults"].append(str(error))
                        if attempt == 4:
                            raise
                    else:
                        last = outcome.events[-1]
                        told["acks"][last.seq] = last.digest.hex()
                        told["requests"][f"{seed}.{number}"] = [event.seq for event in outcome.events]
                        break
    except AffrayError as error:
        told["gave up"] = f"{type(error).__name__}: {error}"
    return told


def run(folder: Path, number: int, seed: int) -> tuple[str, dict[str, Any]]:
    """Play one log under one fault, judge it, and return the fault and what was told. Raises Broken."""
    dice = random.Random(f"{seed}/{number}")
    call, error = FAULTS[number % len(FAULTS)]
    dialect = DIALECTS[number // len(FAULTS) % len(DIALECTS)]
    path, notes = folder / f"log{number}.db", folder / f"log{number}.json"
    with SqliteStore(path) as store:
        opened(dialect, store, number)
    first = dice.randint(1, {"pwrite64": 300, "pread64": 40, "fdatasync": 60, "fcntl": 200}.get(call, 12))
    lasts = dice.choice((1, 1, 3, 10, 0))
    when = f"{first}+" if lasts == 0 else str(first) if lasts == 1 else f"{first}..{first + lasts - 1}"
    done = subprocess.run(
        ["strace", "-f", "-qqq", "-o", os.devnull, "-e", f"trace={call}",
         "-e", f"inject={call}:error={error}:when={when}",
         sys.executable, str(Path(__file__)), "--play", str(path), str(notes), dialect, str(number)],
        capture_output=True,
        text=True,
        timeout=120,
    )  # fmt: skip
    name = f"{call} {error}"
    # Where the fault lasts, the process may not even be able to start or to write down what it was told.
    if not notes.exists() or not notes.read_text().endswith("}"):
        check(lasts == 0 or call in ("pread64", "fcntl"), f"{name} {when}: {done.stderr[-2000:]}")
        told = {"acks": {}, "requests": {}, "faults": [], "gave up": "nothing could be written down"}
    else:
        told = json.loads(notes.read_text())
        check(done.returncode == 0, f"{name} {when}: {done.stderr[-2000:]}")
    judge(path, told, f"{name} {when}")
    return name, told


def judge(path: Path, told: dict[str, Any], name: str) -> None:
    """Hold the log against what was told. Raises Broken."""
    with SqliteStore(path) as store:
        events = list(store.read("main"))
        for seq, recorded in told["acks"].items():
            there = int(seq) <= len(events) and events[int(seq) - 1].digest.hex() == recorded
            check(there, f"{name}: event {seq} was acknowledged and is lost")
        for request, seqs in told["requests"].items():
            recorded = [event.seq for event in store.recorded(request)]
            check(recorded == seqs, f"{name}: request {request} stands at {recorded}, told was {seqs}")
        report = verify(store)
        check(report.ok, f"{name}: " + "; ".join(str(one.problem) for one in report.checks if one.problem))
        table = Table(store)
        command = next_command(table, random.Random(1))
        if command is not None:
            perform(table, command, "afterwards")
            check(verify(store).ok, f"{name}: the fight did not go on")


def main() -> None:
    """Run the campaign, or with --play the process that it puts under strace."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=200, help="logs played (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="which calls fail (default 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--play", nargs=4, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.play:
        path, notes, dialect, seed = wanted.play
        Path(notes).write_text(json.dumps(play(Path(path), dialect, int(seed))))
        return
    if not can_trace():
        sys.exit("nothing was tested: strace is not installed, or may not trace here")
    rows: dict[str, dict[str, int]] = {}
    broken, began = "", time.monotonic()
    with tempfile.TemporaryDirectory(prefix="syscalls-") as folder:
        try:
            for number in range(wanted.runs):
                name, told = run(Path(folder), number, wanted.seed)
                row = rows.setdefault(name, {"runs": 0, "told": 0, "gave up": 0, "acknowledged": 0})
                row["runs"] += 1
                row["told"] += len(told["faults"])
                row["gave up"] += bool(told["gave up"])
                row["acknowledged"] += len(told["acks"])
                print(f"\r{number + 1} of {wanted.runs}", end="", file=sys.stderr)
        except Broken as error:
            broken = str(error)
    print(file=sys.stderr)
    result = {"runs": sum(row["runs"] for row in rows.values()), "broken": broken,
              "seconds": round(time.monotonic() - began, 1), "faults": rows}  # fmt: skip
    if wanted.json:
        print(json.dumps(result, indent=2))
    else:
        print(f"runs {result['runs']}, {result['seconds']} s{', broken: ' + broken if broken else ''}")
        for name, row in rows.items():
            print(f"  {name:18} {row['runs']:4} runs, {row['told']:4} commands told of it,"
                  f" {row['gave up']:3} gave up, {row['acknowledged']:5} acknowledged and found")  # fmt: skip
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
