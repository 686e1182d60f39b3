"""Counts the SQLite connections that a process has opened and not closed.

Python closes a connection that is collected, with a ResourceWarning in whatever runs just then. A command
that leaves one open is found here by its own test instead.
"""

import sqlite3
from functools import partial
from typing import Any


class Counted(sqlite3.Connection):
    """A connection that is counted until it is closed."""

    unclosed = 0

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._counts = True
        Counted.unclosed += 1

    def close(self) -> None:
        """Close the connection; it counts no more."""
        super().close()
        if self._counts:
            self._counts = False
            Counted.unclosed -= 1


def count() -> None:
    """Let every connection of this process be counted from now on."""
    if not isinstance(sqlite3.connect, partial):
        sqlite3.connect = partial(sqlite3.connect, factory=Counted)


def unclosed() -> int:
    """Return how many connections are open, those included that were collected without being closed."""
    return Counted.unclosed
