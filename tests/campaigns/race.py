"""The race: processes declare into one encounter at once, and nothing is lost, doubled or mixed up.

    python tests/campaigns/race.py [--attempts 10000] [--processes 8] [--seed N] [--postgres] [--json]

Each process has its own table on the same log and declares as fast as it can. One wins each position; the
others get a Conflict that names the expected and the actual one, and declare again from there. Some commands
are sent by two processes at the same moment under one request id, and some again after they succeeded.
Afterwards the log is held against what each process was told. The exit status is 1 if anything differs.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
import traceback
from contextlib import nullcontext
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.table.table import Table
from affray.events import SqliteStore
from affray.events.codec import decode
from affray.events.errors import Conflict
from affray.events.facts import acts
from affray.events.stores.address import Address
from affray.events.stores.postgres import PostgresStore
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import digest
from affray.replay.verification.verify import verify
from tests import server
from tests.campaigns.judge import tell
from tests.house.fights import DIALECTS, opened

PER_LOG = 400
"""Attempts in one encounter: after a conflict a table reads it from the beginning."""


class Racer:
    """One process of the race and what it was told."""

    def __init__(self, path: Path, name: int, attempts: int, seed: int) -> None:
        self.path, self.name, self.attempts = path, name, attempts
        self.dice = random.Random(f"{seed}/{name}")
        self.told: dict[str, Any] = {
            "wins": {}, "conflicts": 0, "wrong": [], "attempts": 0, "repeated": 0, "shared": 0
        }  # fmt: skip

    def run(self) -> None:
        """Declare until the attempts are used up."""
        number = 0
        with log_at(self.path) as store:
            table = Table(store)
            while self.told["attempts"] < self.attempts:
                number += 1
                # The same words and id in neighbouring processes: two clients that retry one command.
                shared = number % 5 == 0
                name = self.name // 2 if shared else self.name
                words = f"{'pair' if shared else 'process'} {name}: {number}"
                self.told["shared"] += shared
                self.declare(store, table, words)

    def declare(self, store: Store, table: Table, words: str) -> None:
        """Declare one command until it is in the log."""
        act = acts.Hazard(target="ogre", source=words, save="ref", dc=12, damage="1d4", damage_type="fire")
        while True:
            self.told["attempts"] += 1
            before = table.seq
            try:
                outcome = table.declare(act, request=words)
            except Conflict as conflict:
                self.told["conflicts"] += 1
                if conflict.expected != before or not before < conflict.actual <= table.seq:
                    self.told["wrong"].append(f"{conflict}: the table went from {before} to {table.seq}")
                continue
            self.win(words, outcome.events)
            time.sleep(self.dice.random() / 500)  # clients think, and without that one goes on alone
            if self.dice.random() < 0.1:
                self.told["repeated"] += 1
                self.win(words, Table(store).declare(act, request=words).events)
            return

    def win(self, words: str, events: Any) -> None:
        """Note which events came of a command; it may be told of only one set of them."""
        place = [events[0].seq, events[-1].seq, events[-1].digest.hex()]
        if self.told["wins"].setdefault(words, place) != place:
            self.told["wrong"].append(f"{words!r} was recorded at {self.told['wins'][words]} and {place}")


def log_at(place: Path) -> Store:
    """Open the log that is raced for, with patience."""
    return PostgresStore(place) if isinstance(place, Address) else SqliteStore(place, busy_seconds=60)


def race(
    path: Path, dialect: str, processes: int, attempts: int, seed: int, folder: Path | None = None
) -> dict[str, Any]:
    """Run one encounter's race and return the counts; `wrong` lists what should not be."""
    with log_at(path) as store:
        opened(dialect, store, seed).declare(acts.Begin())
    gate, start = os.pipe()
    racing = []
    for name in range(processes):
        told = folder / f"told.{name}" if folder is not None else path.with_suffix(f".{name}")
        child = os.fork()
        if not child:
            try:
                os.close(start)
                os.read(gate, 1)  # all of them at once, when the parent closes its end
                racer = Racer(path, name, attempts // processes, seed)
                racer.run()
                told.write_text(json.dumps(racer.told))
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(3)
        racing.append((child, told))
    os.close(gate)
    os.close(start)
    wrong = [f"process {child} failed" for child, _ in racing if os.waitpid(child, 0)[1]]
    told = [json.loads(file.read_text()) for _, file in racing if file.exists()]
    for one in told:
        wrong += one["wrong"]
    counts = {
        name: sum(one[name] for one in told) for name in ("attempts", "conflicts", "repeated", "shared")
    }
    return {**counts, **held_against(path, told, wrong), "wrong": wrong}


def held_against(path: Path, told: list[dict[str, Any]], wrong: list[str]) -> dict[str, int]:
    """Compare the log with what the processes were told; add to `wrong` and return the counts."""
    with log_at(path) as store:
        events = list(store.read("main"))
        in_log: dict[str, list[int]] = {}
        for event in events:
            if event.type == "declared" and isinstance(act := decode(event).act, acts.Hazard):
                in_log.setdefault(act.source, []).append(event.seq)
        known: dict[str, list[Any]] = {}
        for one in told:
            for words, place in one["wins"].items():
                if known.setdefault(words, place) != place:
                    wrong.append(f"{words!r} was told to be at {known[words]} and at {place}")
        for words, (first, last, recorded) in known.items():
            if events[last - 1].digest.hex() != recorded or in_log.get(words, [0])[0] != first:
                wrong.append(f"{words!r} is not where it was told to be")
        lost = sum(words not in in_log for words in known)
        doubled = sum(len(places) - 1 for places in in_log.values())
        unknown = sum(words not in known for words in in_log)
        if lost or doubled or unknown:
            wrong.append(f"{lost} lost, {doubled} doubled, {unknown} that nobody was told of")
        if not verify(store).ok:
            wrong.append("verify finds a problem")
        if digest(Table(store).state) != digest(fold(events)):
            wrong.append("the state is not what the log folds to")
    return {"declarations": len(in_log), "lost": lost, "doubled": doubled, "events": len(events)}


def main() -> None:
    """Run the races and print the sums."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--attempts", type=int, default=10_000, help="calls of declare (default 10000)")
    parser.add_argument("--processes", type=int, default=8, help="writers at once (default 8)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the encounters (default 1)")
    parser.add_argument("--postgres", action="store_true", help="in a database, not in a file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    sums: dict[str, Any] = {"processes": wanted.processes, "encounters": 0}
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="race-") as folder,
        server.running() if wanted.postgres else nullcontext() as running,
    ):
        while (left := wanted.attempts - sums.get("attempts", 0)) > 0 and not sums.get("wrong"):
            number = sums["encounters"]
            sums["encounters"] += 1
            path = Path(folder) / f"race{number}.db"
            if running is not None:
                path = Address(running.address(fight=path.stem))
            attempts = max(min(PER_LOG, left), wanted.processes)
            dialect = DIALECTS[number % len(DIALECTS)]
            raced = race(path, dialect, wanted.processes, attempts, wanted.seed + number, Path(folder))
            for name, value in raced.items():
                sums[name] = sums[name] + value if name in sums else value
            print(f"\r{sums['attempts']} of {wanted.attempts}", end="", file=sys.stderr)
    print(file=sys.stderr)
    sums["seconds"] = round(time.monotonic() - began, 1)
    tell(sums, as_json=wanted.json)
    sys.exit(bool(sums["wrong"]))


if __name__ == "__main__":
    main()
