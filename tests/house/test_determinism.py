"""The same fight gives the same bytes whatever the process is like."""

import os
import subprocess

import pytest

from affray.replay.workers import PYTHON

PROGRAM = """
import sys
from affray.engine.table.scenario import packaged, play
from affray.events import MemoryStore
store = MemoryStore()
play(packaged("demo_" + sys.argv[1]), store)
print(store.head("main").seq, store.head("main").digest.hex())
"""


def played(dialect: str, **environment: str) -> str:
    """Return the length and head digest of the packaged fight, played in a process of its own."""
    env = {**os.environ, **environment}
    command = [*PYTHON, "-c", PROGRAM, dialect]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env, timeout=120)
    return done.stdout


@pytest.mark.parametrize("dialect", ["srd35", "pf1", "futurepath", "woa"])
def test_logs_do_not_depend_on_the_process(dialect: str) -> None:
    """Hash seed, locale and time zone leave no trace in a log."""
    first = played(dialect, PYTHONHASHSEED="1", LC_ALL="C", TZ="UTC")
    second = played(dialect, PYTHONHASHSEED="77", LC_ALL="tr_TR.UTF-8", TZ="Asia/Kathmandu")
    assert first == second
    assert int(first.split()[0]) > 50
