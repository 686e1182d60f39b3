"""Long output on a terminal goes through a pager, as people know it from git."""

import os
import shlex
import shutil
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    import subprocess


# --- When the reader of the output has gone away: `affray demo | head`

UNHEARD = "affray.unheard"
"""Set in the context of a command that went on to its end although its reader had gone away."""

CLOSED_PIPE = 141
"""Exit status when the reader of the output has gone away, as the shell counts it."""


def drop_output(stream: TextIO) -> None:
    """Let everything written to a stream from now on, and what it still holds back, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


PAGED = frozenset({"log", "why", "show", "rules", "rulings", "report", "luck", "branches", "diff"})
"""Commands that only read and may have much to say."""

COLUMNS = "affray.columns"
"""In the context of a command whose output is paged: the columns of the terminal."""

LESS = "FRX"
"""What `less` is told unless LESS says otherwise: leave if all fits on the screen, let colour through."""


def make_no_pager_option() -> click.Option:
    """Return the option with which a command that may be paged prints at once."""
    return click.Option(
        ["--no-pager"],
        is_flag=True,
        expose_value=False,
        callback=_begin,
        help="Print at once, on a terminal too.",
    )


def pager() -> list[str]:
    """Return the command of the pager, empty where none is wanted or there is none."""
    words = shlex.split(os.environ.get("PAGER", "less"))
    return words if words and words != ["cat"] and shutil.which(words[0]) else []


def _begin(ctx: click.Context, param: click.Parameter, unwanted: bool) -> None:
    """Let what follows go through a pager if it goes to a terminal, and wait for that in the end."""
    root = ctx.find_root()
    if unwanted or ctx.resilient_parsing or root.params.get("no_pager") or not sys.stdout.isatty():
        return
    command = pager()
    if not command:
        return
    import subprocess  # slow to import, and seldom needed

    sys.stdout.flush()
    try:
        reader = subprocess.Popen(
            command, stdin=subprocess.PIPE, env={**os.environ, "LESS": os.environ.get("LESS", LESS)}
        )
    except OSError:
        return
    assert reader.stdin is not None
    root.meta[COLUMNS] = shutil.get_terminal_size().columns
    root.color = ctx.color = not os.environ.get("NO_COLOR")
    os.dup2(reader.stdin.fileno(), sys.stdout.fileno())
    reader.stdin.close()
    root.call_on_close(lambda: _wait(reader))


def _wait(reader: "subprocess.Popen[Any]") -> None:
    """Tell the pager that this was all, and wait until it has been left."""
    with suppress(BrokenPipeError):
        sys.stdout.flush()
    drop_output(sys.stdout)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the pager has an answer of its own to Control-C
    reader.wait()
    signal.signal(signal.SIGINT, before)


def paged_columns() -> int:
    """Return the columns of the terminal behind a pager, 0 where output is not paged."""
    context = click.get_current_context(silent=True)
    return int(context.meta.get(COLUMNS, 0)) if context is not None else 0
