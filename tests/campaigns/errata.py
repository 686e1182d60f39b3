"""The errata campaign: a thousand fights that were played, decided again with a change of the rules.

    python tests/campaigns/errata.py [--logs 1000] [--folder F] [--jobs 2] [--change NAME ...] [--json]

The packaged fights of all four dialects are played with a seed each and written as exports, then a reading, a
figure, house rules and another rulebook are put to the whole folder. For each change the seconds and the
processor's seconds are told, of all processes, and how many logs come out otherwise. With --most SECONDS the
exit status is 1 if a change takes more of the processor than that for a thousand logs on two cores: twice as
many seconds.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.events.exports import export_jsonl
from affray.replay.redecide.rule_change import Change
from affray.replay.rule_changes.survey import errata
from tests.errata.record import fight
from tests.house.fights import DIALECTS

ROOT = Path(__file__).parents[2]
CHANGES = {
    "nothing": Change(),
    "reading": Change(readings={"soft_cover_blocks_aoo": "off"}),
    "figure": Change(
        figures={"srd35.ac.formula.base": 11, "pf1.ac.formula.base": 11, "woa.ac.formula.base": 11}
    ),
    "package": Change(packages=(str(ROOT / "docs" / "examples" / "house-rules"),)),
    "dialect": Change(dialect="pf1"),
}
CORES = 2
"""The machine that the figure is meant for."""


def write(folder: Path, logs: int) -> None:
    """Write so many logs, the dialects in turn."""
    for number in range(logs):
        dialect = DIALECTS[number % len(DIALECTS)]
        with (folder / f"{dialect}-{number:05}.jsonl").open("wb") as file:
            export_jsonl(fight(f"demo_{dialect}", f"errata {number}"), file)


def processor() -> float:
    """Return the seconds that this process and those it waited for have had of the processor."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def measured(folder: Path, change: Change, jobs: int) -> dict[str, Any]:
    """Put a change to a folder of logs; return what it took and what came of it."""
    began, used = time.perf_counter(), processor()
    found = errata([folder], change, jobs=jobs)
    return {
        "change": found.change or "as recorded",
        "logs": len(found.logs),
        "seconds": round(time.perf_counter() - began, 1),
        "processor": round(processor() - used, 1),
        "states": {state: found.count(state) for state in sorted({one.state for one in found.logs})},
        "groups": len(found.groups),
    }


def main() -> int:
    """Run the campaign."""
    options = argparse.ArgumentParser()
    options.add_argument("--logs", type=int, default=1000)
    options.add_argument("--folder", type=Path, help="logs that are there, or where to keep them")
    options.add_argument("--jobs", type=int, default=CORES)
    options.add_argument("--change", action="append", choices=list(CHANGES))
    options.add_argument("--most", type=float, default=60)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = given.folder or Path(place)
        if not any(folder.glob("*.jsonl")):
            write(folder, given.logs)
        found = [measured(folder, CHANGES[name], given.jobs) for name in given.change or CHANGES]
    for one in found:
        print(json.dumps(one) if given.json else ", ".join(f"{name} {value}" for name, value in one.items()))
    most = given.most * CORES * given.logs / 1000
    return int(any(one["processor"] > most for one in found))


if __name__ == "__main__":
    raise SystemExit(main())
