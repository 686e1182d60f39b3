"""The only way to the terminal: all output, questions and errors of commands go through here.

Names, speech, reasons, notes and file names are written by users. Characters in them that would control a
terminal, reverse the line, take no space or begin a new row are made visible before printing; JSON escapes
them.
"""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, cast

import click
import msgspec

from affray.events.errors import escaped, printable
from affray.replay.cli.terminal.pager import UNHEARD, drop_output, paged_columns, pager
from affray.replay.text.ansi import Painted, cleaned, make_terminal_link, painted
from affray.replay.text.rulebook_links import link_rules

# --- Rules in printed text link to the rulebook, if one was named and the terminal can show links

RULEBOOK = "affray.rulebook"
"""In the context of a command: the rulebook that rules link to, an absolute address."""

KNOWS_LINKS = 590
"""The version of `less` that shows links as links, not as their escape sequences."""


def link_to_rulebook(rulebook: str) -> None:
    """Make the rules in all output of this command link to a rulebook; "" for none."""
    click.get_current_context().meta[RULEBOOK] = rulebook


def add_links_to_row(row: str, err: bool = False) -> str:
    """Return a clean row with links; unchanged if there is no rulebook or links cannot be shown."""
    context = click.get_current_context(silent=True)
    rulebook = context.meta.get(RULEBOOK, "") if context is not None else ""
    if not rulebook or not can_show_links(err):
        return row
    return Painted(link_rules(row, rulebook, make_terminal_link))


def can_show_links(err: bool = False) -> bool:
    """Return whether output goes to a terminal with colour, without a pager other than a new `less`."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    if (sys.stderr if err else sys.stdout).isatty():
        return True
    return not err and paged_columns() > 0 and _pager_shows_links()


@cache
def _pager_shows_links() -> bool:
    command = pager()
    if not command or Path(command[0]).name != "less":
        return False
    told = subprocess.run([command[0], "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"less (\d+)", told)
    return found is not None and int(found[1]) >= KNOWS_LINKS


def put(row: str = "", err: bool = False) -> None:
    """Print one row. Raises BrokenPipeError if its reader is gone."""
    click.echo(add_links_to_row(cleaned(row), err), err=err)


def put_all(rows: Iterable[str]) -> None:
    """Print rows, each by itself."""
    for row in rows:
        put(row)


def print_found(value: object, rows: Iterable[str], json: bool) -> None:
    """Print the result of a command: one line of JSON, or rows for people, which are only then generated."""
    if json:
        print_json(value)
    else:
        put_all(rows)


def exit_unless(good: bool) -> None:
    """Exit with status 1 for a negative result."""
    if not good:
        click.get_current_context().exit(1)


def say(row: str = "", err: bool = False) -> None:
    """Print a row; if its reader is gone, drop this and all further output.

    For commands that must finish: a fight must not be interrupted because its output is no longer read. The
    exit status shows it afterwards (`UNHEARD`).
    """
    try:
        put(row, err)
    except BrokenPipeError:
        drop_output(sys.stderr if err else sys.stdout)
        click.get_current_context().meta[UNHEARD] = True


def print_json(value: object) -> None:
    """Print a value as one line of JSON."""
    say(encode_json_line(value))


def encode_json_line(value: object) -> str:
    """Return a value as one line of JSON, with terminal control characters escaped."""
    return escaped(msgspec.json.encode(value).decode())


def ask(prompt: str, default: str | None, err: bool) -> str:
    """Return the text that the user types; `default` for none."""
    shown = prompt if default is None else f"{prompt} [{default}]"
    answer: str = click.prompt(printable(shown), default=default, show_default=False, err=err)
    return answer


def progress(text: str) -> None:
    """Show progress in one row of standard error, replacing the last text."""
    click.echo(Painted(f"\r{printable(text)}"), err=True, nl=False)


def wipe() -> None:
    """Remove a progress bar from the terminal; the next row follows it."""
    click.echo("\x1b[1A\x1b[2K\r", err=True, nl=False)


def complaint(name: str, message: str, coloured: bool) -> Painted:
    """Return an error as one row that begins with the name of the program."""
    return Painted(f"{painted(name, fg='red') if coloured else name} {printable(message)}")


def make_visible_output(file: BinaryIO) -> BinaryIO:
    """Return a file for bytes of a format: unchanged into a pipe or file, made visible on a terminal."""
    return cast("BinaryIO", _VisibleText(file)) if file.isatty() else file


class _VisibleText(io.RawIOBase):
    """A terminal for UTF-8: control characters are escaped, except line breaks."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, data: Any, /) -> int:
        """Write the bytes in visible form."""
        shown = "\n".join(map(escaped, bytes(data).decode("utf-8", "replace").split("\n")))
        self._file.write(shown.encode())
        return len(data)

    def flush(self) -> None:
        """Flush everything written."""
        self._file.flush()

    def writable(self) -> bool:
        """Return True: it is writable."""
        return True


def put_unread(logs: Mapping[str, str]) -> None:
    """Print which other logs could not be read, and why."""
    for name, why in logs.items():
        put(f"{name}: skipped: {why}", err=True)


def passed_over(path: str, fault: str) -> None:
    """Print that a file among several is not a log or cannot be read."""
    say(f"affray: skipped {path}: {fault.removeprefix(f'{path}: ')}", err=True)
