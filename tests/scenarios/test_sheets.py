"""The sheets of the scenario tables: none is written out twice, and every name stands for one."""

from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from affray.engine.chapters import tables_in
from affray.engine.table.scenario_parts import read_text, read_toml
from tests.scenarios.cases import all_cases

HERE = Path(__file__).parent
DIALECTS = sorted(entry for entry in HERE.iterdir() if entry.is_dir() and entry.name != "__pycache__")


@cache
def written(dialect: Path) -> list[tuple[str, str, dict[str, Any]]]:
    """Return every sheet that the files of a dialect write out: the file, its name, what it holds."""
    shared = dialect / "sheets.toml"
    found = [("sheets", name, sheet) for name, sheet in read_toml(read_text(shared), str(shared)).items()]
    for file in tables_in(dialect):
        raw = read_toml(read_text(file), str(file))
        for holder in (raw, *raw.get("openings", {}).values(), *raw["scenario"].values()):
            found += [(file.stem, name, sheet) for name, sheet in holder.get("sheets", {}).items()]
            own = {one["id"]: one for one in holder.get("combatants", ()) if not isinstance(one, str)}
            placed = [one for one in (*own.items(), *holder.get("but", {}).items()) if "sheet" in one[1]]
            found += [(file.stem, f"that of {id}", one["sheet"]) for id, one in placed]
    return found


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda folder: folder.name)
def test_no_sheet_is_written_out_twice(dialect: Path) -> None:
    """Within a dialect a sheet stands once; what several tables use stands in `sheets.toml`."""
    places = defaultdict(list)
    for file, name, sheet in written(dialect):
        places[msgspec.json.encode(sheet, order="sorted")].append(f"{file}: {name}")
    assert [where for where in places.values() if len(where) > 1] == []


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda folder: folder.name)
def test_a_name_stands_for_one_sheet(dialect: Path) -> None:
    """Within a dialect two sheets that differ have names that differ."""
    places = defaultdict(list)
    for file, name, _ in written(dialect):
        if not name.startswith("that of "):
            places[name].append(file)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda folder: folder.name)
def test_every_named_sheet_is_used(dialect: Path) -> None:
    """A sheet that no combatant uses is no part of a test; one of `sheets.toml` has several tables."""
    users = defaultdict(set)
    for title, scenario in all_cases():
        if scenario.dialect == dialect.name:
            for one in scenario.combatants:
                users[one.use].add(title.partition(":")[0].partition("/")[2])
    named = [(file, name) for file, name, _ in written(dialect) if not name.startswith("that of ")]
    assert [(file, name) for file, name in named if not users[name]] == []
    assert [name for file, name in named if file == "sheets" and len(users[name]) < 2] == []
