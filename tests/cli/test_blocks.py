"""Creatures from printed blocks: pasted, from a file, out of a folder of them."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.statblock.blocks import CLASSIC, PATHFINDER

SEEN = ("--id", "beast", "--side", "monsters", "--at", "5,1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two blocks, one of which stands in it twice, something else and what is hidden."""
    folder = tmp_path / "bestiary"
    folder.mkdir()
    (folder / "tyrant.txt").write_text(PATHFINDER, encoding="utf-8")
    (folder / "Bog.txt").write_text(CLASSIC, encoding="utf-8")
    (folder / "bog-copy.md").write_text(CLASSIC, encoding="utf-8")
    (folder / "eggs.txt").write_text("eggs and flour", encoding="utf-8")
    (folder / ".hidden.txt").write_text(CLASSIC, encoding="utf-8")
    (folder / "more").mkdir()
    return folder


def name_of(run: Run, fight: Path) -> str:
    """Return what the creature that was added is called."""
    shown = json.loads(run("show", fight, "--json").stdout)
    return str(shown["state"]["combatants"]["beast"]["sheet"]["name"])


def test_a_pasted_block_enters(run: Run, fight: Path) -> None:
    """A block on standard input enters as one in a file does."""
    result = run("add", fight, *SEEN, "--block", "-", input=PATHFINDER)
    assert result.exit_code == 0, result.output
    assert name_of(run, fight) == "Quarry Tyrant"


@pytest.mark.parametrize("option", ["--block", "--statblock"])
def test_a_block_in_a_file_enters(run: Run, fight: Path, folder: Path, option: str) -> None:
    """The older name of the option still serves."""
    assert run("add", fight, *SEEN, option, folder / "tyrant.txt").exit_code == 0
    assert name_of(run, fight) == "Quarry Tyrant"


@pytest.mark.parametrize("use", ["tyrant", "TYRANT.txt", "quarry tyrant"])
def test_one_of_a_folder_enters(run: Run, fight: Path, folder: Path, use: str) -> None:
    """A creature of a folder goes by its file, with or without ending, or by its printed name."""
    result = run("add", fight, *SEEN, "--block", folder, "--use", use)
    assert result.exit_code == 0, result.output
    assert name_of(run, fight) == "Quarry Tyrant"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            (),
            "a block with --use: Bog (Bog Stalker), bog-copy (Bog Stalker), eggs, tyrant (Quarry Tyrant)",
        ),
        (("--use", "tyrent"), "no block 'tyrent'; did you mean tyrant?"),
        (("--use", "bog stalker"), "more than once; choose with --use one of Bog.txt, bog-copy.md"),
        (("--use", "eggs"), "eggs.txt: no Armor Class"),
        (("--use", ".hidden"), "no block '.hidden'"),
        (("--use", "tyrant", "--sheet", "x.toml"), "use either --block"),
    ],
)
def test_what_no_folder_gives_is_one_line(
    run: Run, fight: Path, folder: Path, words: tuple[str, ...], said: str
) -> None:
    """Without a choice the folder is listed; what names none or several of it is said."""
    result = run("add", fight, *SEEN, "--block", folder, *words)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert said in result.stderr
    assert "beast" not in run("show", fight, "--json").stdout


def test_an_empty_folder_is_said(run: Run, fight: Path, tmp_path: Path) -> None:
    """Where there is no block there is none to choose."""
    (tmp_path / "empty").mkdir()
    assert "contains no stat block" in run("add", fight, *SEEN, "--block", tmp_path / "empty").stderr


def test_an_unknown_sheet_is_told_those_that_ship(run: Run, fight: Path) -> None:
    """All that ship are listed, the nearest one first."""
    said = run("add", fight, *SEEN, "--use", "orge").stderr
    assert "(did you mean ogre?); available: archer, barbarian, cleric" in said
    assert "hill-giant" in said
    assert run("add", fight, *SEEN, "--use", "hill-giant").exit_code == 0
