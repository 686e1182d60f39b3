"""How lost ability points are told: damage lowers the score in some rules, and in others it does not."""

from pathlib import Path

import pytest

from affray.engine.table.scenario import fixed_seed, play, read_scenarios
from affray.engine.text.narrate import lines
from affray.events import MemoryStore
from affray.events.codec import decode

SCENARIOS = Path(__file__).parents[1] / "scenarios"


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("pf1/classes/creatures.toml", "Brute takes 2 points of Constitution damage (filth fever)"),
        ("pf1/classes/creatures.toml", "Brute loses 2 Charisma, down to 8 (wasting)"),
        ("srd35/classes/crippling.toml", "loses 2 Strength, down to 14 (crippling strike)"),
    ],
)
def test_lost_points_say_what_they_leave(table: str, told: str) -> None:
    """A score is named where it has changed; where damage leaves it as it is, the damage is."""
    said = []
    for scenario in read_scenarios(SCENARIOS / table, within=SCENARIOS):
        store = MemoryStore()
        play(scenario, store, seed=fixed_seed(scenario), strict=True)
        said += lines(decode(event) for event in store.read("main"))
    assert told in " ".join(" ".join(said).split())
