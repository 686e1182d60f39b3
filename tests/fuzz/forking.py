"""Commands run in forks of a process that holds the program and nothing else.

    python -m tests.fuzz.forking

What reads commands on standard input, a JSON object a line, and answers each with a line: a session of tests
holds some hundred megabytes, and each fork of it would copy what it touches.
"""

import gc
import json
import os
import resource
import subprocess
import sys
import time
import traceback
from functools import cache
from pathlib import Path
from typing import Any

from affray.replay.workers import PYTHON

ROOT = Path(__file__).parents[2]


@cache
def _server(of: int) -> "subprocess.Popen[str]":
    """Return the server of a process, which ends with it: its standard input is closed then."""
    return subprocess.Popen(
        [*PYTHON, "-m", "tests.fuzz.forking"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def forked(words: tuple[str, ...], cwd: Path, files: tuple[str, str, str]) -> tuple[int, float, float]:
    """Run a command in a fork; return its status (negative: the signal), its seconds and its megabytes.

    The files stand for standard input, output and error. It has this process's environment, and gets 25
    seconds of processor time at most.
    """
    server = _server(os.getpid())
    assert server.stdin is not None
    assert server.stdout is not None
    asked = {"words": words, "cwd": str(cwd), "files": files, "environment": dict(os.environ)}
    server.stdin.write(json.dumps(asked) + "\n")
    server.stdin.flush()
    status, seconds, megabytes = json.loads(server.stdout.readline())
    return status, seconds, megabytes


def held() -> int:
    """Return the bytes of address space that this process has, what it inherited included."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 2_000_000_000
    return pages * resource.getpagesize()


def _run(asked: dict[str, Any]) -> None:
    """Be the command; never comes back."""
    from affray.replay.cli import affray as command_line

    status = 70
    try:
        for number, (name, flags) in enumerate(
            zip(asked["files"], (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY), strict=True)
        ):
            os.dup2(os.open(name, flags), number)
        os.environ.clear()
        os.environ.update(asked["environment"])
        os.chdir(asked["cwd"])
        resource.setrlimit(resource.RLIMIT_CPU, (25, 26))
        most = held() + 2_000_000_000
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        try:
            command_line.main(asked["words"], prog_name="affray")
        except SystemExit as leaving:
            status = leaving.code if isinstance(leaving.code, int) else 1
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        time.sleep(0)
        os._exit(status)


def serve() -> None:
    """Answer what is asked until nobody asks any more."""
    from tests.fuzz.commands import warm

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what warming up prints is no answer
    warm()
    gc.collect()
    gc.freeze()
    scale = 1024 * 1024 if sys.platform == "darwin" else 1024
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            _run(asked)
        _, status, used = os.wait4(child, 0)
        told = (os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / scale)
        answers.write(json.dumps(told) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
