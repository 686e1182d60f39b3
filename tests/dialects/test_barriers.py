"""What a map says of its barriers counts in the dialect, or opens no fight."""

import pytest

from affray.engine.grid.battlefield import GridError
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.facts.sheet import Barrier

BETWEEN = ((1, 0), (2, 0))


def opened(dialect: str, **said: str | int) -> Table:
    """Return a fight on a map with such a barrier."""
    return Table.create(
        MemoryStore(), dialect=dialect, terrain=["....."], barriers=[Barrier(*BETWEEN, **said)]
    )


@pytest.mark.parametrize(
    ("dialect", "said"),
    [
        ("srd35", {}),
        ("srd35", {"check": "jump", "dc": 10}),
        ("pf1", {}),
        ("pf1", {"check": "climb", "dc": 10}),
        ("woa", {}),
        ("woa", {"dc": 12}),
        ("woa", {"check": "athletics"}),
        ("futurepath", {"cover": "low"}),
        ("futurepath", {"cover": "high"}),
    ],
)
def test_barriers_that_count(dialect: str, said: dict[str, str | int]) -> None:
    """A barrier hampers or covers, by a check of its own where the dialect asks for one."""
    assert opened(dialect, **said).state.barriers == (Barrier(*BETWEEN, **said),)


@pytest.mark.parametrize(
    ("dialect", "said", "reason"),
    [
        ("srd35", {"dc": 10}, "has a DC, but no check"),
        ("pf1", {"dc": 10}, "has a DC, but no check"),
        ("woa", {"check": "jump"}, "asks for jump, where obstacles are crossed by acrobatics or athletics"),
        ("futurepath", {}, "neither covers nor, by any rule, hampers its crossing"),
        ("futurepath", {"cover": "low", "dc": 10}, "asks for a check, and no rule hampers its crossing"),
        ("futurepath", {"check": "climb", "dc": 10}, "asks for a check, and no rule hampers its crossing"),
    ],
)
def test_barriers_that_mean_nothing(dialect: str, said: dict[str, str | int], reason: str) -> None:
    """What would be said for nothing is refused with the reason."""
    with pytest.raises(GridError, match=f"the barrier between .* {reason} in {dialect}"):
        opened(dialect, **said)
