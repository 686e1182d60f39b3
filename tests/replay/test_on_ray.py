"""Work on Ray: the same results as here, whatever dies; nothing to be reached from outside, nothing left."""

import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from affray.replay.workers import PYTHON

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="no ray: pip install 'affray[ray]'"),
]


def played(name: str) -> dict[str, Any]:
    """Run a script in a process of its own, with a folder that is gone afterwards; return what it printed."""
    script = Path(__file__).with_name(name)
    with tempfile.TemporaryDirectory(prefix="r") as folder:
        done = subprocess.run(
            [sys.executable, str(script), folder], capture_output=True, text=True, timeout=600, check=False
        )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_work_on_a_cluster() -> None:
    """Over the client server of a head on loopback: odds as here, killed workers' shares done again."""
    found = played("played_on_cluster.py")
    assert found["the same odds"] is found["again"] is True
    assert found["killed"] == list(range(60))
    assert found["kills"] == 3
    assert found["never"] == "part 0 cannot be worked out"
    assert found["gone"].startswith("no Ray answers at ray://127.0.0.1:")
    assert found["left"] == []


def test_work_on_a_ray_of_our_own() -> None:
    """Odds alike, killed workers' shares done again, errors as they are, loopback alone, no file left."""
    found = played("played_on_ray.py")
    assert found["the same odds"] is True
    assert found["killed"] == list(range(60))
    assert found["kills"] == 3
    assert found["never"] == "part 0 cannot be worked out"
    assert "lost again and again" in found["killed_always"]
    assert found["listening"]
    assert {address.removeprefix("::ffff:") for address in found["listening"]} == {"127.0.0.1"}
    assert found["left"] == []


def test_workers_do_not_import_from_the_current_folder(tmp_path: Path) -> None:
    """Ray would put it first on the path of its workers, where a module could lie beside the log."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    ran = tmp_path / "ran"
    for name in ("affray", "msgspec", "ray", "setproctitle"):
        (folder / f"{name}.py").write_text(f"open({str(ran)!r}, 'a').write(__name__ + ' ')\n")
    affray = [*PYTHON, "-m", "affray.replay.cli"]
    subprocess.run([*affray, "demo", "--db", "fight.db"], cwd=folder, capture_output=True, check=True)
    words = ("odds", "fight.db", "--at", "r1", "--runs", "2000", "--on", "ray", "--jobs", "2")
    done = subprocess.run([*affray, *words], cwd=folder, capture_output=True, text=True, timeout=300)
    assert (done.returncode, ran.exists()) == (0, False), done.stderr
