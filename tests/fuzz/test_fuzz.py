"""Whatever comes in: a clear refusal, or a log that verifies. tests/campaigns runs it at length."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.campaigns.fights import campaign
from tests.fuzz.targets import TARGETS
from tests.house.fights import DIALECTS

EXAMPLES = {
    "act-words": 8,
    "database": 10,
    "declarations": 25,
    "effects": 25,
    "forged": 8,
    "manual": 15,
    "scenario-values": 25,
}
"""How many inputs a slow target gets; the others get 100."""


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_any_input(name: str) -> None:
    """No input of a target breaks its promise."""

    @settings(
        max_examples=EXAMPLES.get(name, 100),
        deadline=None,
        database=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.large_base_example,
        ],
    )
    @given(data=st.binary(max_size=400))
    def holds(data: bytes) -> None:
        TARGETS[name](data)

    holds()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_random_fights(dialect: str) -> None:
    """Three hundred declarations of any kind: the checks of the long campaign hold after each."""
    tally = campaign(dialect, 300, seed=900)
    assert tally.failures == []
    assert tally.refused > 0
