"""The citation campaign in small: a citation without a part is found, and the tables have none."""

import pytest

from affray.engine.book import Book
from affray.engine.book.rules import walk
from tests.campaigns.again import Citing, Decided, decided
from tests.campaigns.citations import campaign, listed, unmoved
from tests.campaigns.played import scenarios_of


@pytest.mark.parametrize("part", ["srd35/charge", "woa/charging", "pf1/charge", "futurepath/disarm"])
def test_no_citation_is_left_unexplained(part: str) -> None:
    """In these tables each rule that is cited has a part, or a reason to be cited."""
    found = campaign(part.partition("/")[0], part=part)
    assert found.tried > 50
    assert found.unexplained() == []


def test_a_rule_without_a_part_is_found() -> None:
    """A citation of falling on a charge is a suspect, that of the charge itself is none."""
    book = Book.load("srd35")
    name, scenario = next(one for one in scenarios_of("srd35") if one[0].startswith("srd35/charge"))
    one = next(one for one in decided(name, scenario) if "srd35.charge.attack" in one.cites)
    wrong = planted(one, "srd35.falling.damage")
    assert unmoved(wrong, list(walk(wrong, book[wrong].figures)), [one])[0] == {0}
    right = "srd35.charge.attack"
    assert unmoved(right, list(walk(right, book[right].figures)), [one])[0] == set()


def planted(one: Decided, rule: str) -> str:
    """Let the last event of a declaration cite a rule; return the rule."""
    one.cites[rule] = [Citing(one.events[-1], False)]
    return rule


def test_reasons_are_given_for_rules_that_exist() -> None:
    """Every rule of citations.toml stands in its catalogue, with numbers among its figures."""
    books = {name: Book.load(name) for name in ("srd35", "woa", "pf1", "futurepath")}
    for rule in listed():
        assert list(walk(rule, books[rule.partition(".")[0]][rule].figures)), rule
