"""Fights that are opened with everybody in them: `affray new --encounter`."""

import json
from pathlib import Path

import pytest

from affray.engine.table.scenario import packaged, packaged_names
from affray.projections.fold import fold
from affray.replay.cli.terminal.base import reading
from tests.cli.conftest import Run


@pytest.mark.parametrize("name", packaged_names())
def test_an_encounter_is_open_and_not_begun(run: Run, tmp_path: Path, name: str) -> None:
    """Its map, its readings and everybody in it are there, and nothing of its script has been played."""
    db, scenario = tmp_path / "fight.db", packaged(name)
    result = run("new", db, "--encounter", name)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    with reading(db) as store:
        events = list(store.read("main"))
        state = fold(events)
    assert state.terrain == scenario.map
    assert state.dialect == scenario.dialect
    assert {id: (one.side, one.at, one.hp) for id, one in state.combatants.items()} == {
        one.id: (one.side, one.at, one.hp or state.combatants[one.id].sheet.hp) for one in scenario.combatants
    }
    declared = [json.loads(event.data)["act"]["act"] for event in events if event.type == "declared"]
    assert declared == ["enter"] * len(scenario.combatants)
    assert not state.begun
    assert run("do", db, "begin").exit_code == 0
    assert run("verify", db).exit_code == 0


def test_its_dice_are_secret_unless_they_are_named(run: Run, tmp_path: Path) -> None:
    """The seed that a scenario gives is known to all: a fight of its own has another one, or that named."""
    logs = []
    for at, words in enumerate(((), (), ("--seed", "friday"), ("--seed", "friday"))):
        db = tmp_path / f"{at}.db"
        assert run("new", db, "--encounter", "demo_srd35", *words).exit_code == 0
        assert run("do", db, "begin").exit_code == 0
        lines = run("log", db, "--json").stdout.splitlines()
        logs.append([one["data"] for one in map(json.loads, lines) if one["type"] == "rolled"])
    assert logs[2] == logs[3]
    assert logs[0] != logs[1]


def test_names_and_readings_go_with_it(run: Run, tmp_path: Path) -> None:
    """A name of one's own counts, and a reading that the encounter leaves open; its dialect may be said."""
    db = tmp_path / "fight.db"
    words = ("--dialect", "woa", "--name", "Ford", "--option", "ambush_initiative=always-penalty")
    assert "Ford (woa)" in run("new", db, "--encounter", "toll", *words).stdout
    with reading(db) as store:
        assert dict(fold(store.read("main")).options)["ambush_initiative"] == "always-penalty"


SCENARIO = """
dialect = "srd35"
name = "bridge"
map = ["......"]
options = {no_such = "x"}
combatants = [{id = "ogre", side = "m", use = "ogre", at = [0, 0]}]
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--encounter", "toll", "--dialect", "srd35"), "uses woa, not srd35"),
        (("--encounter", "toll", "--rows", "...."), "has its own map"),
        (("--encounter", "toll", "--map", "map.txt"), "has its own map"),
        (("--encounter", "tol"), "did you mean toll?"),
        (("--encounter", "bridge.toml", "--option", "no_such=y"), "no_such=x, not with no_such=y"),
        (("--encounter", "bridge.toml"), "no_such"),
        (("--rows", "...."), "--dialect"),
        ((), "or an --encounter"),
    ],
)
def test_contradictions_are_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    """What says otherwise than the encounter is refused in one line, and no file is left."""
    monkeypatch.chdir(tmp_path)
    Path("bridge.toml").write_text(SCENARIO)
    result = run("new", "fight.db", *words)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert said in result.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["bridge.toml"]
