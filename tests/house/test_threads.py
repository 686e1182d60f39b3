"""Dialects are loaded by several threads at once."""

import subprocess

from affray.replay.workers import PYTHON

LOADING = """
import sys
from threading import Barrier, Thread
from affray.engine.dialects import load

sys.setswitchinterval(1e-4)
found, failed, together = [], [], Barrier(4)

def load_all():
    together.wait()
    try:
        found.append(tuple(id(load(name)) for name in ("srd35", "pf1", "futurepath", "woa")))
        for extra in (3, 4, 5):
            book = load("srd35", {"srd35.charge.attack/attack": extra}).book
            assert book.figure("srd35.charge.attack", "attack") == extra
    except BaseException as fault:
        failed.append(repr(fault))

threads = [Thread(target=load_all) for _ in range(4)]
for one in threads:
    one.start()
for one in threads:
    one.join()
print(len(set(found)), failed)
"""


def test_threads_that_load_a_dialect_get_the_same() -> None:
    """In a new process, whichever thread comes first."""
    ran = subprocess.run([*PYTHON, "-c", LOADING], capture_output=True, text=True, timeout=300)
    assert ran.stdout == "1 []\n", ran.stderr
