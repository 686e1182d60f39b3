"""The rulebook as a page: each rule with its code, its scenarios, its readings and what it gives way to."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from affray.engine.book import Book, dialects
from affray.engine.book.clauses import Clause
from affray.engine.chapters import CHAPTERS
from affray.replay.rulebook.page import OTHER, Woven, chapter_of, read_scenario_at, rulebook, source_of, woven
from affray.replay.rulebook.places import SourcePlace
from tests.cli.conftest import called

pytestmark = pytest.mark.slow


class Addresses(HTMLParser):
    """The addresses within a page, and the links to them."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note down what a tag is called and links to."""
        found = dict(attrs)
        assert tag != "script"
        if found.get("id"):
            self.ids.append(found["id"] or "")
        if (found.get("href") or "").startswith("#"):
            self.links.append((found["href"] or "")[1:])


@cache
def whole(dialect: str) -> tuple[Woven, ...]:
    """Return the woven rules of a dialect, which are frozen: they take seconds."""
    return tuple(woven(dialect))


@pytest.mark.parametrize("dialect", sorted(dialects()))
def test_every_rule_has_an_address_and_no_link_leads_nowhere(dialect: str) -> None:
    """Every id of the catalogue is one place of the page; links within it lead to one."""
    rules = whole(dialect)
    page = rulebook(dialect, dialect, [*rules])
    found = Addresses()
    found.feed(page)
    assert len(found.ids) == len(set(found.ids))
    assert {rule.id for rule in Book.load(dialect)} <= set(found.ids)
    assert set(found.links) <= set(found.ids)
    assert {one.chapter for one in rules} <= {*CHAPTERS, OTHER}


def test_a_rule_is_woven_with_what_plays_and_proves_it() -> None:
    """The charge of srd35: its figure, its function whole, a scenario whole."""
    found = {one.rule.id: one for one in whole("srd35")}["srd35.charge.attack"]
    assert found.chapter == "attacks"
    assert any("def " in source_of(place) for place in found.code)
    assert found.scenarios
    told = read_scenario_at(found.scenarios[0])
    assert "[scenario." in told
    assert "srd35.charge.attack" in told


def test_what_takes_precedence_says_so_on_both_sides() -> None:
    """The length of a round: the new rule over the old one."""
    rules = {one.rule.id: one for one in whole("futurepath")}
    new, old = rules["futurepath.round.duration"], rules["futurepath.round.duration.legacy"]
    assert [one.over for one in new.over] == [old.rule.id]
    assert [one.rule for one in old.under] == [new.rule.id]
    page = rulebook("futurepath", "Futurepath", [new, old])
    assert 'Is overridden by <a href="#futurepath.round.duration">' in page
    assert "round_seconds = two" in page


def test_nothing_of_a_catalogue_is_markup() -> None:
    """Titles, texts and figures are shown as they are."""
    rule = next(iter(Book.load("srd35")))
    rule = type(rule)("srd35.x", "<b>", "<i>", "k", "<script>", "core", "text", {"<u>": "<s>"})
    clause = Clause(1, "effect", "<b>", no_effect="<i>")
    page = rulebook("srd35", "<h6>", [Woven(rule, "turns", (), (), None, (clause,), (), ())])
    assert not re.search(r"<(b|i|script|u|s|h6)>", page)


def test_a_rule_belongs_where_most_of_its_code_stands() -> None:
    """Without code where its scenarios stand, without both beside the chapters."""
    trip = SourcePlace("engine/rules/maneuvers/trip.py", 1, "trip")
    fall = SourcePlace("tests/scenarios/srd35/movement/falls.toml", 1, "a fall")
    assert chapter_of((trip,), (fall, fall)) == "maneuvers"
    assert chapter_of((), (fall,)) == "movement"
    assert chapter_of((), ()) == OTHER


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    """A file that stands by itself; standard error has the progress, standard output nothing."""
    out = tmp_path / "rules.html"
    found = called("rules", "pf1", "--page", "--out", str(out))
    assert found.exit_code == 0
    assert 'id="pf1.trip' in out.read_text(encoding="utf-8")
    assert called("rules", "--page").exit_code == 2
