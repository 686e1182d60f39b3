"""Scenarios under other readings, in small: `python tests/campaigns/readings.py` is the whole."""

import pytest

from affray.engine.book.catalogue import dialects
from tests.campaigns.readings import campaign, pairs

SAMPLE = 120
"""So many pairs of each dialect, spread over all of them."""


@pytest.mark.parametrize("dialect", dialects())
def test_scenarios_play_under_other_readings(dialect: str) -> None:
    """No fault, no objection of the referee, and every log verifies."""
    found = pairs(dialect)
    chosen = found[:: len(found) // SAMPLE]
    tally = campaign(dialect, chosen)
    assert tally.failures == []
    assert tally.pairs == len(chosen) >= SAMPLE
