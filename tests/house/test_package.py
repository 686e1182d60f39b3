"""What is installed: one namespace, every folder listed, nothing beside it."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

from affray.engine.version import VERSION

ROOT = Path(__file__).parents[2]
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


def test_the_wheel_holds_only_affray(tmp_path: Path) -> None:
    """Every file of the built wheel stands under affray/, with the data files that the rules need."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--wheel-dir",
        str(tmp_path),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob(f"affray-{VERSION}-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    strangers = [name for name in names if not name.startswith(("affray/", "affray-"))]
    assert strangers == []
    for needed in (
        "affray/engine/dialects/srd35/rules.jsonl",
        "affray/engine/scenarios/demo_srd35.toml",
        "affray/replay/viewer/page/page.html",
    ):
        assert needed in names
    assert not any(name.startswith("affray/tests") for name in names)
