"""Send long output on a terminal through a pager, as git does."""

import os
import select
import shlex
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    import subprocess


# --- When the reader of the output is gone: `affray demo | head`

UNHEARD = "affray.unheard"
"""Set in the context of a command that ran to its end although its reader was gone."""

CLOSED_PIPE = 141
"""Exit status when the reader of the output is gone, as in a shell."""


def drop_output(stream: TextIO) -> None:
    """Drop everything written to a stream from now on, and what it has buffered."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


PAGED = frozenset({"log", "why", "show", "rules", "rulings", "report", "luck", "branches", "diff"})
"""Commands that only read and may print much."""

AT_A_PROMPT = "at a prompt"
"""The object of the outermost context if a command was typed at the prompt of `affray table`."""

COLUMNS = "affray.columns"
"""In the context of a command with paged output: the columns of the terminal."""

LESS = "FRX"
"""The options of `less` unless LESS is set: quit if all fits on the screen, show colour."""


def make_no_pager_option() -> click.Option:
    """Return the option that makes a command print without a pager."""
    return click.Option(
        ["--no-pager"],
        is_flag=True,
        expose_value=False,
        callback=_begin,
        help="Print without a pager.",
    )


def pager() -> list[str]:
    """Return the command of the pager, empty if none is wanted or available."""
    words = shlex.split(os.environ.get("PAGER", "less"))
    return words if words and words != ["cat"] and shutil.which(words[0]) else []


def _begin(ctx: click.Context, param: click.Parameter, unwanted: bool) -> None:
    """Send further output through a pager if it goes to a terminal, and wait for the pager at the end."""
    root = ctx.find_root()
    if unwanted or ctx.resilient_parsing or root.params.get("no_pager") or not sys.stdout.isatty():
        return
    command = pager()
    if not command:
        return
    if root.obj == AT_A_PROMPT:
        _keep(root, command)
        return
    import subprocess  # slow to import, and rarely needed

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


def _keep(root: click.Context, command: list[str]) -> None:
    """Keep the output at a prompt until it is whole: a pager would take what is typed ahead.

    It is printed, or paged if it is longer than the screen and nothing is typed yet.
    """
    sys.stdout.flush()
    kept = root.with_resource(tempfile.TemporaryFile())  # noqa: SIM115
    terminal = os.dup(sys.stdout.fileno())
    root.meta[COLUMNS] = shutil.get_terminal_size().columns
    root.color = not os.environ.get("NO_COLOR")
    os.dup2(kept.fileno(), sys.stdout.fileno())

    def show() -> None:
        sys.stdout.flush()
        os.dup2(terminal, sys.stdout.fileno())
        os.close(terminal)
        kept.seek(0)
        rows = kept.read()
        is_long = rows.count(b"\n") >= shutil.get_terminal_size().lines
        if is_long and not select.select([sys.stdin], [], [], 0)[0]:
            import subprocess

            less = os.environ.get("LESS", LESS)
            subprocess.run(command, input=rows, env={**os.environ, "LESS": less}, check=False)
        else:
            kept.seek(0)
            shutil.copyfileobj(kept, sys.stdout.buffer)
            sys.stdout.flush()

    root.call_on_close(show)


def _wait(reader: "subprocess.Popen[Any]") -> None:
    """Close the pager's input, and wait until the user quits it."""
    with suppress(BrokenPipeError):
        sys.stdout.flush()
    drop_output(sys.stdout)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the pager handles Control-C itself
    reader.wait()
    signal.signal(signal.SIGINT, before)


def paged_columns() -> int:
    """Return the columns of the terminal with a pager, 0 if output is not paged."""
    context = click.get_current_context(silent=True)
    return int(context.meta.get(COLUMNS, 0)) if context is not None else 0
