"""The page about packages: what it shows of testing a dialect works on the small one, in its order."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from affray.replay.workers import PYTHON
from tests.cli.conftest import Run
from tests.kit.little import FIGHT, ROOT, SCENARIOS, make

PAGE = (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Test a dialect\n")[2].partition("\n## ")[0]
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL)

TEST = """
from affray.engine.book.packages import packages_named

packages_named(".")
{block}
test_conformance()
"""


def shown(kind: str) -> list[str]:
    """Return the blocks of the section in one language."""
    return [text for language, text in BLOCKS if language == kind]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The source tree of the small dialect, which is the current folder."""
    folder = make(tmp_path / "little")
    (folder / "little_rules" / "fights" / "bridge.toml").write_text(FIGHT.replace("auto = 20", "auto = 1"))
    (folder / "little_rules" / "fights" / "demo.toml").write_text(FIGHT.replace("auto = 20", "auto = 2"))
    monkeypatch.chdir(folder)
    return folder


def test_the_tree_is_that_of_the_page(checkout: Path) -> None:
    """Each file that the page names is where the package has it."""
    (tree,) = shown("text")
    named = [row.split()[0] for row in tree.splitlines()]
    there = {str(file.relative_to(checkout)) for file in checkout.rglob("*") if file.is_file()}
    folders = {str(file.relative_to(checkout).parent) for file in checkout.rglob("*.toml")}
    assert {name for name in named if not name.startswith(("scenarios", "tests"))} <= there
    assert {str(Path(name).parent) for name in named if name.startswith("scenarios")} <= folders


@pytest.mark.slow
def test_every_command_of_the_section_runs(checkout: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """All end with 0, those after an edit too, which changes no decision."""
    (checkout / "logs").mkdir()
    count = 0
    for block in shown("console"):
        for line in block.splitlines():
            name, _, value = line.partition("=")
            if name == "export AFFRAY_PACKAGES":
                monkeypatch.setenv("AFFRAY_PACKAGES", value)
                continue
            program, *words = shlex.split(line)
            assert program == "affray", line
            if words[:2] == ["replay", "logs"]:
                os.replace("little.db", "logs/little.db")
                module = checkout / "little_rules" / "__init__.py"
                module.write_text(f"{module.read_text()}# no difference\n")
            result = run(*words)
            assert result.exit_code == 0, f"{line}\n{result.output}"
            count += 1
    assert count >= 9
    assert list(checkout.glob("*.db"))


@pytest.mark.slow
def test_the_test_of_the_page_tests(checkout: Path) -> None:
    """It passes, and fails with all lines once a scenario is wrong."""
    (block,) = shown("python")
    program = [*PYTHON, "-c", TEST.format(block=block)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    (checkout / "scenarios" / "attacks" / "attacks.toml").write_text(SCENARIOS.replace("12, 4", "2, 4"))
    done = subprocess.run(program, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert "FAILED  scenarios" in done.stderr
    assert "scenarios/attacks/attacks.toml:4" in done.stderr


def test_the_page_lists_every_check() -> None:
    """By name and in order."""
    from affray.engine.dialects import load
    from affray.replay.rulebook.conformance import Run as Checks

    listed = re.findall(r"^\| `(\w+)` \|", SECTION, re.MULTILINE)
    assert listed == [one.name for one in Checks(load("srd35"), None).checks]
