"""The mutation campaign: alter each figure of a catalogue in turn and see whether a scenario notices.

    python tests/campaigns/mutate.py srd35 [--tier core] [--rule PREFIX] [--all] [--tables] [--json]

A figure counts as tested only if changing it breaks a scenario that cites its rule (with --all, any
scenario of the dialect; a figure of 0 always by any, since what adds nothing is not cited). It is raised by
1, and a distance by a square where that goes unnoticed. Rules that no scenario cites are counted as not
played. The cells of tables that the text does not print are left out without --tables. What nothing can
notice stands in unnoticed.toml, with reasons. Progress goes to standard error, with what nothing noticed.
"""

import argparse
import json
import re
import sys
import time
import tomllib
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.book import Book, Figure, UnreadFigure, nudged, read_tables
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.table.scenario_parts import Scenario
from affray.engine.testing import check
from affray.replay.cli.rules import cited_by
from tests.campaigns.played import counted, played, scenarios_of

REVIEWED = Path(__file__).with_name("unnoticed.toml")
"""The figures that nothing can notice, each with its reason."""
DISTANCES = ("ft", "feet", "space", "reach", "normal", "long")
"""Words in the names of figures that are in feet."""


@cache
def reviewed() -> dict[str, str]:
    """Return the figures that nothing can notice, by their addresses, each with its reason."""
    tables = tomllib.loads(REVIEWED.read_text(encoding="utf-8")).get("unnoticed", [])
    return {address: table["why"] for table in tables for address in table["figures"]}


def citing(scenarios: list[Scenario]) -> dict[str, list[Scenario]]:
    """Return, for each rule id, the scenarios whose logs cite it."""
    found: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        for rule in cited_by(played(scenario).read_all()):
            found.setdefault(rule, []).append(scenario)
    return found


def noticed(figure: Figure, scenarios: list[Scenario]) -> bool:
    """Say whether some scenario fails once the figure is another."""
    # On the map 11 feet are as far as 10: a distance is another by a square.
    steps = (1,) if set(DISTANCES).isdisjoint(re.split("[_/]", figure.path)) else (1, SQUARE_FT)
    return any(breaks(scenario, figure, step) for step in steps for scenario in scenarios)


def breaks(scenario: Scenario, figure: Figure, step: int) -> bool:
    """Say whether a scenario fails once the figure is raised by `step`."""
    try:
        check(scenario, changes={figure.address: nudged(figure.value, step)})
    except UnreadFigure:
        return False  # the rule is not in force there
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
    scenarios = [scenario for _, scenario in scenarios_of(wanted.dialect)]
    book = Book.load(wanted.dialect)
    cites = citing(scenarios)
    tried, kept, known, unplayed = 0, [], 0, 0
    figures = [
        figure
        for figure in book.figures()
        if book[figure.rule].tier == wanted.tier and figure.rule.startswith(wanted.rule)
        if wanted.tables or figure.rule not in read_tables(wanted.dialect)
    ]
    for figure in counted(figures, "figures"):
        first = cites.get(figure.rule, [])
        if not first:
            unplayed += 1
            continue
        tried += 1
        others = wanted.all or figure.value == 0
        rest = [one for one in scenarios if all(one is not cited for cited in first)] if others else []
        if not noticed(figure, first) and not noticed(figure, rest):
            if figure.address in reviewed():
                known += 1
                continue
            kept.append(figure)
            print(f"\r{figure.address} = {figure.value}", file=sys.stderr, flush=True)
    result = {
        "dialect": wanted.dialect,
        "tier": wanted.tier,
        "figures": len(figures),
        "tried": tried,
        "reviewed": known,
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
        f"{wanted.dialect}, {wanted.tier} rules: {tried} figures tried, {len(kept)} unnoticed, "
        f"{known} reviewed; {unplayed} figures of rules that no scenario plays; {result['seconds']} s"
    )


if __name__ == "__main__":
    main()
