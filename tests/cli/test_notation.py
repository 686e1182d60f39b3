"""The notation of combat by command: exported, imported, and as the script of a scenario."""

import json
from pathlib import Path

from affray.events.stores.sqlite import SqliteStore
from tests.cli.conftest import Run
from tests.notation.texts import BY_HAND, events

SCENARIO = """
dialect = "srd35"
name = "gate"
map = ["......", "......"]
combatants = [
  {id = "fighter", side = "heroes", use = "fighter", at = [2, 1]},
  {id = "goblin", side = "monsters", use = "goblin", at = [3, 1]},
]
dice = [15, 8]
script = '''
== round 1 fighter
fighter (Anna): attack goblin; 17; 3  # it lives
fighter: end-turn
goblin: attack fighter; ?
'''
"""


def test_a_log_goes_out_and_comes_back(run: Run, played: Path, tmp_path: Path) -> None:
    """Exported and imported, every event has its digest; the text is a tenth of the JSON Lines."""
    text, db, lines = tmp_path / "a.affray", tmp_path / "b.db", tmp_path / "a.jsonl"
    assert run("export", played, "--format", "notation", "--out", text).exit_code == 0
    assert run("export", played, "--format", "jsonl", "--out", lines).exit_code == 0
    assert 10 * text.stat().st_size < lines.stat().st_size
    assert "all digests good" in run("import", text, "--db", db).stdout
    with SqliteStore(played) as one, SqliteStore(db) as other:
        assert events(one) == events(other)
    refused = run("export", played, "--format", "notation", "--branch", "main")
    assert refused.exit_code == 2
    assert "notation always contains every branch" in refused.stderr
    refused = run("export", played, "--format", "notation", "--for", "heroes")
    assert refused.exit_code == 2
    assert "notation needs all dice to be decided again" in refused.stderr


def test_a_file_of_its_name_is_a_text_whatever_it_begins_with(run: Run, tmp_path: Path) -> None:
    """Whoever leaves the first line out is told of it, and nothing is made."""
    text, db = tmp_path / "gate.affray", tmp_path / "gate.db"
    text.write_text(BY_HAND.partition("\n")[2])
    result = run("import", text, "--db", db)
    assert result.exit_code == 2
    assert "line 1, column 1: expected 'affray notation 1', found # The gate" in result.stderr
    assert not db.exists()


def test_what_is_unknown_is_thrown_only_if_asked_for(run: Run, tmp_path: Path) -> None:
    """A text by hand is refused by file, line and column, and nothing is left; with --roll it is played."""
    text, db = tmp_path / "gate.affray", tmp_path / "gate.db"
    text.write_text(BY_HAND.replace("fighter; 4", "fighter; ?"))
    result = run("import", text, "--db", db)
    assert result.exit_code == 2
    assert f"{text}: line 19, column 25: expected the faces of 1d20" in result.stderr
    assert not db.exists()
    result = run("import", text, "--db", db, "--roll", "--json")
    assert json.loads(result.stdout)["comments"] == 3
    assert run("verify", db).exit_code == 0
    assert "# and now the goblin" in run("export", db, "--format", "notation").stdout
    lines = tmp_path / "a.jsonl"
    run("export", db, "--format", "jsonl", "--out", lines)
    assert run("import", lines, "--db", tmp_path / "c.db", "--roll").exit_code == 2


def test_a_script_may_be_a_text(run: Run, tmp_path: Path) -> None:
    """It is played line by line; what is wrong in it has its place."""
    file, db = tmp_path / "gate.toml", tmp_path / "gate.db"
    file.write_text(SCENARIO)
    told = run("play", file, "--db", db).stdout
    assert "Skit 11 -> 5" in told
    assert "Skit attacks Brannoc" in told
    assert "fighter (Anna): attack goblin; 17; 3\n" in (run("export", db, "--format", "notation").stdout)
    for was, now, fault in (
        ("17; 3", "17; 9", "line 2, column 36: expected the faces of 1d8"),
        ("17; 3", "17; 3; 4", "line 2, column 39: expected the end of the line"),
        ("attack goblin", "hack goblin", "line 2, column 17: expected an act"),
        ("round 1 fighter", "round 2", "line 1, column 1: expected round 1"),
        ("fighter: end-turn", "[seed ab]", "line 3, column 1: expected a declaration"),
        ("fighter: end-turn", "@d9 fighter: end-turn", "line 3, column 1: expected no id"),
        ("fighter: end-turn", 'fighter: end-turn; void "so"', "line 3, column 10: expected no verdict"),
    ):
        file.write_text(SCENARIO.replace(was, now))
        result = run("play", file, "--db", tmp_path / "wrong.db")
        assert result.exit_code == 2
        assert f"script: {fault}" in result.stderr, result.stderr
