"""The mutation campaign: alter each figure of a catalogue in turn and see whether a scenario notices.

    python tests/campaigns/mutate.py srd35 [--tier core] [--rule PREFIX] [--all] [--tables] [--json]

A figure counts as tested only if changing it breaks a scenario that cites its rule (with --all, any
scenario of the dialect). Rules that no scenario cites are counted as not played. The cells of tables that
the text does not print are left out without --tables. Progress goes to standard error.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.book import Book, Figure, nudged, read_tables
from affray.engine.scenario import Scenario
from affray.engine.testing import check
from affray.events import MemoryStore
from affray.replay.cli.cited import cited_by
from tests.scenarios.test_scenarios import CASES


def citing(scenarios: list[Scenario]) -> dict[str, list[Scenario]]:
    """Return, for each rule id, the scenarios whose logs cite it."""
    found: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        store = MemoryStore()
        check(scenario, store)
        for rule in cited_by(store.read_all()):
            found.setdefault(rule, []).append(scenario)
    return found


def noticed(figure: Figure, scenarios: list[Scenario]) -> bool:
    """Say whether some scenario fails once the figure is another."""
    changes = {figure.address: nudged(figure.value)}
    for scenario in scenarios:
        try:
            check(scenario, changes=changes)
        except Exception:
            return True  # whatever breaks, the change has been noticed
    return False


def main() -> None:
    """Run the campaign and print what nothing noticed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dialect")
    parser.add_argument("--tier", choices=("core", "edge"), default="core", help="which rules (default core)")
    parser.add_argument("--rule", default="", help="only rules whose id begins so")
    parser.add_argument("--all", action="store_true", help="also try scenarios that do not cite the rule")
    parser.add_argument("--tables", action="store_true", help="also alter the assumed cells of tables")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    began = time.monotonic()
    scenarios = [case for _, case in CASES if case.dialect == wanted.dialect]
    book = Book.load(wanted.dialect)
    cites = citing(scenarios)
    tried, kept, unplayed = 0, [], 0
    figures = [
        figure
        for figure in book.figures()
        if book[figure.rule].tier == wanted.tier and figure.rule.startswith(wanted.rule)
        if wanted.tables or figure.rule not in read_tables(wanted.dialect)
    ]
    for number, figure in enumerate(figures, 1):
        first = cites.get(figure.rule, [])
        if not first:
            unplayed += 1
            continue
        tried += 1
        rest = [scenario for scenario in scenarios if scenario not in first] if wanted.all else []
        if not noticed(figure, first) and not noticed(figure, rest):
            kept.append(figure)
        print(f"\r{number}/{len(figures)} figures, {len(kept)} unnoticed", end="", file=sys.stderr)
    print(file=sys.stderr)
    result = {
        "dialect": wanted.dialect,
        "tier": wanted.tier,
        "figures": len(figures),
        "tried": tried,
        "not played": unplayed,
        "unnoticed": [f"{figure.address} = {figure.value}" for figure in kept],
        "seconds": round(time.monotonic() - began),
    }
    if wanted.json:
        print(json.dumps(result, indent=1))
        return
    for line in result["unnoticed"]:
        print(line)
    print(
        f"{wanted.dialect}, {wanted.tier} rules: {tried} figures tried, {len(kept)} unnoticed; "
        f"{unplayed} figures of rules that no scenario plays; {result['seconds']} s"
    )


if __name__ == "__main__":
    main()
