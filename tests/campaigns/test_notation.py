"""The campaign of the notation in small: random logs of each dialect come back, damaged texts are named."""

from collections import Counter

import pytest

from tests.campaigns.notation import MOST_SPOILED, checked
from tests.house.fights import DIALECTS

SEEDS = {"srd35": 4, "pf1": 24, "futurepath": 6, "woa": 2, "srd52": 8}
"""Fights that have three lines and more."""


@pytest.mark.parametrize("dialect", DIALECTS)
def test_random_logs_come_back(dialect: str) -> None:
    """Branches, rulings, merges, dice by hand and who was carried: the same events, from text and back."""
    counts: Counter[str] = Counter()
    assert checked(dialect, SEEDS[dialect], counts) == []
    assert counts["branches"] > 2
    assert counts["read"] + counts["refused"] == MOST_SPOILED
