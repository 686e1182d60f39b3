"""`affray table`: a prompt that holds a fight open."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from affray.replay.cli.base import AT_A_PROMPT, LOG, in_colour, reading, width
from affray.replay.cli.printing import put
from affray.replay.cli.show import KEY_BEGINS, picture_rows
from affray.replay.low_picture import low_picture
from affray.replay.opened_log import open_log
from affray.replay.prompt import Moment, Session
from affray.replay.show import picture

EXAMPLES = """\b
Examples:
  affray table fight.db
  affray table fight.db --ask --by Anna
  echo "a gharm; e" | affray table fight.db
"""
USUAL = Path("fight.db")
"""The fight that is meant where none is named."""
ROOM = 6
"""Rows that stay free below what is drawn."""


@click.command(epilog=EXAMPLES)
@click.argument("db", type=LOG, required=False)
@click.option("--ask", is_flag=True, help="Ask for every choice, in place of the usual answer.")
@click.option("--by", "author", default="GM", show_default=True, help="Who rules, for the record.")
@click.option("--no-map", is_flag=True, help="Do not draw the fight above what is typed.")
def table(db: Path | None, ask: bool, author: str, no_map: bool) -> None:
    """Hold a fight open and play it by short lines: a gharm, m 4,1, e. Type h for all of them.

    Without DB it is fight.db, or the only log in this folder. Each line is in the log before the next can be
    typed; q or Control-D leaves. Lines may also come from a file or another program; the status is then that
    of the last line.
    """
    path = db or _found()
    with reading(path):
        pass  # what is no log is said before anything is drawn
    session = Session(
        lambda: open_log(path, readonly=True),
        str(path),
        run=_run,
        say=put,
        commands=_commands(),
        asks=ask,
        author=author,
        width=width,
    )
    if sys.stdin.isatty() and sys.stdout.isatty():
        from affray.replay.prompt.terminal import typed_at

        typed_at(session, None if no_map else _drawn)
    else:
        for line in sys.stdin:
            session.type(line)
            if session.asked:
                put(session.asked)
            if session.left:
                break
        if session.status:
            raise click.exceptions.Exit(session.status)


def _found() -> Path:
    """Return the log that is meant where none is named. Raises UsageError."""
    if USUAL.exists():
        return USUAL
    some = sorted(one for one in Path().glob("*.db") if one.is_file())
    if len(some) == 1:
        return some[0]
    there = f"; here are {', '.join(map(str, some))}" if some else ""
    raise click.UsageError(f"there is no {USUAL} here: name the file of a fight{there}")


def _commands() -> Sequence[str]:
    """Return the commands that a line may name; a prompt in the prompt is none."""
    from affray.replay.cli.group import COMMANDS

    return [name for section in COMMANDS.values() for name in section if name != "table"]


def _run(words: Sequence[str]) -> int:
    """Run a command of affray as its own line would, and return its status; the terminal stays as it was."""
    from affray.replay.cli.group import affray

    sys.stdout.flush()
    terminal = os.dup(sys.stdout.fileno()) if sys.stdout.isatty() else None
    try:
        affray.main(args=list(words), prog_name="affray", obj=AT_A_PROMPT)
    except SystemExit as leaving:
        return int(leaving.code or 0)
    finally:
        if terminal is not None:  # a pager has taken its place
            os.dup2(terminal, sys.stdout.fileno())
            os.close(terminal)


def _drawn(now: Moment) -> str:
    """Return the fight as it is drawn above what is typed, in as few rows as the terminal has room for."""
    rows, columns, coloured = shutil.get_terminal_size().lines - ROOM, width(), in_colour()
    whole = picture(now.state, now.branch, KEY_BEGINS, columns)
    drawn = list(picture_rows(whole, coloured=coloured, columns=columns))
    if len(drawn) > rows:
        low = low_picture(now.state, now.branch, KEY_BEGINS, columns, rows)
        drawn = [row for row in picture_rows(low, coloured=coloured, columns=columns) if row]
    return "\n".join(drawn)
