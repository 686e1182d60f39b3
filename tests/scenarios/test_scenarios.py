"""Every scenario table of every dialect, played strictly."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.engine.book.source import MEANWHILE, Seen, read_seen
from affray.engine.chapters import CHAPTERS, tables_in
from affray.engine.table.scenario import Scenario, fixed_seed, play, read_scenarios
from affray.engine.testing import check
from affray.engine.vocabulary import listed_as, undeclared
from affray.events import MemoryStore
from affray.events.codec import decode
from tests.referee.referee import judged

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

SEEN = {dialect.name: read_seen(dialect.name) for dialect in DIALECTS}

HOW = "run python tests/house/seen_in_play.py, then python tests/house/word_docs.py"


@pytest.mark.parametrize("scenario", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_scenario(scenario: Scenario) -> None:
    """A scenario plays as its table says, to the last die, and asks what its dialect says it asks.

    The referee, who reads nothing but the events, has nothing against its log, which is the same byte for
    byte if nothing is remembered.
    """
    store = MemoryStore()
    check(scenario, store)
    assert judged(event.data for event in store.read("main")) == []
    found = list(heard(store))
    rolls = [name for _, kind, name, _ in found if kind == "rolls"]
    answers = [(name, option) for _, _, name, options in found for option in options]
    assert not undeclared(scenario.dialect, rolls, answers)
    seen = SEEN[scenario.dialect]
    assert all(name in getattr(seen.get(act, Seen()), kind) for act, kind, name, _ in found), HOW
    if scenario.auto:
        store = played(scenario, memory=True)
    assert store.head("main") == played(scenario, memory=False).head("main")


def played(scenario: Scenario, memory: bool) -> MemoryStore:
    """Return a scenario's log, what its table leaves to the policies included."""
    store = MemoryStore()
    table = play(scenario, store, seed=fixed_seed(scenario), strict=True, memory=memory)
    assert table.fight.memory.keeps is memory
    return store


def heard(store: MemoryStore) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Yield what was rolled and asked in a fight: in which declaration, which of both, its name, the answers.

    What is rolled and asked in an attack of opportunity or in a readied act belongs to that.
    """
    act = ""
    for event in store.read("main"):
        if event.type == "declared":
            act = str(decode(event).act.__struct_config__.tag)
        elif event.type in ("rolled", "chosen"):
            fact = decode(event)
            _, scope, name, _ = fact.key.split("/")
            within = act
            if "aoo:" in scope or "ready:" in scope:
                within = MEANWHILE[scope.rfind("ready:") > scope.rfind("aoo:")]
            kind, options = ("rolls", ()) if event.type == "rolled" else ("asks", fact.options)
            yield within, kind, listed_as(name), options


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
    """Every folder of a dialect is a chapter, and holds tables; chapters may have tables of one name."""
    assert {entry.name for entry in dialect.iterdir() if entry.is_dir()} <= set(CHAPTERS)
    assert tables_in(dialect)
