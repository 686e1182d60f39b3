"""Printed creatures against each other, in small: `python tests/campaigns/creatures.py` is the whole."""

import pytest

from tests.campaigns.creatures import campaign
from tests.statblock.printing import DATA

FIGHTS = 5

pytestmark = pytest.mark.skipif(not DATA.exists(), reason=f"no printed creatures at {DATA}")


@pytest.mark.parametrize("dialect", ["pf1", "srd35"])
def test_random_pairs_fight_to_an_end(dialect: str) -> None:
    """No fault, no objection of the referee; each log verifies, each fight ends or reaches its limit."""
    tally = campaign(dialect, range(FIGHTS))
    assert tally.failures == []
    assert tally.unlike == {}
    assert tally.fights == FIGHTS == sum(tally.ends.values())
