"""A drawn map is played on: from the command line, from a scenario, with its picture on the page."""

import json
from pathlib import Path

import pytest

from affray.engine import play, read_scenario
from affray.events import MemoryStore
from tests.cli.conftest import called
from tests.maps.drawings import cellar, drawing, line, portal, written

SCENARIO = """
dialect = "DIALECT"
map = "cellar.dd2vtt"
combatants = [
  {id = "one", side = "a", use = "fighter", at = [2, 1], initiative = 20},
  {id = "other", side = "b", use = "ogre", at = [4, 1], initiative = 5},
]
"""


def test_the_command_shows_and_writes_the_map(tmp_path: Path) -> None:
    """Walls, the door and the report are shown; what is written opens a fight, and its door can be opened."""
    file, into, db = written(tmp_path, cellar()), tmp_path / "cellar.toml", tmp_path / "fight.db"
    result = called("map", file, "--into", into)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[:5] == [" . . .|. . .", "", " . . .+. . .", "", " . . .|. . ."]
    assert "squares: 6 by 4, 3 sides of squares walled off, 1 door, 0 windows" in result.stdout
    assert called("new", db, "--dialect", "srd35", "--seed", "x", "--map", into).exit_code == 0
    for id, at, side in (("one", "2,1", "a"), ("other", "4,1", "b")):
        words = ("--id", id, "--side", side, "--at", at, "--use", "fighter", "--initiative", "20")
        assert called("add", db, *words).exit_code == 0
    shown = called("show", db).stdout
    assert "    012 345\n  0 ...|...\n  1 ..B+.o.\n  2 ...|...\n" in shown
    assert "Between squares: | wall, + closed door\n" in shown
    assert called("do", db, "begin").exit_code == 0
    assert "\nbetween squares: | wall, + closed door\n" in called("options", db).stdout
    refused = called("do", db, "move", "one", "--path", "3,1", "--json")
    assert refused.exit_code == 1
    assert "srd35.obstacle.blocking" in refused.stdout
    assert called("do", db, "handle", "door 1", "--what", "open").exit_code == 0
    assert "door 1" in called("log", db).stdout
    assert called("do", db, "move", "one", "--path", "3,1").exit_code == 0
    assert called("verify", db).exit_code == 0


def test_json(tmp_path: Path) -> None:
    """The whole reading is one object; of the picture it says what it is."""
    file = written(tmp_path, cellar())
    found = json.loads(called("map", file, "--portal", "1=open", "--json").stdout)
    assert set(found) == {"map", "barriers", "sides", "doors", "windows", "findings", "picture"}
    assert found["barriers"][-1]["open"] is True
    assert found["picture"]["kind"] == "image/png"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--portal", "1"), "write it as NUMBER=KIND"),
        (("--portal", "1=windw"), "a portal is no 'windw'; did you mean window?"),
        (("--portal", "2=door"), "no portal 2: the file has 1 portal"),
    ],
)
def test_what_cannot_be_said(tmp_path: Path, words: tuple[str, ...], reason: str) -> None:
    """Each fault is one line."""
    result = called("map", written(tmp_path, cellar()), *words)
    assert result.exit_code == 2
    assert reason in result.stderr


@pytest.mark.parametrize("dialect", ["srd35", "futurepath"])
def test_a_scenario_names_the_file(tmp_path: Path, dialect: str) -> None:
    """The map of a scenario may be a file beside it: two who stand at a closed door do not see each other."""
    written(tmp_path, cellar())
    file = tmp_path / "fight.toml"
    file.write_text(SCENARIO.replace("DIALECT", dialect), encoding="utf-8")
    scenario = read_scenario(file)
    table = play(scenario, MemoryStore(), seed=bytes(32))
    assert table.fight.field.sides == {(True, 3, y) for y in range(4)}


def test_the_picture_lies_under_the_map(tmp_path: Path) -> None:
    """The page holds the picture of a file whose map is as large as the fight's; no log holds it."""
    file, db, page = written(tmp_path, cellar()), tmp_path / "fight.db", tmp_path / "page.html"
    assert called("new", db, "--dialect", "srd35", "--map", file).exit_code == 0
    result = called("export", db, "--format", "html", "--picture", file, "--out", page)
    assert result.exit_code == 0, result.output
    assert "is it this map" not in result.stderr
    picture = cellar()["image"]
    assert f'"href":"data:image/png;base64,{picture}"' in page.read_text(encoding="utf-8")
    assert picture not in called("export", db, "--format", "jsonl").stdout
    other = written(tmp_path, {**drawing((7, 4)), "image": picture}, "other.uvtt")
    result = called("export", db, "--format", "html", "--picture", other, "--out", page)
    assert result.exit_code == 2
    assert "is a map of 7 by 4, that of the fight has 6 by 4" in result.stderr
    like = {**drawing((6, 4), line_of_sight=[line((1, 0), (1, 4))]), "image": picture}
    another = written(tmp_path, like, "another.uvtt")
    result = called("export", db, "--format", "html", "--picture", another, "--out", page)
    assert (result.exit_code, "wrong map? 4 sides of squares are walled off in it" in result.stderr) == (
        0,
        True,
    )
    empty = written(tmp_path, drawing(portals=[portal((1, 1), (2, 1))]), "empty.uvtt")
    assert "has no picture" in called("export", db, "--format", "html", "--picture", empty).stderr
