"""Every scenario table of every dialect, played strictly."""

from pathlib import Path

import pytest

from affray.engine.book.catalogue import Seen, read_seen
from affray.engine.chapters import CHAPTERS, tables_in
from affray.engine.table.scenario import read_scenarios
from affray.engine.table.scenario_parts import Scenario
from affray.engine.vocabulary import undeclared
from tests.referee.referee import judged
from tests.scenarios.plays import Plays, checked, played

HERE = Path(__file__).parent
DIALECTS = sorted(entry for entry in HERE.iterdir() if entry.is_dir() and entry.name != "__pycache__")


def collected() -> list[tuple[str, Scenario]]:
    """Return all scenarios with their names: by dialect, then by the name of the file."""
    found = []
    for folder in DIALECTS:
        for file in tables_in(folder):
            for scenario in read_scenarios(file, within=folder):
                found.append((f"{folder.name}/{file.stem}: {scenario.name}", scenario))
    return found


CASES = collected()


def cases_of(dialect: str) -> dict[str, Scenario]:
    """Return the scenarios of a dialect by title."""
    return {title: case for title, case in CASES if case.dialect == dialect}


SEEN = {dialect.name: read_seen(dialect.name) for dialect in DIALECTS}

HOW = "run python tests/house/seen_in_play.py, then python tests/house/word_docs.py"


@pytest.mark.parametrize(("title", "scenario"), CASES, ids=[name for name, _ in CASES])
def test_scenario(title: str, scenario: Scenario, plays: Plays) -> None:
    """A scenario plays as its table says, to the last die, and asks what its dialect says it asks.

    The referee, who reads nothing but the events, has nothing against its log. The campaign on memory
    (tests/campaigns/modes.py) plays it again checked, uncached and reopened.
    """
    play, store = checked(title, scenario)
    assert judged(event.data for event in store.read("main")) == []
    rolls = [one.name for one in play.everything if one.kind == "rolls"]
    answers = [(one.name, option) for one in play.everything for option in one.options]
    assert not undeclared(scenario.dialect, rolls, answers)
    seen = SEEN[scenario.dialect]
    assert all(one.name in getattr(seen.get(one.act, Seen()), one.kind) for one in play.everything), HOW
    plays.add(play)


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
