"""`affray referee` as it is typed: what it tells, how it ends, and attacks taken into a fight."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from affray.replay.cli import affray

CLEAN = "Longsword attack: 1d20+8 => (16)+8 = 24 vs AC 16: hit\nDamage: 1d8+4 => (5)+4 = 9\n"
WRONG = "| Brannoc |\nLongsword attack: 1d20+8 => (16)+8 = 25 vs AC 16: hit\nFort: 1d20+8 = nonsense\n"
FIGHT = """\
Skit attacks Ysolde with a morningstar: critical hit (20 + 3 = 23)
Skit, confirm: 1d20 (14) + 3 = 17 vs AC 15: confirmed
Skit deals 9 damage (2d6 (5, 4) = 9)
Ysolde attacks Skit: miss (3 + 8 = 11)
Somebody attacks Skit: miss (3 + 8 = 11)
"""


def run(*words: str | Path, text: str | bytes = "") -> tuple[int, str, str]:
    """Return exit status, output and errors of the command."""
    result = CliRunner().invoke(affray, [str(word) for word in words], input=text)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """Return a log with one error and one line that cannot be read."""
    path = tmp_path / "wrong.txt"
    path.write_text(WRONG, encoding="utf-8")
    return path


def test_it_tells_line_rule_and_words(wrong: Path) -> None:
    """One finding, what is not read, what was read; the exit status says that something is wrong."""
    status, told, _ = run("referee", wrong)
    assert status == 1
    assert (
        "line 2, column 38: (16)+8 comes to 24, not 25 (arithmetic)\n      Brannoc: 1d20+8 => (16)+8 = 25"
        in told
    )
    assert "line 3: not read, no roll that can be read: Fort: 1d20+8 = nonsense" in told
    assert "1 finding in 1 roll" in told


def test_a_clean_log_from_standard_input() -> None:
    """Nothing is wrong, the exit status says so."""
    status, told, _ = run("referee", "-", "--dialect", "pf1", text=CLEAN)
    assert status == 0
    assert "nothing is wrong in 2 rolls" in told
    assert "by the rules of pf1" in told


def test_as_json(wrong: Path) -> None:
    """All of it, for each file."""
    status, told, _ = run("referee", wrong, "-", "--json", text=CLEAN)
    found = json.loads(told)
    assert (status, found["findings"]) == (1, 1)
    first, second = found["files"]
    assert first["findings"][0]["rule"] == "arithmetic"
    assert first["unread"][0]["line"] == 3
    assert second["findings"] == []


def test_checks_are_listed_and_left_out(wrong: Path) -> None:
    """Whoever plays by another rule leaves the check out."""
    assert "confirmation" in run("referee", "--checks")[1]
    assert run("referee", wrong, "--without", "sum")[0] == 0
    assert run("referee", wrong, "--without", "sums")[0] == 2


def test_what_it_cannot_read_is_said(tmp_path: Path, wrong: Path) -> None:
    """No file, a folder, broken JSON, a branch without a fight; other encodings are read."""
    assert run("referee", tmp_path / "none.txt")[0] == 2
    assert run("referee", tmp_path)[0] == 2
    status, _, told = run("referee", "-", text='{"who": ')
    assert (status, told.startswith("affray: -: no JSON of chat messages")) == (2, True)
    database = tmp_path / "fight.db"
    database.write_bytes(b"SQLite format 3\0" + bytes(1000))
    status, _, told = run("referee", database)
    assert (status, told.startswith(f"affray: {database}: it holds NUL characters")) == (2, True)
    assert run("referee", wrong, "--branch", "x")[0] == 2
    assert run("referee", "-", text="Gharm: 1d20 ⇒ (3) = 4".encode("utf-16"))[0] == 1


def test_attacks_are_taken_into_a_fight(tmp_path: Path) -> None:
    """Declared by the dice of the text, recorded as imported; what differs is told; all verifies."""
    text, fight = tmp_path / "evening.txt", tmp_path / "fight.db"
    text.write_text(FIGHT, encoding="utf-8")
    assert run("referee", text, "--into", fight)[0] == 2
    assert run("new", fight, "--encounter", "demo_srd35", "--seed", "evening")[0] == 0
    status, _, told = run("referee", text, "--into", fight)
    assert (status, "nobody's turn is running" in told) == (2, True)
    assert run("do", fight, "begin")[0] == 0
    assert run("referee", text, "--into", fight, "--dialect", "pf1")[0] == 2
    status, told, _ = run("referee", text, "--into", fight, "--json")
    first, second, third = (one["attack"] for one in json.loads(told))
    assert status == 1
    assert (first["attacker"], first["target"], first["result"], first["own"]) == (
        "goblin",
        "sorcerer",
        "critical",
        [],
    )
    assert second["otherwise"] == ["the text comes to 11, the fight to 4"]
    assert "no combatant 'Somebody'" in third["why"]
    assert "or elsewhere left out" in run("luck", fight)[1]
    log = [json.loads(line) for line in run("log", fight, "--json")[1].splitlines()]
    imported = [one["data"]["faces"] for one in log if one["data"].get("provenance") == "imported"]
    assert imported == [[20], [14], [5], [4], [3]]
    assert "imported" in run("why", fight, str(first["first"] + 3))[1]
    assert run("verify", fight)[0] == 0
