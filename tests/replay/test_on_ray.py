"""Work on Ray: the same results as here, whatever dies; nothing to be reached from outside, nothing left."""

import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="no ray: pip install 'affray[ray]'")


def test_work_on_a_ray_of_our_own() -> None:
    """Odds alike, killed workers' shares done again, errors as they are, loopback alone, no file left."""
    script = Path(__file__).with_name("played_on_ray.py")
    with tempfile.TemporaryDirectory(prefix="r") as folder:
        done = subprocess.run(
            [sys.executable, str(script), folder], capture_output=True, text=True, timeout=300, check=False
        )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["the same odds"] is True
    assert found["killed"] == list(range(60))
    assert found["kills"] == 3
    assert found["never"] == "part 0 cannot be worked out"
    assert "lost again and again" in found["killed_always"]
    assert found["listening"]
    assert {address.removeprefix("::ffff:") for address in found["listening"]} == {"127.0.0.1"}
    assert found["left"] == []
