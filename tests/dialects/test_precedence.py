"""Old rules and new ones: each pair that excludes each other is played both ways."""

from pathlib import Path

import affray.engine.dialects.futurepath as futurepath
from affray.engine.book import Book
from tests.scenarios.cases import cases_of
from tests.scenarios.plays import Plays


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


def test_each_situation_of_an_exception_is_one_that_a_rule_asks_about() -> None:
    """What an exception waits for is no contested option, or some rule's code says whether it holds."""
    book = Book.load("futurepath")
    folder = Path(futurepath.__file__).parent
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))
    asked = {
        name for one in book.precedence.said.exceptions for name in one.when if name not in book.contested
    }
    assert {name for name in asked if f'{{"{name}": ' not in code} == set()
