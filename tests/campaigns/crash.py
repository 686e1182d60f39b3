"""The crash campaign: writers of a log are killed at every step, and the log is judged after each kill.

    python tests/campaigns/crash.py --runs 1000 [--seed N] [--json]

Each run forks a process that plays one of the four dialects into a log and is killed with SIGKILL: at a
random moment, at a step of an append, inside a COMMIT or a checkpoint (by a timer), or (where strace is
installed) at the entry to one of SQLite's system calls. Then the log is opened again. Everything
acknowledged must be there with the same digest, the command under way wholly or not at all, `verify` must
pass, the same request must be answered once, and the fight must go on; the next run kills the next writer of
the same log. Prints the counts by place; the exit status is 1 if a promise was broken, and the log is kept.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.events.errors import AffrayError
from tests.campaigns.judge import Broken, Found, judge
from tests.campaigns.victim import PLACES, Death, fragile, play
from tests.house.fights import DIALECTS

SYSTEM_CALL = "a system call"
CALLS = "pwrite64,fdatasync,fsync,ftruncate,unlink"
MOST_EVENTS = 900
"""Events after which a run starts a new log, as every run verifies the whole of it."""


class Campaign:
    """A number of kills, and what was found after them."""

    def __init__(self, seed: int, folder: Path, strace: bool) -> None:
        self.seed, self.folder, self.strace = seed, folder, strace
        self.dice = random.Random(seed)
        self.logs = self.lives = self.escaped = 0
        self.path = self.side = Path()
        self.dialect = ""
        self.by_place: dict[str, dict[str, int]] = {}
        self.totals = {"acknowledged": 0, "events": 0, "left waiting": 0, "reopened with a WAL": 0}
        self.new_log()

    def new_log(self) -> None:
        """Leave this log behind and begin another, in the next dialect."""
        for path in self.folder.glob("log*"):
            path.unlink()
        self.dialect = DIALECTS[self.logs % len(DIALECTS)]
        self.logs += 1
        self.path, self.side = self.folder / f"log{self.logs}.db", self.folder / f"log{self.logs}.notes"

    def run(self) -> bool:
        """Kill one writer and judge; False if it got away alive. Raises Broken."""
        self.lives += 1
        fresh = not self.path.exists()
        places = [place for place in PLACES if fresh or place != "opening a new log"]
        if fresh and self.dice.random() < 0.3:
            places = ["opening a new log"]
        place = self.dice.choice([*places, SYSTEM_CALL] if self.strace else places)
        killed = self.traced() if place == SYSTEM_CALL else self.forked(place)
        found = judge(self.path, self.side, self.dialect, self.seed + self.logs, self.lives)
        if killed:
            self.count(place, found)
        else:
            self.escaped += 1
        if found.over or not found.acknowledged or found.events > MOST_EVENTS or not killed:
            self.new_log()
        return killed

    def count(self, place: str, found: Found) -> None:
        """Add one kill to the counts."""
        row = self.by_place.setdefault(place, {"kills": 0, "in doubt": 0, "of these committed": 0})
        row["kills"] += 1
        row["in doubt"] += found.in_doubt
        row["of these committed"] += found.committed_unacknowledged
        self.totals["acknowledged"] += found.acknowledged
        self.totals["events"] += found.events
        self.totals["left waiting"] += found.waiting
        self.totals["reopened with a WAL"] += found.wal_bytes > 0

    def forked(self, place: str) -> bool:
        """Fork a victim that dies at a place; say whether it did."""
        dice = self.dice
        most = 60 if place == "opening a new log" else 4 if "checkpoint" in place else 12
        most = 300 if place == "inside a statement" else most
        death = Death(place, dice.randint(1, most), 1e-6 + dice.random() * 3e-4, dice.randint(1, 12))
        moment = dice.random() * 0.25
        child = os.fork()
        if not child:
            try:
                fragile(death)
                play(self.path, self.side, self.dialect, self.seed + self.logs, self.lives, death)
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(3)
        if place == "a random moment":
            time.sleep(moment)
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        return _was_killed(-os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))

    def traced(self) -> bool:
        """Run a victim under strace, which kills it as it enters one of its system calls."""
        victim = [sys.executable, str(Path(__file__).with_name("victim.py")), str(self.path), str(self.side)]
        nth = self.dice.randint(1, 250)
        done = subprocess.run(
            ["strace", "-f", "-qqq", "-o", os.devnull, "-e", f"trace={CALLS}",
             "-e", f"inject={CALLS}:signal=KILL:when={nth}", *victim,
             self.dialect, str(self.seed + self.logs), str(self.lives)],
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
        return _was_killed(done.returncode)


def _was_killed(status: int) -> bool:
    if status in (-signal.SIGKILL, -signal.SIGALRM, 128 + signal.SIGKILL):
        return True
    if status:
        raise Broken(f"the writer ended with {status} before anything killed it")
    return False


def can_trace() -> bool:
    """Say whether strace is here and may be used."""
    if shutil.which("strace") is None:
        return False
    return not subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True).returncode


def report(campaign: Campaign, seconds: float, broken: str) -> dict[str, Any]:
    """Return the figures."""
    rows = campaign.by_place
    order = [place for place in (*PLACES, SYSTEM_CALL) if place in rows]
    return {
        "seed": campaign.seed,
        "kills": sum(row["kills"] for row in rows.values()),
        "in doubt": sum(row["in doubt"] for row in rows.values()),
        "committed without acknowledgement": sum(row["of these committed"] for row in rows.values()),
        "logs": campaign.logs,
        "writers that got away": campaign.escaped,
        "acknowledgements checked": campaign.totals["acknowledged"],
        "events verified": campaign.totals["events"],
        "left waiting for an answer": campaign.totals["left waiting"],
        "reopened with a WAL": campaign.totals["reopened with a WAL"],
        "seconds": round(seconds, 1),
        "broken": broken,
        "places": {place: rows[place] for place in order},
    }


def main() -> None:
    """Run the campaign and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=1000, help="kills (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="which acts, places and moments (default 1)")
    parser.add_argument("--no-strace", action="store_true", help="do not kill at system calls")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    strace = not wanted.no_strace and can_trace()
    if not strace:
        print("no kills at system calls: strace is not used", file=sys.stderr)
    folder = Path(tempfile.mkdtemp(prefix="crash-"))
    campaign = Campaign(wanted.seed, folder, strace)
    began, kills, broken = time.monotonic(), 0, ""
    try:
        while kills < wanted.runs:
            kills += campaign.run()
            if kills % 50 == 0:
                print(f"\r{kills} of {wanted.runs}", end="", file=sys.stderr)
        shutil.rmtree(folder)
    except (Broken, AffrayError) as error:
        broken = f"{error!r} (log kept: {campaign.path})"
    print(file=sys.stderr)
    result = report(campaign, time.monotonic() - began, broken)
    if wanted.json:
        print(json.dumps(result, indent=2))
    else:
        for name, value in result.items():
            if name != "places":
                print(f"{name:36} {value}")
        for place, row in result["places"].items():
            print(f"  {place:36} {row['kills']:5} kills, {row['in doubt']:4} in doubt,"
                  f" {row['of these committed']:4} of these committed")  # fmt: skip
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
