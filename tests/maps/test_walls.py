"""Nobody goes or strikes through a wall between squares, whatever is declared; a longer run is a campaign."""

import pytest

from tests.campaigns.walls import Counts, play
from tests.house.fights import DIALECTS


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nobody_crosses_a_wall(dialect: str) -> None:
    """In random fights among random walls and doors no step, push, fall or blow crosses one."""
    counts = Counts()
    for seed in range(2):
        play(dialect, seed, counts, most=20)
    assert counts.declarations
