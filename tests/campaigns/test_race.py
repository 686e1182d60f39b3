"""The race in small: processes declare into one encounter at once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import server

COMMAND = Path(__file__).with_name("race.py")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the race forks")
@pytest.mark.parametrize(("processes", "where"), [(2, ()), (8, ()), (4, ("--postgres",))])
def test_one_wins_each_position(processes: int, where: tuple[str, ...]) -> None:
    """Everybody's declarations are in the log once, in one whole chain, and the losers were told."""
    if where and (lacking := server.lacking()):
        pytest.skip(f"needs PostgreSQL: {lacking}")
    done = subprocess.run(
        [sys.executable, str(COMMAND), "--attempts", "240", "--processes", str(processes), "--json", *where],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sums = json.loads(done.stdout)
    assert sums["conflicts"] > 0
    assert sums["declarations"] > 40
    assert (sums["lost"], sums["doubled"], sums["wrong"]) == (0, 0, [])
