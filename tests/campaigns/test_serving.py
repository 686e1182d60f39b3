"""The served fight under stress, in small: the real command, killed, followed by many, for a while."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import server

COMMAND = Path(__file__).with_name("serving.py")
SMALL = {
    "kills": ("--kills", "2"),
    "several": ("--kills", "1"),
    "load": ("--onlookers", "20", "--seconds", "1.5"),
    "memory": ("--events", "3000"),
}

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")


def figures(part: str) -> dict[str, Any]:
    """Run a part of the campaign and return its figures."""
    done = subprocess.run(
        [sys.executable, str(COMMAND), part, "--json", *SMALL[part]],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_killed_again_and_again() -> None:
    """No gap, no repeat, nothing lost and nothing done twice, over changes of the main line."""
    (found,) = figures("kills").values()
    assert (found["gaps"], found["repeats"], found["lost"], found["done twice"]) == (0, 0, 0, 0)
    assert found["turns of the main line"] == 3
    assert found["acknowledged"] > 0


@pytest.mark.skipif(bool(server.lacking()), reason=f"needs PostgreSQL: {server.lacking()}")
def test_several_servers_of_one_fight() -> None:
    """Three servers share a fight in a database and are killed in turn: no gap, no repeat, all done once."""
    (found,) = figures("several").values()
    assert (found["gaps"], found["repeats"], found["lost"], found["done twice"]) == (0, 0, 0, 0)
    assert found["turns of the main line"] == 3


def test_many_look_on() -> None:
    """Nobody misses anything, whether it is posted or recorded by another process."""
    found = figures("load")
    assert [one["missed"] for one in found.values()] == [0, 0]
    assert [one["declarations"] for one in found.values()] == [30, 30]


def test_for_long() -> None:
    """All of it is told, to whoever follows."""
    (found,) = figures("memory").values()
    assert found["events"] >= 3000
