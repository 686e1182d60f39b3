"""Every reading of a contested rule is played: the options of the dialects and the scenario tables."""

import pytest

from affray.engine.book import Book
from affray.engine.table.scenario import packaged, set_up
from affray.engine.table.tactics import play_on
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.replay.verification import verify
from affray.replay.whatif import what_if
from tests.scenarios.test_scenarios import CASES

#: Readings other than the default that no scenario plays yet. Never add to it.
UNPLAYED = {"srd35": 0, "pf1": 2, "futurepath": 7, "woa": 0}


@pytest.mark.parametrize("dialect", sorted(UNPLAYED))
def test_readings_are_played(dialect: str) -> None:
    """Every reading that is not the default is an option of some scenario, or counted as missing."""
    played = {
        (option, {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value)
        for _, scenario in CASES
        if scenario.dialect == dialect
        for option, value in scenario.options.items()
    }
    missing = [
        f"{entry.option}={reading.name}"
        for entry in Book.load(dialect).contested.values()
        for reading in entry.readings
        if reading.name != entry.default and (entry.option, reading.name) not in played
    ]
    assert len(missing) <= UNPLAYED[dialect], missing


@pytest.mark.parametrize("dialect", sorted(UNPLAYED))
def test_readings_can_be_flipped_afterwards(dialect: str) -> None:
    """A what-if decides the packaged fight again under every other reading, and what comes of it verifies."""
    store = MemoryStore()
    table = set_up(packaged(f"demo_{dialect}"), store, seed=b"another reading")
    table.declare(acts.Begin())
    play_on(table, 5)
    for entry in Book.load(dialect).contested.values():
        for reading in entry.readings:
            if reading.name != entry.default:
                made = what_if(store, reading={entry.option: reading.name}, name=entry.option + reading.name)
                assert verify(store, made.name).ok, (entry.option, reading.name)
