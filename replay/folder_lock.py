"""One at a time: who replaces a file locks its folder meanwhile."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from affray.events.errors import AffrayError

BUSY_SECONDS = 10.0
"""So long one waits for another that writes in the same folder."""


@contextmanager
def alone_in_folder(path: Path) -> Iterator[None]:
    """Be the only one that replaces files in the folder of `path`. Raises AffrayError where it stays taken.

    The folder is locked, not the file, as the file is replaced. Where the system has no such locks, two
    writers in one instant are told apart by what they read alone.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    folder = os.open(Path(os.path.realpath(path)).parent, os.O_RDONLY)
    try:
        until = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > until:
                    raise AffrayError(f"{path}: another command is writing it; do it again") from None
                time.sleep(0.02)
            except OSError:  # a file system without locks
                break
            else:
                break
        yield
    finally:
        os.close(folder)
