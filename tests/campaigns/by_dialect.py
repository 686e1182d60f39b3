"""What campaigns share that go dialect by dialect: options, a sign of progress, counts, findings."""

import argparse
import json
import random
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import click

from tests.house.fights import DIALECTS

T = TypeVar("T")

Run = Callable[[str, Path, int, random.Random], tuple[Counter[str], list[str]]]
"""Given dialect, an empty folder, every how many-th and dice: what was counted, and what passed."""


def command(about: str | None, every: str, run: Run, found: Iterable[str] = ()) -> int:
    """Run a campaign as the command line says: 0 nothing passed, 1 something did; `found` passed before."""
    parser = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    parser.add_argument("--dialect", action="append", choices=DIALECTS)
    parser.add_argument(
        "--every", type=int, default=1, help=f"only every so many-th {every}, begun at random"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    dice, told, passed = random.Random(given.seed), {}, list(found)
    for dialect in given.dialect or DIALECTS:
        with tempfile.TemporaryDirectory() as folder:
            counts, more = run(dialect, Path(folder), given.every, dice)
        told[dialect] = dict(counts)
        passed += [f"{dialect}: {one}" for one in more]
        if not given.json:
            print(dialect, ", ".join(f"{count} {name}" for name, count in sorted(counts.items())), flush=True)
    print(json.dumps({"dialects": told, "found": passed}) if given.json else "\n".join(passed))
    return 1 if passed else 0


def fight_by_fight(about: str | None, check: Callable[[str, int, Counter[str]], Iterable[str]]) -> int:
    """Check random fights of each dialect by their numbers as the command line says; 1 if anything failed.

    `check` counts what it looked at, and returns or raises what is wrong.
    """
    parser = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    parser.add_argument("--fights", type=int, default=100)
    parser.add_argument("--dialect", action="append", choices=DIALECTS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    told: dict[str, dict[str, int]] = {}
    failed: list[str] = []
    for dialect in given.dialect or DIALECTS:
        counts: Counter[str] = Counter()
        for seed in range(given.seed, given.seed + given.fights):
            try:
                wrong = [*check(dialect, seed, counts)]
            except Exception:  # whatever goes wrong is what is looked for
                wrong = [traceback.format_exc()]
            counts["fights"] += 1
            counts["failed"] += bool(wrong)
            failed += [f"{dialect} {seed}: {one}" for one in wrong]
        told[dialect] = dict(counts)
        if not given.json:
            print(dialect, ", ".join(f"{count} {name}" for name, count in sorted(counts.items())), flush=True)
    print(json.dumps({"dialects": told, "failed": failed}) if given.json else "\n".join(failed))
    return 1 if failed else 0


def told_of(what: str, things: Iterable[T]) -> Iterator[T]:
    """Yield them one by one; a bar on a terminal says how far it has come."""
    with click.progressbar(things, label=what, show_pos=True, file=sys.stderr) as bar:
        yield from bar
