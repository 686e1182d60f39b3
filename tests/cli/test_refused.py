"""What the rules refuse is told as what was declared, never as what happened."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run

REFUSED = """
dialect = "srd35"
title = "Refused"
seed = "b"
map = ["......", "......", "......"]
combatants = [
  {id = "fighter", side = "heroes", use = "fighter", at = [0, 0], initiative = 15},
  {id = "ogre", side = "monsters", use = "ogre", at = [3, 0], initiative = 9},
]
[[script]]
do = {act = "attack", actor = "fighter", target = "ogre"}
[[script]]
do = {act = "end-turn", actor = "ogre"}
[[script]]
do = {act = "move", actor = "fighter", path = [[1, 0]]}
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A scenario with two lines that the rules refuse and one that they allow."""
    file = tmp_path / "refused.toml"
    file.write_text(REFUSED)
    return file


def test_a_refusal_stands_under_what_was_declared(run: Run, script: Path, tmp_path: Path) -> None:
    """The reason follows the declaration, which is told as one; an act without words of its own has some."""
    rows = run("play", script, "--db", tmp_path / "r.db").stdout.splitlines()
    at = rows.index("  declared: Brannoc attacks Gharm")
    assert rows[at + 1].startswith("    refused: Gharm is 15 ft. away")
    at = rows.index("  declared: Gharm ends the turn")
    assert rows[at + 1].startswith("    refused: Gharm is out of turn")
    assert "  Brannoc attacks Gharm" not in rows
    assert "  Brannoc moves to 1,0 (5 ft.)" in rows
    report = run("export", tmp_path / "r.db", "--format", "markdown").stdout
    assert "declared: Brannoc attacks Gharm" in report


def test_the_status_tells_of_a_refusal(run: Run, script: Path, tmp_path: Path) -> None:
    """Refused lines are counted on standard error, with status 1; the log is kept. Expected ones are none."""
    db = tmp_path / "r.db"
    result = run("play", script, "--db", db)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith(
        "affray: 2 lines of the script refused, first line 1: ogre is"
    )
    assert run("verify", db).exit_code == 0
    assert run("play", script, "--json").exit_code == 1
    expected = REFUSED
    for tail in ('target = "ogre"}\n', '"end-turn", actor = "ogre"}\n'):
        expected = expected.replace(tail, f'{tail}expect = [{{type = "refused"}}]\n')
    script.write_text(expected)
    result = run("play", script)
    assert (result.exit_code, result.stderr) == (0, "")
