"""The one way to the terminal: whatever a command prints, asks or complains goes through here.

Names, speech, reasons, notes and file names are what somebody wrote. What of it would steer a terminal, turn
the line around, take no room or begin a new row is made visible before it is printed; JSON has it escaped.
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

# --- Rules in what is printed lead into the rulebook, where that was named and the terminal can show links

RULEBOOK = "affray.rulebook"
"""In the context of a command: the rulebook that rules lead into, an address that holds from anywhere."""

KNOWS_LINKS = 590
"""The version of `less` that shows links as links, and not as what they are written with."""


def link_to_rulebook(rulebook: str) -> None:
    """Have the rules in all that this command prints lead into a rulebook; "" for none."""
    click.get_current_context().meta[RULEBOOK] = rulebook


def add_links_to_row(row: str, err: bool = False) -> str:
    """Return a clean row with links in it; as it is where no rulebook was named, or none can be shown."""
    context = click.get_current_context(silent=True)
    rulebook = context.meta.get(RULEBOOK, "") if context is not None else ""
    if not rulebook or not can_show_links(err):
        return row
    return Painted(link_rules(row, rulebook, make_terminal_link))


def can_show_links(err: bool = False) -> bool:
    """Say whether what is printed goes to a terminal that wants colour, behind no pager but a new `less`."""
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
    """Print one row. Raises BrokenPipeError once its reader has gone away."""
    click.echo(add_links_to_row(cleaned(row), err), err=err)


def put_all(rows: Iterable[str]) -> None:
    """Print rows, each by itself."""
    for row in rows:
        put(row)


def print_found(value: object, rows: Iterable[str], json: bool) -> None:
    """Print what a command found: one line of JSON, or rows for people, which are made only then."""
    if json:
        print_json(value)
    else:
        put_all(rows)


def exit_unless(good: bool) -> None:
    """Leave the command with status 1 where the answer is no."""
    if not good:
        click.get_current_context().exit(1)


def say(row: str = "", err: bool = False) -> None:
    """Print a row; once its reader has gone away, this and all that follows goes nowhere.

    For commands with something to finish: a fight must not break off because nobody reads on. The exit
    status says it afterwards (`UNHEARD`).
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
    """Return a value as JSON on one line, what would steer a terminal as escapes."""
    return escaped(msgspec.json.encode(value).decode())


def ask(prompt: str, default: str | None, err: bool) -> str:
    """Return what somebody types; `default` for nothing."""
    shown = prompt if default is None else f"{prompt} [{default}]"
    answer: str = click.prompt(printable(shown), default=default, show_default=False, err=err)
    return answer


def progress(text: str) -> None:
    """Show how far it is, in the same row of standard error as the last time."""
    click.echo(Painted(f"\r{printable(text)}"), err=True, nl=False)


def wipe() -> None:
    """Take a bar of how far it is off the terminal again; the next row has begun behind it."""
    click.echo("\x1b[1A\x1b[2K\r", err=True, nl=False)


def complaint(name: str, message: str, coloured: bool) -> Painted:
    """Return an error as one row, the name of the program before it."""
    return Painted(f"{painted(name, fg='red') if coloured else name} {printable(message)}")


def make_visible_output(file: BinaryIO) -> BinaryIO:
    """Return where bytes of a format go: into a pipe or file as they are, on a terminal to be looked at."""
    return cast("BinaryIO", _VisibleText(file)) if file.isatty() else file


class _VisibleText(io.RawIOBase):
    """A terminal to which UTF-8 is written: what would steer it is escaped, all but line breaks."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, data: Any, /) -> int:
        """Write the bytes as they can be looked at."""
        shown = "\n".join(map(escaped, bytes(data).decode("utf-8", "replace").split("\n")))
        self._file.write(shown.encode())
        return len(data)

    def flush(self) -> None:
        """Have everything shown that was written."""
        self._file.flush()

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True


def put_unread(logs: Mapping[str, str]) -> None:
    """Tell of logs beside the one that was asked about which could not be read, and why."""
    for name, why in logs.items():
        put(f"{name}: passed over: {why}", err=True)


def passed_over(path: str, fault: str) -> None:
    """Tell of a file among several that is no log or cannot be read."""
    say(f"affray: passed over {path}: {fault.removeprefix(f'{path}: ')}", err=True)
