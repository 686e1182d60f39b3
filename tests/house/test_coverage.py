"""The rules that scenarios play and cite: the count of each dialect never falls."""

import re
from pathlib import Path

import pytest

from affray.engine.book import Book, coverage
from affray.engine.testing import check
from affray.events import MemoryStore
from affray.replay.cli.cited import cited_by
from affray.replay.rulebook.places import not_spelled_out, unnamed
from tests.scenarios.test_scenarios import CASES

SCENARIOS = Path(__file__).parents[1] / "scenarios"

#: Core and edge rules cited by the scenario tables. Raise a number when it grows; never lower it.
LEAST = {"srd35": 778, "pf1": 150, "futurepath": 190, "woa": 1021}

#: Rules that code cites by topics that it puts together from several texts, so that no search finds them.
UNNAMED = {"woa.maneuver.push.size-limits"}

#: Covered rules whose full id one search of the code does not find. Lower a number when it falls; never
#: raise it: the docstring of the function that applies a rule gives its id in full.
MOST_UNSAID = {"srd35": 329, "pf1": 131, "futurepath": 157, "woa": 438}


@pytest.mark.parametrize("dialect", sorted(LEAST))
def test_coverage_does_not_fall(dialect: str) -> None:
    """At least as many rules as before are played by scenarios and cited by their logs."""
    found: set[str] = set()
    for _, scenario in CASES:
        if scenario.dialect == dialect:
            store = MemoryStore()
            check(scenario, store)
            found |= cited_by(store.read_all())
    book = Book.load(dialect)
    assert sorted(id for id in found if id not in book and not id.startswith("ruling:")) == []
    assert len(coverage(book, found).covered) >= LEAST[dialect]
    covered = coverage(book, found).covered
    lost = sorted(set(unnamed(book, covered)) - UNNAMED)
    assert not lost, (
        f"scenarios play these rules, but no code of {dialect} names them by id or topic: name them in the "
        f"docstring of the function that applies them: {', '.join(lost)}"
    )
    unsaid = not_spelled_out(book, covered)
    assert len(unsaid) <= MOST_UNSAID[dialect], (
        f"{len(unsaid)} rules that scenarios play cannot be found by their full id in the code of {dialect}, "
        f"{MOST_UNSAID[dialect]} before: {', '.join(unsaid[:20])} ..."
    )
    text = "\n".join(file.read_text(encoding="utf-8") for file in (SCENARIOS / dialect).rglob("*.toml"))
    named = set(re.findall(rf"(?<![\w.-]){dialect}(?:\.[a-z0-9-]+)+", text))
    silent = sorted(set(covered) - named)
    assert not silent, (
        f"scenarios play these rules, but none names them: put them into the `cites` of what they expect or "
        f"of the scenario: {', '.join(silent)}"
    )
