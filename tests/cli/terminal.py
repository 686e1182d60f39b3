"""`affray` in a terminal of its own, as a person has it in front of them."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Sequence
from pathlib import Path

from affray.replay.workers import PYTHON

WAITS = b"\x1b[?2004h"
"""What a prompt sends when it begins to read a line."""
STEERING = ("PAGER", "LESS", "NO_COLOR", "COLUMNS", "LINES")
"""Variables of the environment that steer colour, paging and size."""


def in_terminal(
    *words: object,
    columns: int = 80,
    rows: int = 24,
    input: str = "",
    lines: Sequence[str] = (),
    cwd: Path | None = None,
    **env: str,
) -> tuple[int, str]:
    """Run `affray` in a pseudo-terminal of that size; return its exit status and what it showed.

    `input` is typed ahead, each of `lines` when a prompt waits for one. What steers colour, paging and size
    holds only if given.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in STEERING}
    running = subprocess.Popen(
        [*PYTHON, "-m", "affray.replay.cli", *map(str, words)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=cwd,
        env={**kept, "TERM": "xterm", **env},
        start_new_session=True,
    )
    os.close(theirs)
    if input:
        os.write(ours, input.encode())
    shown, ahead = b"", list(lines)
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        shown += piece
        while ahead and shown.count(WAITS) > len(lines) - len(ahead):
            os.write(ours, ahead.pop(0).encode())
    os.close(ours)
    return running.wait(timeout=60), shown.decode().replace("\r\n", "\n")
