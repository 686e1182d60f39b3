"""Stat blocks on the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.statblock.blocks import CLASSIC, PATHFINDER


@pytest.fixture
def block(tmp_path: Path) -> Path:
    """A file with a printed block."""
    file = tmp_path / "stalker.txt"
    file.write_text(CLASSIC, encoding="utf-8")
    return file


def test_shows_what_was_read_and_what_not(run: Run, block: Path) -> None:
    """The tables name figures, weapons with their parts, and what is not on the sheet with the reason."""
    result = run("statblock", block)
    assert result.exit_code == 0, result.output
    assert "figures:" in result.stdout
    for words in (
        "Bog Stalker",
        "grapple",
        "+4 base",
        "+5 natural",
        "secondary natural",
        "swim 20 ft.",
        "no place for",
    ):
        assert words in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_json_is_the_whole_block(run: Run, block: Path) -> None:
    """With --json the sheet, the printed totals, the strikes and the notes come as one object."""
    found = json.loads(run("statblock", block, "--json").stdout)
    keys = "sheet dialect printed strikes routines notes unread worked_out shares"
    assert set(found) == set(keys.split())
    assert found["shares"] == {"printed": 18, "agree": 18, "explained": 17}
    assert found["sheet"]["armor"][0] == {"value": 5, "kind": "natural", "source": "natural"}


def test_standard_input(run: Run) -> None:
    """A dash reads what is pasted into the command."""
    result = run("statblock", "-", input=PATHFINDER)
    assert result.exit_code == 0, result.output
    assert "Quarry Tyrant, with the arithmetic of pf1" in result.stdout


def test_adds_to_a_fight(run: Run, fight: Path, block: Path) -> None:
    """A block enters a fight as a combatant, and the remarks on it are counted on standard error."""
    words = ("add", fight, "--id", "stalker", "--side", "monsters", "--at", "5,1", "--statblock", block)
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert "remarks on the stat block" in result.stderr
    shown = json.loads(run("show", fight, "--json").stdout)
    assert "stalker" in json.dumps(shown)


def test_what_matters_is_asked_about(run: Run, fight: Path, block: Path) -> None:
    """A block without a base attack bonus is refused in one line, and enters when that is accepted."""
    block.write_text(CLASSIC.replace("Base Attack/Grapple: +4/+14\n", ""), encoding="utf-8")
    words = ("add", fight, "--id", "stalker", "--side", "monsters", "--at", "5,1", "--statblock", block)
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "no base attack bonus" in result.stderr
    assert "--accept-unread" in result.stderr
    assert "stalker" not in json.dumps(json.loads(run("show", fight, "--json").stdout))
    assert "unread, and it matters" in run("statblock", block).stdout
    assert run(*words, "--accept-unread").exit_code == 0
    assert run(*words[:-2], "--use", "ogre", "--accept-unread").exit_code == 2


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"eggs and flour", "no Armor Class"), (b"\xff\xfe", "UTF-8"), (b"Thing\nAC 12\n", "no hit points")],
)
def test_no_stat_block_is_one_line(run: Run, tmp_path: Path, content: bytes, words: str) -> None:
    """A file that is no stat block is refused in one line that names it."""
    file = tmp_path / "list.txt"
    file.write_bytes(content)
    result = run("statblock", file)
    assert result.exit_code == 2
    assert result.stderr.startswith("affray: ")
    assert result.stderr.count("\n") == 1
    assert words in result.stderr
    assert "list.txt" in result.stderr


def test_missing_file(run: Run, tmp_path: Path) -> None:
    """A file that is not there is named."""
    result = run("statblock", tmp_path / "none.txt")
    assert result.exit_code == 2
    assert "none.txt" in result.stderr


def test_one_source_of_a_sheet(run: Run, fight: Path, block: Path) -> None:
    """A combatant has one sheet: --statblock and --use exclude each other."""
    words = ("add", fight, "--id", "x", "--side", "y", "--at", "5,1", "--statblock", block, "--use", "ogre")
    result = run(*words)
    assert result.exit_code == 2
    assert "use either --block" in result.stderr
