"""The campaign of the notation in small: random logs of each dialect come back, damaged texts are named."""

from collections import Counter

import pytest

from tests.campaigns.notation import MOST_SPOILED, checked
from tests.house.fights import DIALECTS


@pytest.mark.parametrize("dialect", DIALECTS)
def test_random_logs_come_back(dialect: str) -> None:
    """Branches, rulings, merges, dice by hand and who was carried: the same events, from text and back."""
    counts: Counter[str] = Counter()
    for seed in (3, 4):
        checked(dialect, seed, counts)
    assert counts["logs"] == 2
    assert counts["read"] + counts["refused"] == 2 * MOST_SPOILED
