"""When the reader of the output has gone away: `affray demo | head`."""

import os
from typing import TextIO

UNHEARD = "affray.unheard"
"""Set in the context of a command that went on to its end although its reader had gone away."""

CLOSED_PIPE = 141
"""Exit status when the reader of the output has gone away, as the shell counts it."""


def to_nowhere(stream: TextIO) -> None:
    """Let everything written to a stream from now on, and what it still holds back, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
