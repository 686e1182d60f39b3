"""The benchmark: one command, printed figures, and checksums that prove what was done.

    python tests/bench/run.py [--quick] [--no-rivals] [--json]

Two runs with the same arguments print the same checksums on any machine; only the times differ. Rivals
are installed once into a folder of their own (AFFRAY_RIVALS, else the temporary directory).
"""

import argparse
import json
import os
import platform
import sqlite3
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench import fifth, logs, many, play, questions, rivals, serving


def measure(quick: bool, others: bool) -> dict[str, Any]:
    """Run everything, own and rival after each other, and return the figures by subject."""
    result: dict[str, Any] = {
        "machine": {
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "system": f"{platform.system()} {platform.machine()}",
            "cores": os.cpu_count(),
        }
    }
    result["attacks, explained, one on one"] = play.duel(680 if quick else 3400)
    result["what salts cost"] = play.salted(40 if quick else 200)
    result["attacks, explained, four on four"], store = play.attacks(160 if quick else 800)
    result["  facts kept as objects, one on one"] = play.duel_kept(680 if quick else 3400)
    result["  facts kept as objects, four on four"] = play.attacks_kept(160 if quick else 800)
    result["attacks in fifth edition, one a turn"] = fifth.attacks(130 if quick else 650)
    result["  facts kept as objects, one a turn"] = fifth.attacks_kept(130 if quick else 650)
    result["  whole fights in fifth edition, 4 against 4"] = fifth.fights(10 if quick else 60)
    if others:
        result["  dnd5e-engine"] = rivals.measured("dnd5e.py", "100" if quick else "600")
        result["  osrlib"] = rivals.measured("osr.py", "4000" if quick else "20000")
        result["  @pkmn/sim"] = rivals.measured("showdown.mjs", "10" if quick else "60")
    result["whole fights, 4 against 4"] = play.fights(10 if quick else 60)
    result["  facts kept as objects"] = play.fights_kept(10 if quick else 60)
    result["  played on from their beginning"] = play.played_on(20 if quick else 200)
    result["packaged fights by dialect"] = play.dialects(6)
    result["fold from stored bytes"] = logs.folding(store)
    if others:
        result["rebuild from SQLite"] = logs.rebuilding(store)
    for synchronous in ("FULL", "NORMAL"):
        result[f"append, {synchronous}"] = logs.appending(store, 3000 if quick else 12000, synchronous)
    result["play into a file"] = logs.durable(10 if quick else 60)
    result["a long log"] = logs.seeking(store, 100_000 if quick else 1_000_000)
    result["a dispute"] = questions.disputes(9 if quick else 31)
    result["a dispute in 5,000 events"] = questions.long_fight()
    result["told to those who look on"] = serving.telling(20 if quick else 100)
    result["odds by processes"] = many.scaling(200 if quick else 2500)
    return result


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="about half a minute instead of several")
    parser.add_argument("--no-rivals", action="store_true", help="leave out what has to be downloaded")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    result = measure(wanted.quick, not wanted.no_rivals)
    if wanted.json:
        print(json.dumps(result, indent=2))
        return
    for name, figures in result.items():
        print(name)
        for label, value in figures.items():
            print(f"  {label:30} {value:,}" if isinstance(value, int) else f"  {label:30} {value}")


if __name__ == "__main__":
    main()
