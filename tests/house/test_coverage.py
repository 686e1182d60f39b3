"""The rules that scenarios play and cite: the count of each dialect never falls."""

import pytest

from affray.engine.book import Book, coverage
from affray.engine.testing import check
from affray.events import MemoryStore
from affray.replay.cli.cited import cited_by
from tests.scenarios.test_scenarios import CASES

#: Core and edge rules cited by the scenario tables. Raise a number when it grows; never lower it.
LEAST = {"srd35": 778, "pf1": 150, "futurepath": 190, "woa": 1021}


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
