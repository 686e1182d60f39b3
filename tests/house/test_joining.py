"""What is said to those who join is true: the hooks and the guide run what the gate runs."""

import json
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest

from affray.replay.workers import PYTHON

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    (\S.*)$", GUIDE, re.MULTILINE)
"""The commands that the guide shows and that change or test the checkout; others are run with the pages."""
SELECTIONS = [line for line in COMMANDS if line.startswith("pytest") and "tests/" in line]


def linters() -> list[str]:
    """Return the commands of the gate that lint and check types."""
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    found = re.findall(r'^(?:beside \w+ )?"\$work/checks/bin/(ruff|mypy)"(.*)$', gate, re.MULTILINE)
    assert found, "the gate names no linter any more"
    return [name + options for name, options in found]


def test_the_hooks_are_the_linters_of_the_gate() -> None:
    """What runs before a commit is what the gate asks for, no less and nothing else."""
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"^ +entry: (.+)$", hooks, re.MULTILINE) == linters()


def test_the_guide_names_the_linters_of_the_gate() -> None:
    """Who follows the guide runs every linter of the gate."""
    assert set(linters()) <= set(COMMANDS)


COLLECT = """
import json, sys
import pytest

lines = json.loads(sys.argv[1])
found = {line: pytest.main([*words, "--collect-only", "-p", "no:cacheprovider"]) for line, words in lines}
assert not any(found.values()), found
"""


def test_the_guide_selects_tests_that_there_are() -> None:
    """Each command for a part of the tests finds some; one process reads the tables once for all."""
    lines = json.dumps([(line, shlex.split(line)[1:]) for line in SELECTIONS])
    command = [*PYTHON, "-c", COLLECT, lines]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert SELECTIONS
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("python ")])
def test_the_guide_names_programs_that_there_are(line: str) -> None:
    """Each program that the guide has people run is in the checkout, or a library's that an extra brings."""
    words = shlex.split(line)
    if words[1:3] == ["-m", "sphinx"]:
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        assert any(one.startswith("sphinx>") for one in extras["docs"])
        return
    file = f"{words[2].replace('.', '/')}.py" if words[1] == "-m" else words[1]
    assert (ROOT / file).is_file()
