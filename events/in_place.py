"""Whether the file of an open log still stands where it was opened.

A file can be renamed, replaced or deleted while it is open, and goes on taking what is written. But SQLite
finds the newest commits by the file's name: under a new one they are not looked for, and in a file without
a name they are lost with the process.
"""

import os
from pathlib import Path

from affray.events.errors import LogMoved

Identity = tuple[int, int]


class InPlace:
    """The file behind a path, and behind that of its write-ahead log, as they were found first."""

    def __init__(self, path: Path) -> None:
        """Look at the file. Raises LogMoved if there is none any more."""
        self._path = os.path.abspath(path)  # as it was opened: a process may go to another folder
        self._wal = f"{os.path.realpath(self._path)}-wal"
        self._told = path
        self._file = _identity(self._path)
        self._newest: Identity | None = None
        self.check()

    def check(self) -> None:
        """Raise LogMoved unless the path leads to the very same file."""
        if self._file is None or _identity(self._path) != self._file:
            raise self._moved("the file of the log")

    def check_commit(self) -> None:
        """Raise LogMoved unless what was just committed stands where the next reader looks for it."""
        self.check()
        wal = _identity(self._wal)
        if self._newest is None:
            self._newest = wal
        elif wal != self._newest:
            raise self._moved("the -wal file of the log, which holds the newest commits,")

    def _moved(self, what: str) -> LogMoved:
        return LogMoved(
            f"{self._told}: {what} was renamed, replaced or deleted while it was open; "
            "nothing more is recorded here: put it back, or open the log where it is now"
        )


def _identity(path: str) -> Identity | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
