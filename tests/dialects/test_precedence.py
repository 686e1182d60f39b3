"""Old rules and new ones: each pair that excludes each other is played both ways."""

from affray.engine.book import Book
from tests.scenarios.plays import Plays
from tests.scenarios.test_scenarios import cases_of


def test_each_side_of_each_exception_is_played(all_plays: Plays) -> None:
    """A scenario cites the rule that takes precedence, and one the rule that it takes precedence over."""
    cited = set[str]().union(*(play.cites for play in all_plays.of(cases_of("futurepath"))))
    said = Book.load("futurepath").precedence.said
    sides = dict.fromkeys(id for one in said.exceptions for id in (one.over, one.rule))
    assert [id for id in sides if id not in cited] == []


def test_each_reading_that_goes_with_the_old_rules_is_another_one_than_the_default() -> None:
    """What the old edition brings changes something."""
    book = Book.load("futurepath")
    for option, reading in book.precedence.said.otherwise.items():
        assert reading != book.contested[option].default
