"""The campaign of interpreters: every scenario of the tables, to the same bytes as under another Python.

    pytest --plays FOLDER tests/scenarios                      # under the one: keeps the heads of all logs
    python tests/campaigns/interpreters.py FOLDER [--json]     # under the other: plays and compares

Each scenario is played strictly, so that all its table expects holds here too, and its log must end with the
head that is kept. The exit status is 1 if one does not, if one was never kept, or if nothing was.
"""

import argparse
import json
import os
import platform
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.scenarios.cases import all_cases
from tests.scenarios.plays import Play, Plays, checked

LOT = 50
"""Scenarios that a process takes at a time."""


@cache
def kept(folder: Path) -> dict[str, Play]:
    """Return the plays that a folder keeps, by title."""
    return Plays(folder).known()


def differing(folder: Path, start: int) -> list[str]:
    """Return the scenarios of a lot that come out otherwise than kept, each with what is wrong."""
    known, found = kept(folder), []
    for title, scenario in all_cases()[start : start + LOT]:
        try:
            play, _ = checked(title, scenario)
        except AssertionError as wrong:
            found.append(f"{title}: {wrong}")
            continue
        if title not in known:
            found.append(f"{title}: not kept")
        elif known[title].head != play.head:
            found.append(f"{title}: {known[title].head[:16]}… is kept, here {play.head[:16]}…")
    return found


def main() -> int:
    """Run the campaign; 0 if everything is the same, else 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path, help="what `pytest --plays` has kept")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    starts = range(0, len(all_cases()), LOT)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        lots = pool.map(partial(differing, given.folder), starts)
        with click.progressbar(lots, len(starts), "scenarios, fifty at a time", file=sys.stderr) as bar:
            faults = [fault for lot in bar for fault in lot]
    if given.json:
        print(
            json.dumps({"python": platform.python_version(), "scenarios": len(all_cases()), "faults": faults})
        )
    else:
        print("\n".join(faults), end="\n" if faults else "")
        print(f"{len(all_cases())} scenarios under {platform.python_version()}: {len(faults)} differ")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
