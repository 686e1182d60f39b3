"""Every scenario table of every dialect, played strictly."""

from pathlib import Path

import pytest

from affray.engine.chapters import CHAPTERS, tables_in
from affray.engine.table.scenario import Scenario, fixed_seed, play, read_scenarios
from affray.engine.testing import check
from affray.engine.vocabulary import undeclared
from affray.events import MemoryStore
from affray.events.codec import decode

HERE = Path(__file__).parent
DIALECTS = sorted(entry for entry in HERE.iterdir() if entry.is_dir() and entry.name != "__pycache__")


def collected() -> list[tuple[str, Scenario]]:
    """Return all scenarios with their names: by dialect, then by the name of the file."""
    found = []
    for folder in DIALECTS:
        for file in tables_in(folder):
            for scenario in read_scenarios(file):
                found.append((f"{folder.name}/{file.stem}: {scenario.name}", scenario))
    return found


CASES = collected()


@pytest.mark.parametrize("scenario", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_scenario(scenario: Scenario) -> None:
    """A scenario plays as its table says, to the last die, and asks what its dialect says it asks.

    Its log is the same byte for byte if nothing is remembered.
    """
    store = MemoryStore()
    check(scenario, store)
    rolls, answers = heard(store)
    assert not undeclared(scenario.dialect, rolls, answers)
    if scenario.auto:
        store = played(scenario, memory=True)
    assert store.head("main") == played(scenario, memory=False).head("main")


def played(scenario: Scenario, memory: bool) -> MemoryStore:
    """Return a scenario's log, what its table leaves to the policies included."""
    store = MemoryStore()
    table = play(scenario, store, seed=fixed_seed(scenario), strict=True, memory=memory)
    assert table.fight.memory.keeps is memory
    return store


def heard(store: MemoryStore) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the names of the rolls of a fight, and of its questions with each of their options."""
    rolls: list[str] = []
    answers: list[tuple[str, str]] = []
    for event in store.read("main"):
        if event.type in ("rolled", "chosen"):
            fact = decode(event)
            name = fact.key.split("/")[-2]
            if event.type == "rolled":
                rolls.append(name)
            else:
                answers += [(name, option) for option in fact.options]
    return rolls, answers


def test_a_scenario_without_a_seed_has_its_own() -> None:
    """What a table leaves to chance falls the same every time it is played, as its name says."""
    name = "srd35/sneak-attack: "
    found = next(case for title, case in CASES if title.startswith(name) and "a feint opens the way" in title)
    heads = [played(found, memory=True).head("main") for _ in range(3)]
    assert not found.seed
    assert heads[0] == heads[1] == heads[2]


def test_names_are_unique() -> None:
    """No two scenarios share a name, so that a report points at one."""
    names = [name for name, _ in CASES]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda folder: folder.name)
def test_tables_stand_in_chapters(dialect: Path) -> None:
    """Every folder of a dialect is a chapter, and no two of its tables share a name."""
    assert {entry.name for entry in dialect.iterdir() if entry.is_dir()} <= set(CHAPTERS)
    names = [file.name for file in tables_in(dialect)]
    assert names
    assert len(names) == len(set(names))
