"""Rivals, each run by its own driver in an environment of its own; one that cannot run is named with why."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PYPI = ("dnd5e-engine==0.7.0", "osrlib==2.0.0", "eventsourcing==9.5.6")
NPM = ("@pkmn/sim@0.10.11", "@pkmn/randoms@0.10.6")
SECONDS = 600


class CannotRun(Exception):
    """A rival cannot be run here; the message says why."""


def newer_python() -> str:
    """Return a Python of 3.12 or later; raises CannotRun if this machine has none in the usual places."""
    found = [
        *(shutil.which(f"python3.{minor}") for minor in (14, 13, 12)),
        *map(str, sorted(Path.home().glob(".pyenv/versions/3.1[2-9].*/bin/python"), reverse=True)),
    ]
    for python in filter(None, (sys.executable if sys.version_info >= (3, 12) else None, *found)):
        try:
            run([str(python), "-c", "import ensurepip, venv"])
        except CannotRun:
            continue  # a version manager's stand-in for a Python that is not there
        return str(python)
    raise CannotRun("it needs Python 3.12 or later, and none was found")


def environment(kind: str) -> Path:
    """Return the folder with the rivals of a kind (pypi, npm) installed; made once, kept for later runs."""
    root = Path(os.environ.get("AFFRAY_RIVALS") or Path(tempfile.gettempdir()) / "affray-rivals")
    folder = root / kind
    if (folder / "ready").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    if kind == "pypi":
        run([newer_python(), "-m", "venv", str(folder)])
        # osrlib asks for 3.14 only because it leaves annotations unevaluated; its driver sees to that.
        run([str(folder / "bin/python"), "-m", "pip", "install", "-q", "--ignore-requires-python", *PYPI])
    else:
        if shutil.which("npm") is None:
            raise CannotRun("it needs Node.js, and there is none")
        run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *NPM])
    (folder / "ready").touch()
    return folder


def run(command: Sequence[str], folder: Path | None = None) -> str:
    """Return what a command prints; raises CannotRun with the last line of its complaint."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotRun(str(error)) from error
    if done.returncode:
        raise CannotRun((done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1])
    return done.stdout


def measured(driver: str, *arguments: str) -> dict[str, Any]:
    """Return what a driver measured, or {"not run": why}."""
    try:
        if driver.endswith(".mjs"):
            folder = environment("npm")
            output = run(["node", str(HERE / driver), *arguments], folder)
        else:
            output = run([str(environment("pypi") / "bin/python"), str(HERE / driver), *arguments])
        result: dict[str, Any] = json.loads(output.splitlines()[-1])
        return result
    except CannotRun as error:
        return {"not run": str(error)}
