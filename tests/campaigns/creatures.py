"""Printed creatures against each other: random pairs fight by tactics until one side stands.

    python tests/campaigns/creatures.py [--dialect pf1] [--fights 2000] [--seed N] [--json]

The blocks are not part of the project: they stand in ../shared/data beside the checkout. In each fight one to
three of one kind meet one to three of another on a field with walls, pillars and rough ground, and nobody but
the tactics decides. The referee, who reads nothing but the events, objects to nothing; the whole log
verifies; the fight ends, or reaches its round limit. Prints the counts; the exit status is 1 if anything
failed, and the failing fight's number goes on with --seed.
"""

import argparse
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import click
from msgspec import Struct, field

from affray.engine.kernel.turns import is_decided
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.replay.verification.verify import verify
from tests.house.fights import DIALECTS
from tests.referee.referee import judged
from tests.statblock.printing import DATA, blocks

SIDE = 40
"""Squares of the field each way."""
ROUNDS = 30
"""A fight that is not decided by then has reached its limit."""


class Tally(Struct):
    """What a campaign counted; `ends` counts how fights ended, `unlike` says why a creature cannot enter."""

    dialect: str
    fights: int = 0
    declarations: int = 0
    events: int = 0
    seconds: float = 0.0
    ends: Counter[str] = field(default_factory=Counter)
    unlike: dict[str, str] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)


def ground(dice: random.Random) -> list[str]:
    """Return a field with a wall, pillars and rough ground here and there."""
    rows = [["." for _ in range(SIDE)] for _ in range(SIDE)]
    for kind, many in (("T", 4), ("~", 40), ("#", 12)):
        for _ in range(many):
            rows[dice.randrange(SIDE)][dice.randrange(15, 25)] = kind
    return ["".join(row) for row in rows]


def fight(dialect: str, number: int, tally: Tally) -> None:
    """Play one fight; raises AssertionError where something does not hold."""
    dice = random.Random(f"{dialect} {number}")
    store = MemoryStore()
    table = Table.create(store, dialect=dialect, terrain=ground(dice), seed=number.to_bytes(8, "big"))
    for side, left in (("west", 0), ("east", SIDE - 12)):
        name, block = dice.choice(blocks(dialect))
        for one in range(dice.choice((1, 1, 2, 3))):
            at = (left + 3, 2 + one * 12)
            outcome = table.declare(acts.Enter(id=f"{side}{one}", side=side, sheet=block.sheet, at=at))
            if outcome.refused is not None:
                tally.unlike[name] = outcome.refused.reason
                return
    begun = table.declare(acts.Begin())
    assert begun.refused is None, begun.refused
    play_on(table, ROUNDS)
    ended = is_decided(table.fight)
    assert ended or table.state.round >= ROUNDS, f"it stops in round {table.state.round}"
    tally.ends["one side stands" if ended else "round limit"] += 1
    objections = judged(event.data for event in store.read("main"))
    assert objections == [], "; ".join(map(str, objections[:3]))
    report = verify(store)
    assert report.ok, report
    tally.fights += 1
    tally.declarations += table.state.declarations
    tally.events += table.seq


def campaign(dialect: str, numbers: Iterable[int]) -> Tally:
    """Play the fights of these numbers."""
    tally, began = Tally(dialect), time.perf_counter()
    for number in numbers:
        try:
            fight(dialect, number, tally)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            where = " < ".join(f"{Path(one.filename).name}:{one.lineno}" for one in reversed(frames[-4:]))
            tally.failures.append(f"--seed {number}: {type(error).__name__}: {str(error)[:400]} ({where})")
    tally.seconds = time.perf_counter() - began
    return tally


def told(tally: Tally) -> Iterator[str]:
    """Yield the counts in lines."""
    ends = ", ".join(f"{count} {how}" for how, count in sorted(tally.ends.items()))
    yield (
        f"{tally.dialect}: {tally.fights} fights ({ends}), {tally.declarations} declarations, "
        f"{tally.events} events, {tally.seconds:.0f} s, {len(tally.failures)} failures"
    )
    yield from (f"  {name} cannot enter: {why}" for name, why in sorted(tally.unlike.items()))
    yield from (f"  {failure}" for failure in tally.failures)


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description="Printed creatures against each other, in random pairs.")
    parser.add_argument("--fights", type=int, default=2000)
    parser.add_argument("--dialect", choices=DIALECTS, default="pf1")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first fight")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if not DATA.exists():
        print(f"no printed creatures at {DATA}", file=sys.stderr)
        return 2
    numbers = range(given.seed, given.seed + given.fights)
    with click.progressbar(numbers, label=given.dialect, show_pos=True, file=sys.stderr) as bar:
        tally = campaign(given.dialect, bar)
    if given.json:
        print(json.dumps({name: getattr(tally, name) for name in tally.__struct_fields__}))
    else:
        print("\n".join(told(tally)))
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
