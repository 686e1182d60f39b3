"""Every reading of a contested rule counts: it plays a scenario otherwise, or cannot be chosen yet."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from affray.engine.book import Book, UnreadOption
from affray.engine.book.catalogue import dialects
from affray.engine.table.scenario import fixed_seed, packaged, play, set_up
from affray.engine.table.scenario_parts import Scenario
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.events import MemoryStore
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if
from tests.scenarios.cases import all_cases

#: The option, its reading and the dialect, of all readings that are no defaults.
OTHERS = [
    pytest.param(dialect, entry.option, reading.name, id=f"{dialect}: {entry.option}={reading.name}")
    for dialect in dialects()
    for entry in Book.load(dialect).contested.values()
    for reading in entry.readings
    if reading.name != entry.default
]


def spelled(value: str | bool) -> str:
    """Return the name of a reading as a scenario gives it."""
    return value if isinstance(value, str) else ("on" if value else "off")


def played(scenario: Scenario) -> Iterator[bytes]:
    """Yield what happens in a scenario, event by event, until its dice or answers no longer fit.

    Left out is what names the readings themselves: the opening, and the digests of the state.
    """
    store = MemoryStore()
    try:
        play(scenario, store, seed=fixed_seed(scenario))
    except AffrayError as fault:
        yield repr(fault).encode()
    yield from (
        event.data for event in store.read("main") if event.type not in ("encounter.opened", "round.ended")
    )


@pytest.mark.parametrize(("dialect", "option", "reading"), OTHERS)
def test_a_reading_changes_what_happens(dialect: str, option: str, reading: str) -> None:
    """Some scenario under the reading happens otherwise without it, unless nobody can choose it yet."""
    if Book.load(dialect).contested[option].awaits:
        with pytest.raises(UnreadOption, match=f"no rule of {dialect} reads option {option} yet"):
            Table.create(MemoryStore(), dialect=dialect, terrain=["."], options={option: reading})
        return
    under = [
        one
        for _, one in all_cases()
        if one.dialect == dialect and spelled(one.options.get(option, "")) == reading
    ]
    assert any(list(played(one)) != list(played(without(one, option))) for one in under), "nothing changes"


def without(scenario: Scenario, option: str) -> Scenario:
    """Return a scenario that leaves an option at its default."""
    return replace(
        scenario, options={name: value for name, value in scenario.options.items() if name != option}
    )


@pytest.mark.parametrize("dialect", dialects())
def test_readings_can_be_flipped_afterwards(dialect: str) -> None:
    """A what-if decides the packaged fight again under every other reading, and what comes of it verifies."""
    store = MemoryStore()
    table = set_up(packaged(f"demo_{dialect}"), store, seed=b"another reading")
    table.declare(acts.Begin())
    play_on(table, 5)
    for entry in Book.load(dialect).contested.values():
        for reading in entry.readings:
            if reading.name == entry.default:
                continue
            if entry.awaits:
                with pytest.raises(UnreadOption):
                    what_if(store, reading={entry.option: reading.name})
                continue
            made = what_if(store, reading={entry.option: reading.name}, name=entry.option + reading.name)
            assert verify(store, made.name).ok, (entry.option, reading.name)
