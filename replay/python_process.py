"""Python processes that Affray starts: none of them imports from the folder in which it is started.

Python puts the current folder first on the path of `python -m` and `python -c`, so that a file `msgspec.py`
beside a log would be run. `-P` keeps it off; PYTHONSAFEPATH does so for processes that others start for us.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

PYTHON: Final = (sys.executable, "-P")
"""The command of this Python, which takes `-m` or `-c` behind it."""

SAFE_PATH: Final = {"PYTHONSAFEPATH": "1"}
"""The setting by which a Python that others start keeps the current folder off its path."""


@contextmanager
def environment(settings: Mapping[str, str]) -> Iterator[None]:
    """Have these settings in the environment of this process while the block runs."""
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
