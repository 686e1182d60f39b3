"""The mutation campaign: alter each figure of a catalogue in turn and see whether a scenario notices.

    python tests/campaigns/mutate.py srd35 [--tier core] [--rule PREFIX] [--all] [--tables] [--reviewed]

A figure counts as tested only if changing it breaks a scenario that cites its rule or is named by a clause
of it (with --all, any scenario of the dialect; a figure of 0 always by any, since what adds nothing is not
cited). It is raised by 1, and a distance by a square where that goes unnoticed. Rules that no scenario plays
are counted. The cells of tables that the text does not print are left out without --tables. What nothing can
notice is in unnoticed.toml, with reasons; --reviewed tries those too, and reports what is noticed. Each
scenario is first played once to see which figures it reads: no other can notice them. Prints what nothing
noticed, and how many scenarios read it, and ends with 1 if there is any. Progress goes to standard error.
"""

import argparse
import json
import re
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.book import Book, Figure, UnreadFigure, nudged, read_tables
from affray.engine.book.clauses import read_clauses
from affray.engine.book.rules import escape
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.table.scenario_parts import Scenario
from affray.engine.testing import check
from affray.events import MemoryStore
from affray.replay.cli.rules import cited_by
from tests.campaigns.mutants import forget
from tests.campaigns.played import counted, scenarios_of

REVIEWED = Path(__file__).with_name("unnoticed.toml")
"""The figures that nothing can notice, each with its reason."""
DISTANCES = {
    *("ft", "feet", "space", "reach", "normal", "long"),
    *("radius", "side", "length", "width", "height", "distance", "ring", "range", "speed"),
    *("lights", "travel", "truesight"),
}
"""Words in the names of figures that are in feet, or in the figures themselves ("60 feet")."""


@cache
def reviewed() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the figures that nothing can notice, as patterns of their addresses, each with its reason.

    In unnoticed.toml a "*" stands for any step of an address, such as the number of a row.
    """
    lists = tomllib.loads(REVIEWED.read_text(encoding="utf-8"))
    found = [(address, table["why"]) for table in lists["unnoticed"] for address in table["figures"]]
    found += [(address, "printed twice") for table in lists["twice"] for address in table["figures"]]
    return tuple((pattern_of(address), why) for address, why in found)


def pattern_of(address: str) -> re.Pattern[str]:
    """Return the pattern of an address in unnoticed.toml, and of all figures below it."""
    return re.compile(re.escape(address).replace(r"\*", "[^/]*") + "(/.*)?")


def is_reviewed(figure: Figure) -> bool:
    """Say whether a figure is one that nothing can notice."""
    return any(pattern.fullmatch(figure.address) for pattern, _ in reviewed())


class Witness:
    """A scenario, with the rules that it plays and the addresses of the figures that it reads.

    The address of a row or a table stands for all figures in it.
    """

    def __init__(self, scenario: Scenario, named_by: Iterable[str]) -> None:
        self.scenario, store = scenario, MemoryStore()
        with figures_read() as self.reads:
            check(scenario, store)
        self.rules = frozenset((*cited_by(store.read_all()), *named_by))
        """The rules that its log cites, and those with a clause that names it."""
        self.last_noticed = 0.0

    def has_read(self, figure: Figure) -> bool:
        """Say whether the scenario reads a figure, by itself or with others."""
        steps = figure.address.split("/")
        return any("/".join(steps[:most]) in self.reads for most in range(1, len(steps) + 1))


@contextmanager
def figures_read() -> Iterator[set[str]]:
    """Yield a set to which the addresses of all figures are added that are read meanwhile."""
    found: set[str] = set()
    read = Book.figure

    def note(book: Book, rule: str, *path: str | int) -> Any:
        # A row that is sought by a field ("name=dagger") is found by reading the whole table.
        whole = next((at for at, key in enumerate(path) if "=" in str(key)), len(path))
        found.add("/".join((rule, *(escape(key) for key in path[:whole]))))
        return read(book, rule, *path)

    forget()
    with mock.patch.object(Book, "figure", note):
        yield found
    forget()


def noticed(figure: Figure, witnesses: list[Witness]) -> bool:
    """Say whether some scenario fails once the figure is another, and remember which.

    Those that noticed a figure last are tried first: the next one is often of the same rule.
    """
    # On the map 11 feet are as far as 10: a distance is another by a square.
    words = re.split("[-_/ ]", f"{figure.address} {figure.value}")
    steps = (1,) if DISTANCES.isdisjoint(words) else (1, SQUARE_FT)
    first = sorted(witnesses, key=lambda one: one.last_noticed, reverse=True)
    for step in steps:
        for witness in first:
            if breaks(witness.scenario, figure, step):
                witness.last_noticed = time.monotonic()
                return True
    return False


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
    parser.add_argument("--reviewed", action="store_true", help="also alter the figures of unnoticed.toml")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    began = time.monotonic()
    book = Book.load(wanted.dialect)
    named: dict[str, set[str]] = {}
    for rule, clauses in read_clauses(wanted.dialect).items():
        for clause in clauses:
            named.setdefault(clause.scenario, set()).add(rule)
    cases = counted(scenarios_of(wanted.dialect), "scenarios")
    witnesses = [Witness(scenario, named.get(title, ())) for title, scenario in cases]
    tried, unplayed = 0, 0
    kept: list[str] = []
    known: list[str] = []
    figures = [
        figure
        for figure in book.figures()
        if book[figure.rule].tier == wanted.tier and figure.rule.startswith(wanted.rule)
        if wanted.tables or figure.rule not in read_tables(wanted.dialect)
    ]
    for figure in counted(figures, "figures"):
        if all(figure.rule not in one.rules for one in witnesses):
            unplayed += 1
            continue
        tried += 1
        if listed := is_reviewed(figure):
            known.append(figure.address)
            if not wanted.reviewed:
                continue
        others = wanted.all or figure.value == 0
        readers = [one for one in witnesses if (others or figure.rule in one.rules) and one.has_read(figure)]
        found = noticed(figure, readers)
        if found == listed:
            why = "reviewed, but noticed" if found else f"read by {len(readers)}"
            kept.append(f"{figure.address} = {figure.value} ({why})")
            print(f"\r{kept[-1]}", file=sys.stderr, flush=True)
    result = {
        "dialect": wanted.dialect,
        "tier": wanted.tier,
        "figures": len(figures),
        "tried": tried,
        "reviewed": len(known),
        "not played": unplayed,
        "unnoticed": kept,
        "seconds": round(time.monotonic() - began),
    }
    if wanted.json:
        print(json.dumps(result, indent=1))
    else:
        print(*kept, sep="\n", end="\n" if kept else "")
        print(
            f"{wanted.dialect}, {wanted.tier} rules: {tried} figures tried, {len(kept)} unnoticed, "
            f"{len(known)} reviewed, {unplayed} of rules that no scenario plays; {result['seconds']} s"
        )
    if kept:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
