"""Rules in what is printed lead into the rulebook, where that was named and the terminal can show links."""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import click

from affray.replay.cli.pager import paged_columns, pager
from affray.replay.painted import Painted, hyperlink
from affray.replay.rulebook.address import rules_linked

RULEBOOK = "affray.rulebook"
"""In the context of a command: the rulebook that rules lead into, an address that holds from anywhere."""

KNOWS_LINKS = 590
"""The version of `less` that shows links as links, and not as what they are written with."""


def lead_into(rulebook: str) -> None:
    """Have the rules in all that this command prints lead into a rulebook; "" for none."""
    click.get_current_context().meta[RULEBOOK] = rulebook


def with_links(row: str, err: bool = False) -> str:
    """Return a clean row with links in it; as it is where no rulebook was named, or none can be shown."""
    context = click.get_current_context(silent=True)
    rulebook = context.meta.get(RULEBOOK, "") if context is not None else ""
    if not rulebook or not shows_links(err):
        return row
    return Painted(rules_linked(row, rulebook, hyperlink))


def shows_links(err: bool = False) -> bool:
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
