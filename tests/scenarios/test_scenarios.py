"""What holds of all scenario tables; conftest.py plays each scenario."""

from pathlib import Path

import pytest

from affray.engine.chapters import CHAPTERS, tables_in
from tests.scenarios.cases import DIALECTS, all_cases
from tests.scenarios.plays import played


def test_a_scenario_without_a_seed_has_its_own() -> None:
    """What a table leaves to chance falls the same every time it is played, as its name says."""
    name = "srd35/sneak-attack: "
    found = next(
        case for title, case in all_cases() if title.startswith(name) and "a feint opens the way" in title
    )
    heads = [played(found, memory=True).head("main") for _ in range(3)]
    assert not found.seed
    assert heads[0] == heads[1] == heads[2]


def test_names_are_unique() -> None:
    """No two scenarios share a name, so that a report points at one."""
    names = [name for name, _ in all_cases()]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda folder: folder.name)
def test_tables_stand_in_chapters(dialect: Path) -> None:
    """Every folder of a dialect is a chapter, and holds tables; chapters may have tables of one name."""
    assert {entry.name for entry in dialect.iterdir() if entry.is_dir()} <= set(CHAPTERS)
    assert tables_in(dialect)
