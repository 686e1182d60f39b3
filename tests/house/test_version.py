"""The version stands in one place, and everything that tells it tells the same."""

import re
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path

from affray.engine.table.scenario import packaged, set_up
from affray.engine.version import VERSION
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.replay.workers import PYTHON

ROOT = Path(__file__).parents[2]


def test_the_build_reads_it() -> None:
    """pyproject.toml states no version of its own, and the installed package has this one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"]
    assert version("affray") == VERSION, "installed before the version changed: install it again"


def test_the_command_prints_it_and_loads_nothing_else() -> None:
    """`affray --version` prints it without the rules, the store or the package's metadata."""
    code = (
        "import sys\nfrom affray.replay.cli import affray\n"
        "try: affray.main(['--version'], prog_name='affray')\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([*PYTHON, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, f"affray {VERSION}\n")
    loaded = set(done.stderr.split())
    assert not loaded & {
        "affray.engine.table.table",
        "affray.engine.book",
        "affray.events.stores.sqlite",
        "affray.events.stores.memory",
        "importlib.metadata",
    }


def test_the_log_keeps_it() -> None:
    """The first event of a log names the version that opened it, as it always has."""
    store = MemoryStore()
    set_up(packaged("demo_srd35"), store)
    (first,) = store.read("main", upto=1)
    assert decode(first).engine == f"affray {VERSION}"


def test_the_changelog_has_it() -> None:
    """The newest version that CHANGELOG.md describes is this one, under what is not released yet."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[(.+)\]", text, re.MULTILINE)
    assert headings[:2] == ["Unreleased", VERSION]
