"""Weaves a rulebook in a process of its own: python -m affray.replay.rulebook.beside DIALECT

It writes the page, packed by gzip, and yields to whatever else the machine has to do.
"""

import gzip
import os
import sys


def woven_packed(dialect: str) -> bytes:
    """Return the page of a dialect's rules, packed; the same bytes each time. Raises UnknownDialect."""
    from affray.engine.dialects import load
    from affray.replay.rulebook.woven import woven
    from affray.replay.rulebook.woven_page import rulebook

    return gzip.compress(rulebook(dialect, load(dialect).title, woven(dialect)).encode(), 6, mtime=0)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)
    sys.stdout.buffer.write(woven_packed(sys.argv[1]))
