"""The campaign on readings: every scenario under every other reading of every contested rule.

    python tests/campaigns/readings.py [--dialect futurepath ...] [--every N] [--json]

What a scenario expects need not come about under another reading, and what its dice and answers leave open a
seed and the tactics give. But no figure is asked for that there is not, no code fails, the referee objects to
nothing, and the log verifies. `--every 20` plays each twentieth pair. Prints the counts; the exit status is 1
if a pair failed. Progress goes to standard error.
"""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.book import Book
from affray.engine.book.catalogue import dialects
from affray.engine.dice.sources import DiceExhausted
from affray.engine.fight.memory import Mode
from affray.engine.table.scenario import fixed_seed, play_line, set_up
from affray.engine.table.scenario_parts import Line, Scenario
from affray.events import MemoryStore
from affray.replay.verification.verify import verify
from tests.campaigns.played import counted, scenarios_of
from tests.referee.referee import judged

Pair = tuple[Scenario, str, str]
"""A scenario, a contested option, another reading of it than the scenario's."""


class Tally(Struct):
    """What a campaign counted: pairs of a scenario and a reading, and what failed in them."""

    dialect: str
    pairs: int = 0
    failures: list[str] = []


def pairs(dialect: str) -> list[Pair]:
    """Return every scenario of a dialect with every reading that it is not played under."""
    return [
        (case, entry.option, reading.name)
        for _, case in scenarios_of(dialect)
        for entry in Book.load(dialect).contested.values()
        if not entry.awaits
        for reading in entry.readings
        if spelled(case.options.get(entry.option, entry.default)) != reading.name
    ]


def spelled(value: str | bool) -> str:
    """Return the name of a reading as an option of a scenario gives it."""
    return value if isinstance(value, str) else ("on" if value else "off")


def campaign(dialect: str, chosen: Iterable[Pair]) -> Tally:
    """Play pairs of a dialect and return what came of it."""
    tally = Tally(dialect)
    for scenario, option, reading in chosen:
        tally.pairs += 1
        store = MemoryStore()
        case = replace(scenario, options={**scenario.options, option: reading})
        try:
            try:
                play_under(case, store)
            except DiceExhausted:  # a roll takes more dice by this reading than the table has
                store = MemoryStore()
                script = tuple(replace(line, dice=type(line.dice)()) for line in case.script)
                play_under(replace(case, script=script), store)
            objections = judged(event.data for event in store.read("main"))
            report = verify(store)
            problems = [*objections, *(() if report.ok else (str(report),))]
        except Exception as fault:  # any fault of the code is what is looked for
            problems = [f"{type(fault).__name__}: {fault}"]
        tally.failures += [f"{scenario.name} ({option}={reading}): {one}" for one in problems]
    return tally


def play_under(scenario: Scenario, store: MemoryStore, memory: Mode = "cached") -> None:
    """Play a scenario to its end, whatever of what its table expects comes about."""
    table = set_up(scenario, store, seed=fixed_seed(scenario), memory=memory)
    opening = Line(scenario.begin.act(), scenario.dice, scenario.choose)
    for line in (opening, *scenario.script):
        play_line(table, line, spare=[])


def main() -> int:
    """Run the campaign as the command line says and print what it found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--dialect", action="append", choices=dialects(), help="only this one (repeatable)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth pair only")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    tallies = []
    for dialect in given.dialect or dialects():
        chosen = pairs(dialect)[:: given.every]
        tallies.append(campaign(dialect, counted(chosen, f"pairs of {dialect}")))
    if given.json:
        print(json.dumps([{name: getattr(one, name) for name in one.__struct_fields__} for one in tallies]))
    else:
        for one in tallies:
            print(f"{one.dialect}: {one.pairs} pairs, {len(one.failures)} failed")
            print("".join(f"  {failure}\n" for failure in one.failures), end="")
    return int(any(one.failures for one in tallies))


if __name__ == "__main__":
    sys.exit(main())
