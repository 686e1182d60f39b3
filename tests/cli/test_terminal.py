"""What a person at a terminal meets: colour, a pager, the tab key."""

import os
import subprocess
from pathlib import Path

import pytest

from affray.replay.workers import PYTHON
from tests.cli.conftest import Run
from tests.cli.terminal import in_terminal

pytestmark = pytest.mark.slow

ESCAPE = "\x1b["


def test_long_output_goes_through_the_pager(played: Path) -> None:
    """On a terminal the pager of the environment shows what a reading command prints, colour included."""
    status, shown = in_terminal("log", played, PAGER="sed s/^/P:/")
    assert status == 0
    assert all(row.startswith("P:") for row in shown.splitlines())
    assert ESCAPE in shown
    assert max(map(len, in_terminal("log", played, PAGER="sed -n p", NO_COLOR="1")[1].splitlines())) <= 80


@pytest.mark.parametrize(
    "words", [("--no-pager", "log", "DB"), ("log", "DB", "--no-pager")], ids=["before", "after"]
)
def test_no_pager_where_none_is_wanted(played: Path, words: tuple[str, ...]) -> None:
    """The option is understood before and after the command."""
    status, shown = in_terminal(*(played if word == "DB" else word for word in words), PAGER="sed s/^/P:/")
    assert status == 0
    assert "P:" not in shown


def test_leaving_the_pager_early_is_no_error(played: Path) -> None:
    """Whoever has read enough leaves with status 0."""
    status, shown = in_terminal("log", played, PAGER="head -1", NO_COLOR="1")
    assert (status, len(shown.splitlines())) == (0, 1)


def test_errors_are_seen_through_a_pager(tmp_path: Path) -> None:
    """A fault is one line on the terminal, with the status that it has without a pager."""
    status, shown = in_terminal("log", tmp_path / "none.db", PAGER="sed s/^/P:/", NO_COLOR="1")
    assert status == 2
    assert shown.startswith("affray: ")


def test_playing_is_not_paged(tmp_path: Path) -> None:
    """A fight is told as it goes."""
    status, shown = in_terminal("play", "toll", PAGER="sed s/^/P:/", cwd=tmp_path)
    assert status == 0
    assert "P:" not in shown


def test_colour_only_on_a_terminal_that_wants_it(run: Run, played: Path) -> None:
    """Pipes and NO_COLOR get plain text; on a terminal health and headings are coloured."""
    for words in (("show", played), ("why", played, "52"), ("log", played)):
        assert ESCAPE in in_terminal(*words, PAGER="cat")[1]
        assert ESCAPE not in in_terminal(*words, PAGER="cat", NO_COLOR="1")[1]
        assert ESCAPE not in run(*words).stdout
    assert "\x1b[31m" in in_terminal("shwo")[1]
    assert ESCAPE not in in_terminal("shwo", NO_COLOR="1")[1]


def completed(line: str) -> list[str]:
    """Return what the tab key offers at the end of a line."""
    environment = {
        **os.environ,
        "_AFFRAY_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - (not line.endswith(" "))),
    }
    command = [*PYTHON, "-c", "from affray.replay.cli import main; main()"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [row.partition(",")[2] for row in done.stdout.split()]


def test_the_tab_key_knows_the_fight(played: Path, tmp_path: Path) -> None:
    """Commands, acts, ids, branches, sheets and fights are completed."""
    assert completed("affray sho") == ["show"]
    assert completed(f"affray do {played} full") == ["full-attack"]
    assert completed(f"affray do {played} attack go") == ["goblin"]
    assert completed(f"affray do {played} attack --target fi") == ["fighter"]
    assert completed(f"affray show {played} --branch ") == ["main"]
    assert completed(f"affray promote {played} m") == ["main"]
    assert completed(f"affray add {played} --use o") == ["ogre", "orc"]
    (tmp_path / "blocks").mkdir()
    (tmp_path / "blocks" / "stalker.txt").write_text("a block")
    assert completed(f"affray add {played} --block {tmp_path / 'blocks'} --use ") == ["stalker"]
    assert completed("affray new x.db --encounter gun")[0] == "gunfight"
    assert "toll" in completed("affray play t")
    assert completed(f"affray show {tmp_path / 'none.db'} --branch ") == []


def test_the_line_that_switches_completion_on() -> None:
    """The documented line gives the shell a function for `affray`."""
    command = [*PYTHON, "-c", "from affray.replay.cli import main; main()"]
    environment = {**os.environ, "_AFFRAY_COMPLETE": "bash_source"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "complete -o nosort -F _affray_completion affray" in done.stdout


def test_why_explains_a_turn(run: Run, played: Path) -> None:
    """A turn is explained with all that was decided in it, its sums and rules; nothing of another turn."""
    said = run("why", played, "r1.t3").stdout
    assert "Ysolde withdraws to 4,6 (d10)" in said
    assert "Attack roll" in said
    assert "+7   in total" in said
    assert "srd35.withdraw" in said
    assert "Brannoc's turn" not in said
    assert run("why", played, "r1").stdout.count("'s turn (") == 4
    assert run("why", played, "r1.t3", "--json").exit_code == 0
    assert run("why", played, "r99").exit_code == 2
    assert "there is no event 0" in run("why", played, "0").stderr


def test_the_bar_goes_away_when_it_is_done(played: Path) -> None:
    """What shows how far it is leaves its line on the terminal to the answer."""
    status, shown = in_terminal("ask", "luck", played)
    assert status == 0
    bar, gone, answer = shown.partition("\x1b[1A\x1b[2K\r")
    assert "making rows" in bar
    assert gone
    assert answer.startswith("Who is lucky?")
