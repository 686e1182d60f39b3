"""What is installed: one namespace, every folder listed, nothing beside it."""

import os
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from affray.engine.version import VERSION
from affray.replay.workers import PYTHON

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NOT_COPIED = (
    ".git",
    ".venv",
    "build",
    "dist",
    "*.egg-info",
    "__pycache__",
    ".*_cache",
    ".hypothesis",
    "*.db*",
)
FOLDERS = ("events", "projections", "engine", "replay")


def test_every_package_is_listed() -> None:
    """The list of packages in pyproject.toml equals the folders that hold modules."""
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    there = {
        ".".join(("affray", *file.parent.relative_to(ROOT).parts))
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*.py")
    }
    assert listed == there


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel, of a copy of the sources: another process may build one of the same folder."""
    folder, sources = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("sources") / "affray"
    shutil.copytree(ROOT, sources, ignore=shutil.ignore_patterns(*NOT_COPIED))
    pip("wheel", "--wheel-dir", folder, sources)
    (made,) = folder.glob(f"affray-{VERSION}-*.whl")
    return made


def pip(command: str, *options: str | Path) -> None:
    """Run a command of pip on the project alone, without what it depends on."""
    words = [*PYTHON, "-m", "pip", command, "-q", "--no-deps", *map(str, options)]
    subprocess.run(words, check=True, capture_output=True, timeout=300)


def test_the_wheel_holds_only_affray(wheel: Path) -> None:
    """Every file stands under affray/: rule data, the schema of events, typing markers, licences."""
    names = zipfile.ZipFile(wheel).namelist()
    strangers = [name for name in names if not name.startswith(("affray/", "affray-"))]
    assert strangers == []
    info = f"affray-{VERSION}.dist-info"
    for needed in (
        "affray/engine/dialects/srd35/rules.jsonl",
        "affray/engine/scenarios/demo_srd35.toml",
        *(f"affray/replay/viewer/page/{name}" for name in ("page.html", "base.css", "main.js")),
        "affray/events/events.schema.json",
        "affray/replay/serve/openapi.json",
        "affray/replay/serve/asyncapi.json",
        *(f"affray/replay/serve/foundry/module/{name}" for name in ("main.js", "affray.css", "en.json")),
        *(f"affray/{folder}/py.typed" for folder in FOLDERS),
        f"{info}/licenses/LICENSE",
        f"{info}/licenses/docs/OGL.md",
    ):
        assert needed in names
    assert not any(name.startswith("affray/tests") for name in names)
    for source in ("foundry/src", "node_modules", "tsconfig.json", ".d.ts"):
        assert not any(source in name for name in names), source


def test_licences_name_the_sources() -> None:
    """The Open Game License goes along whole, with the notices of the texts behind the catalogues."""
    text = " ".join((ROOT / "docs" / "OGL.md").read_text(encoding="utf-8").split())
    assert text.index("1. Definitions:") < text.index("15. COPYRIGHT NOTICE")
    notices = text.partition("15. COPYRIGHT NOTICE")[2]
    for source in (
        "Open Game License v 1.0a Copyright 2000",
        "System Reference Document Copyright 2000-2003",
        "Pathfinder Roleplaying Game Reference Document. Copyright 2011",
        "Modern System Reference Document Copyright 2002-2004",
        "FuturePath",
        "Worlds of Adventure",
        "Affray rule catalogues",
    ):
        assert source in notices


def test_an_installed_wheel_plays_outside_of_a_checkout(wheel: Path, tmp_path: Path) -> None:
    """All demos, their pages and their verification; what only a checkout has is said in one line."""
    site, home = tmp_path / "site", tmp_path / "home"
    home.mkdir()
    pip("install", "--target", site, wheel)

    def affray(*words: str) -> subprocess.CompletedProcess[str]:
        code = "import affray.replay.cli as cli; print(cli.__file__) or cli.main()"
        return subprocess.run(
            [*PYTHON, "-c", code, *words],
            cwd=home,
            env={**os.environ, "PYTHONPATH": str(site)},
            capture_output=True,
            text=True,
            timeout=300,
        )

    for dialect in ("srd35", "pf1", "futurepath", "woa"):
        played = affray("demo", "--dialect", dialect, "--db", f"{dialect}.db")
        assert played.returncode == 0, played.stderr
        assert played.stdout.startswith(str(site))
        exported = affray("export", f"{dialect}.db", "--format", "html", "--out", f"{dialect}.html")
        assert exported.returncode == 0, exported.stderr
        assert "<title>" in (home / f"{dialect}.html").read_text(encoding="utf-8")
        assert affray("verify", f"{dialect}.db").returncode == 0
    covered = affray("rules", "srd35", "--coverage", "srd35.db")
    assert (covered.returncode, "srd35" in covered.stdout) == (0, True), covered.stderr
    told = affray("rules", "srd35", "--coverage")
    assert (told.returncode, "in a checkout of affray" in told.stderr) == (2, True)
    assert len(told.stderr.splitlines()) == 1
