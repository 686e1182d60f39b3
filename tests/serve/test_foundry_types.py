"""What ships of the module for Foundry VTT is what the compiler makes of its sources, by the published types.

With FOUNDRY_TYPES, a folder in which the packages of replay/serve/foundry are installed:

    cp replay/serve/foundry/package*.json FOLDER && npm ci --prefix FOLDER --ignore-scripts
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.serve.foundry.playing import HERE, MODULE, NODE

TYPES = os.environ.get("FOUNDRY_TYPES", "")
SOURCES = MODULE.parent

needs_types = pytest.mark.skipif(not TYPES or NODE is None, reason="FOUNDRY_TYPES is not set, or no node")


@needs_types
def test_the_shipped_module_is_what_the_compiler_makes(tmp_path: Path) -> None:
    """Strictly checked, and the same bytes: npm run build, in replay/serve/foundry, brings it up to date."""
    shutil.copytree(SOURCES / "src", tmp_path / "src")
    shutil.copy(SOURCES / "tsconfig.json", tmp_path)
    (tmp_path / "node_modules").symlink_to(Path(TYPES, "node_modules").resolve())
    compiler = Path(TYPES, "node_modules", "typescript", "bin", "tsc").resolve()
    ran = subprocess.run(
        [str(NODE), str(compiler)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout
    made = {one.name: one.read_bytes() for one in (tmp_path / "module").iterdir()}
    shipped = {one.name: one.read_bytes() for one in MODULE.glob("*.js")}
    assert made.keys() == shipped.keys()
    assert [name for name in made if made[name] != shipped[name]] == []


@needs_types
def test_the_fields_of_the_stand_in_are_those_of_the_types() -> None:
    """tests/serve/foundry/fields.json is what the compiler reads out of them."""
    ran = subprocess.run(
        [str(NODE), str(HERE / "fields.mjs"), TYPES], capture_output=True, text=True, check=True
    )
    assert ran.stdout == (HERE / "fields.json").read_text(encoding="utf-8")


def test_the_types_that_are_named() -> None:
    """One version of the published types, of the generation that the manifest names; nothing off GitHub."""
    package = json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))
    named = package["devDependencies"]["fvtt-types"]
    assert named.startswith("npm:@league-of-foundry-developers/foundry-vtt-types@13.")
    locked = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert locked["node_modules/fvtt-types"]["version"] == named.rpartition("@")[2]
    assert all("integrity" in one for name, one in locked.items() if name), "something is not npm's own"
