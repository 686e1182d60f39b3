"""The rules that scenarios play and cite: the count of each dialect never falls."""

import re
from pathlib import Path

import pytest

from affray.engine.book import Book, coverage
from affray.engine.book.clauses import read_clauses
from affray.replay.rulebook.places import find_ids_not_in_code
from tests.relatives import RELATIVES
from tests.scenarios.cases import cases_of
from tests.scenarios.plays import Plays

SCENARIOS = Path(__file__).parents[1] / "scenarios"

#: Core and edge rules cited by the scenario tables. Raise a number when it grows; never lower it.
LEAST = {"srd35": 781, "pf1": 429, "futurepath": 568, "woa": 1024, "srd52": 736}


@pytest.mark.parametrize("dialect", sorted(LEAST))
def test_coverage_does_not_fall(dialect: str, all_plays: Plays) -> None:
    """At least as many rules as before are played by scenarios and cited by their logs."""
    found = set().union(*(play.cites for play in all_plays.of(cases_of(dialect))))
    book = Book.load(dialect)
    assert sorted(id for id in found if id not in book and not id.startswith("ruling:")) == []
    assert len(coverage(book, found).covered) >= LEAST[dialect]
    covered = coverage(book, found).covered
    # A dialect on the kernel names its rules by topic, such as "attacks.hit": a search for ids finds none.
    lost = find_ids_not_in_code(book, covered) if dialect in RELATIVES else []
    assert not lost, (
        f"scenarios play these rules, but a search of {dialect}'s code for their ids finds nothing: name "
        f"them in full where they are applied, in shared steps in the docstring: {', '.join(lost)}"
    )
    text = "\n".join(file.read_text(encoding="utf-8") for file in (SCENARIOS / dialect).rglob("*.toml"))
    named = set(re.findall(rf"(?<![\w.-]){dialect}(?:\.[a-z0-9-]+)+", text))
    named |= {rule for rule, stated in read_clauses(dialect).items() if any(one.scenario for one in stated)}
    silent = sorted(set(covered) - named)
    assert not silent, (
        f"scenarios play these rules, but neither they nor clauses name them: put them into the `cites` of "
        f"what they expect: {', '.join(silent)}"
    )
