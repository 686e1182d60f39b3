"""The campaign of monstrous logs in small, and that its commands are all there are."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from affray.replay.cli.group import COMMANDS
from tests.fuzz.commands import WORDS

COMMAND = Path(__file__).with_name("bounds.py")


def test_no_command_is_left_out() -> None:
    """Every command of the command line has words here, so that a new one is tried too."""
    assert set(WORDS) == {name for section in COMMANDS.values() for name in section}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the campaign forks")
def test_every_command_ends() -> None:
    """Every command on every log ends within two seconds of processor time and 300 MB, in clear lines."""
    only = [word for name in (".", "ghost struck", "nested") for word in ("--only", name)]
    words = [sys.executable, str(COMMAND), "--every", "3600", *only, "--json"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    tally = json.loads(done.stdout)
    assert tally["faults"] == []
    assert tally["commands"] > 5
