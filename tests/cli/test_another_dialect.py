"""One fight under two rulebooks at the command line."""

import json
from pathlib import Path

from tests.cli.conftest import Run

SCENARIO = """
dialect = "srd35"
map = ["....", "...."]
options = {soft_cover_blocks_aoo = false}
combatants = [
  {id = "bran", side = "a", use = "fighter", at = [0, 0], initiative = 9},
  {id = "gharm", side = "b", use = "ogre", at = [1, 0], initiative = 1, acted = true},
]
[[script]]
do = {act = "attack", actor = "bran", target = "gharm"}
dice = {attack = 19, damage = 5, confirm = 20}
expect = [{type = "attack.resolved", cites = ["srd35.attack.roll"]}]
"""


def test_a_fight_is_decided_again(run: Run, copy: Path, tmp_path: Path) -> None:
    """The differences name the rules of both; the new log verifies; the old one is as it was."""
    before, new, page = copy.read_bytes(), tmp_path / "pf1.db", tmp_path / "differences.html"
    result = run("replay", copy, "--dialect", "pf1", "--into", new, "--page", page)
    assert result.exit_code == 0, result.output
    assert "decided again under pf1" in result.stdout
    assert "[srd35.injury.dead]" in result.stdout
    assert "[pf1.injury.stabilize, pf1.cond.dying]" in result.stdout
    assert f"affray verify {new}" in result.stdout
    assert run("verify", new).exit_code == 0
    assert "srd35.injury.dead" in page.read_text(encoding="utf-8")
    assert copy.read_bytes() == before
    again = run("replay", copy, "--dialect", "pf1", "--into", new)
    assert again.exit_code != 0
    assert "the file exists already" in again.stderr
    found = json.loads(run("replay", copy, "--dialect", "pf1", "--into", tmp_path / "j.db", "--json").stdout)
    assert (found["a"], found["b"]) == ("srd35", "pf1")
    assert found["declarations"] > found["same"] > 20


def test_what_does_not_fit_leaves_no_file(run: Run, tmp_path: Path) -> None:
    """One line names all that is in the way."""
    fight, new = tmp_path / "fight.db", tmp_path / "new.db"
    assert run("demo", "--dialect", "futurepath", "--db", fight).exit_code == 0
    result = run("replay", fight, "--dialect", "srd35", "--into", new)
    assert result.exit_code == 2
    assert "srd35 cannot play this fight" in result.stderr
    assert "'ballistic'" in result.stderr
    assert not new.exists()
    onto = run("replay", fight, "--dialect", "woa", "--into", fight)
    assert onto.exit_code == 2
    assert run("verify", fight).exit_code == 0


def test_a_scenario_is_played_under_another_rulebook(run: Run, tmp_path: Path) -> None:
    """Sheets, script and dice stay; dice that are not rolled and readings that stay behind are told."""
    file = tmp_path / "fight.toml"
    file.write_text(SCENARIO, encoding="utf-8")
    result = run("play", file, "--dialect", "pf1", "--db", tmp_path / "pf1.db")
    assert result.exit_code == 0, result.output
    assert "d20 19 + " in result.stdout
    assert "readings of contested rules of srd35 stay behind: soft_cover_blocks_aoo" in result.stderr
    assert run("verify", tmp_path / "pf1.db").exit_code == 0
    file.write_text(SCENARIO.replace("damage = 5", "damage = 5, trip = 3"), encoding="utf-8")
    result = run("play", file, "--dialect", "pf1")
    assert result.exit_code == 0, result.output
    assert "line 1 of the script: 1 scripted die left over: trip: [3]" in result.stderr
    assert run("play", file).exit_code == 2


def test_whoever_cannot_enter_is_named(run: Run, tmp_path: Path) -> None:
    """All of them in one line."""
    result = run("play", "demo_futurepath", "--dialect", "woa")
    assert result.exit_code == 2
    assert "'weapon rifle'" in result.stderr
    assert "'weapon pistol'" in result.stderr
    assert run("play", "demo_srd35", "--dialect", "srd53").exit_code == 2
