"""The page on dialects shows every check, and its test of the package can fail."""

import re
import subprocess
from pathlib import Path

import pytest

from affray.replay.workers import PYTHON
from tests.house.page_pieces import lines_of, pieces
from tests.house.walk import Walk
from tests.kit.little import ROOT

PAGE = (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8")

TEST = """
from affray.engine.book.packages import packages_named

packages_named(".")
{block}
test_conformance()
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package that the page builds, before the edit of its last step; it is the current folder."""
    monkeypatch.chdir(tmp_path)
    reader = Walk(tmp_path)
    for piece in pieces(PAGE.partition("\n## 11. ")[0]):
        if piece.kind in ("python", "toml", "json"):
            reader.write(piece)
        elif piece.kind == "told" and piece.text.startswith("file: "):
            reader.tell(piece.text)
        elif piece.kind == "sh":
            for line in lines_of(piece.text):
                if line.startswith("sed "):
                    reader.line(line)
    return tmp_path


@pytest.mark.slow
def test_the_test_of_the_page_tests(game: Path) -> None:
    """It passes, and fails with all lines once a scenario is wrong."""
    program = [*PYTHON, "-c", TEST.format(block=(game / "tests" / "test_steel.py").read_text("utf-8"))]
    done = subprocess.run(program, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    scenarios = game / "scenarios" / "duels" / "duels.toml"
    text = scenarios.read_text("utf-8")
    scenarios.write_text(text.replace("attack = [4, 5]", "attack = [4, 4]"), "utf-8")
    done = subprocess.run(program, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert "FAILED  scenarios" in done.stderr
    line = text[: text.index("attack = [4, 5]")].count("\n") + 1
    assert re.search(rf"scenarios/duels/duels\.toml:{line - 2}\b", done.stderr), done.stderr


def test_the_page_shows_every_check() -> None:
    """By name and in order."""
    from affray.engine.dialects import load
    from affray.replay.rulebook.conformance import Run

    shown = re.findall(r"^ok +(\w+) +\d", PAGE, re.MULTILINE)
    assert shown == [one.name for one in Run(load("srd35"), None).checks]
