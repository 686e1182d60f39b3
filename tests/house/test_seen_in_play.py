"""What declarations are said to roll and ask is no more than what they do in play.

That it is no less is seen with each scenario, in tests/scenarios/conftest.py.
"""

import pytest

from affray.engine.book.catalogue import read_seen
from affray.engine.book.packages import shipped
from tests.scenarios.cases import HOW, cases_of
from tests.scenarios.plays import Plays


@pytest.mark.parametrize("dialect", shipped())
def test_what_is_listed_was_seen(dialect: str, all_plays: Plays) -> None:
    """Each roll and question listed with a declaration comes in some scenario that declares it."""
    lacking = {
        (act, kind, name)
        for act, seen in read_seen(dialect).items()
        for kind, names in (("rolls", seen.rolls), ("asks", seen.asks))
        for name in names
    }
    for play in all_plays.of(cases_of(dialect)):
        lacking -= {(one.act, one.kind, one.name) for one in play.everything}
    assert not lacking, HOW
