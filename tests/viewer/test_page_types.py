"""The compiler of TypeScript checks the modules of the pages: names, imports, arguments, properties.

It is found by FOUNDRY_TYPES: see tests/serve/test_foundry_types.py.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "replay" / "viewer" / "page"
TYPES = os.environ.get("FOUNDRY_TYPES", "")
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(not TYPES or NODE is None, reason="FOUNDRY_TYPES is not set, or no node")


def compiler(folder: Path) -> list[str]:
    """Return the errors that the compiler finds in a folder."""
    tsc = Path(TYPES, "node_modules", "typescript", "bin", "tsc").resolve()
    ran = subprocess.run(
        [str(NODE), str(tsc), "--pretty", "false"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (ran.returncode == 0) == (ran.stdout == ""), ran.stderr
    return [line for line in ran.stdout.splitlines() if not line.startswith(" ")]


def test_the_types_of_the_modules_fit() -> None:
    """The compiler finds no error."""
    assert compiler(PAGE) == []


def test_the_compiler_finds_errors(tmp_path: Path) -> None:
    """Unknown names, wrong and unused imports, too many arguments, unknown properties."""
    for name in ("tsconfig.json", "model.d.ts", "state.js"):
        shutil.copy(PAGE / name, tmp_path)
    lines = [
        'import { app, more } from "./state.js";',
        'import { other } from "./missing.js";',
        "function go(seq) {",
        "  app.go(seq, seq);",
        "  app.lien = nobody(more);",
        "}",
        "go(1, 2);",
    ]
    (tmp_path / "wrong.js").write_text("\n".join(lines), encoding="utf-8")
    found = [line.partition(": error ")[0] for line in compiler(tmp_path)]
    places = ("1,15", "2,1", "2,23", "4,15", "5,7", "5,14", "7,7")
    assert found == [f"wrong.js({place})" for place in places]
