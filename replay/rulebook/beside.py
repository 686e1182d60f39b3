"""Weaves a rulebook in a process of its own: python -m affray.replay.rulebook.beside DIALECT

It writes the page, packed by gzip. Somebody waits for it: it takes its share of the machine.
"""

import gzip
import sys


def woven_packed(dialect: str) -> bytes:
    """Return the page of a dialect's rules, packed; the same bytes each time. Raises UnknownDialect."""
    from affray.engine.dialects import load
    from affray.replay.rulebook.woven import woven
    from affray.replay.rulebook.woven_page import rulebook

    return gzip.compress(rulebook(dialect, load(dialect).title, woven(dialect)).encode(), 6, mtime=0)


if __name__ == "__main__":
    sys.stdout.buffer.write(woven_packed(sys.argv[1]))
