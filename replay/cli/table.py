"""`affray table`, `options`: a prompt that holds a fight open; the declarations a combatant may make."""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from affray.engine.book.card import wrapped
from affray.engine.language.cast import Cast
from affray.engine.language.names import People
from affray.engine.table.legal import Legal, legal
from affray.events.errors import AffrayError, square
from affray.projections.state import Encounter
from affray.replay.cli.show import KEY_BEGINS, yield_picture_rows
from affray.replay.cli.terminal.base import (
    LOG,
    answering,
    as_json,
    complete_combatants,
    database,
    is_output_in_colour,
    on_branch,
    reading,
    width,
)
from affray.replay.cli.terminal.pager import AT_A_PROMPT
from affray.replay.cli.terminal.printing import print_found, put
from affray.replay.cli.terminal.prompt import Moment, Session
from affray.replay.log.playhead import Playhead
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.log_files import open_log
from affray.replay.text.options import (
    PAST,
    describe_left,
    draw_reach_map,
    shown,
    yield_allowed_acts,
    yield_provoked,
)
from affray.replay.text.show import picture, yield_low_picture

# --- `affray table`: a prompt that holds a fight open

TABLE_EXAMPLES = """\b
Examples:
  affray table fight.db
  affray table fight.db --ask --by Anna
  echo "a gharm; e" | affray table fight.db
"""
USUAL = Path("fight.db")
"""The fight to use if none is named."""
ROOM = 6
"""Rows that stay free below the drawing."""


@click.command(epilog=TABLE_EXAMPLES)
@click.argument("db", type=LOG, required=False)
@click.option("--ask", is_flag=True, help="Ask for every choice, not only where the policy says so.")
@click.option("--by", "author", default="GM", show_default=True, help="Author of rulings, for the record.")
@click.option("--no-map", is_flag=True, help="Do not draw the fight above the line.")
def table(db: Path | None, ask: bool, author: str, no_map: bool) -> None:
    """Hold a fight open and play it with short lines: a gharm, m 4,1, e. Type h for a list.

    Without DB it is fight.db, or the only log in this folder. Each line is stored in the log before the next
    can be typed; q or Control-D quits. Lines may also come from a file or another program; the exit status is
    that of the last line.
    """
    path = db or _found()
    with reading(path):
        pass  # a file that is not a log is reported before drawing
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
        from affray.replay.cli.terminal.prompt_terminal import read_lines_from_terminal

        read_lines_from_terminal(session, None if no_map else _drawn)
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
    """Return the log to use if none is named. Raises UsageError."""
    if USUAL.exists():
        return USUAL
    some = sorted(one for one in Path().glob("*.db") if one.is_file())
    if len(some) == 1:
        return some[0]
    there = f"; found {', '.join(map(str, some))}" if some else ""
    raise click.UsageError(f"there is no {USUAL} here: name the file of a fight{there}")


def _commands() -> Sequence[str]:
    """Return the commands that a line may name; a prompt in the prompt is not allowed."""
    from affray.replay.cli.group import COMMANDS

    return [name for section in COMMANDS.values() for name in section if name != "table"]


def _run(words: Sequence[str]) -> int:
    """Run an affray command and return its status; the terminal's state is restored."""
    from affray.replay.cli.group import affray

    sys.stdout.flush()
    terminal = os.dup(sys.stdout.fileno()) if sys.stdout.isatty() else None
    try:
        affray.main(args=list(words), prog_name="affray", obj=AT_A_PROMPT)
    except SystemExit as leaving:
        return int(leaving.code or 0)
    finally:
        if terminal is not None:  # a pager has replaced it
            os.dup2(terminal, sys.stdout.fileno())
            os.close(terminal)


def _drawn(now: Moment) -> str:
    """Return the fight as drawn above the line, in as few rows as the terminal has room for."""
    columns, coloured, left = width(), is_output_in_colour(), now.left()
    below = wrapped(f"Left: {left}", columns, "", "  ") if left else []
    rows = shutil.get_terminal_size().lines - ROOM - len(below)
    whole = picture(now.state, now.branch, KEY_BEGINS, columns)
    drawn = list(yield_picture_rows(whole, coloured=coloured, columns=columns))
    if len(drawn) > rows:
        low = yield_low_picture(now.state, now.branch, KEY_BEGINS, columns, rows)
        drawn = [row for row in yield_picture_rows(low, coloured=coloured, columns=columns) if row]
    return "\n".join([*drawn, *below])


# --- `affray options`: the declarations that a combatant may make now, and why others are refused

OPTIONS_EXAMPLES = """\b
Examples:
  affray options fight.db
  affray options fight.db gharm --closed
  affray options fight.db --at r2.t3
  affray options fight.db --json
"""


@click.command(epilog=OPTIONS_EXAMPLES)
@database
@click.argument("who", default="", metavar="[COMBATANT]", shell_complete=complete_combatants)
@click.option("--closed", is_flag=True, help="Also list refused declarations with reason and rule.")
@click.option("--at", "position", default="end", show_default=True, help="A position: 17, r3 or r3.t2.")
@on_branch
@as_json
def options(db: Path, who: str, closed: bool, position: str, branch: str, json: bool) -> None:
    """List what a combatant may declare now: acts with targets, squares in reach, and costs.

    Default: the combatant whose turn it is. The rules are asked as in play: listed acts are not refused.
    Squares whose best path provokes are marked !.
    """
    with reading(db) as store:
        playhead = Playhead(store, branch)
        state = playhead.seek(position)
        if state.pending is not None:
            raise AffrayError(f"the fight waits: {answering(db, store, playhead.branch, state.pending)}")
        id = People.find_combatants_in_fights(state).find_id_of_combatant(who) if who else state.active
        if not id:
            raise AffrayError("no turn is running: name a combatant")
        found = legal(make_fight_context(state, None), state.combatants[id])
    print_found(found, _print_allowed_acts(state, shown(found, state), closed), json)


def _print_allowed_acts(state: Encounter, found: Legal, closed: bool) -> Iterator[str]:
    cast = Cast.of(state)
    actor = state.combatants[found.who]
    turn = "" if found.who == state.active else ", out of turn"
    hp = f"{actor.hp} of {actor.max_hp} hp"
    yield f"{cast.name(found.who)}, {hp}, at {square(actor.at)}{turn}, may"
    rows = list(yield_allowed_acts(found))
    wide = max((len(name) for name, _ in rows), default=0)
    for name, text in rows:
        yield from wrapped(f"{name:<{wide}}  {text}".rstrip(), width(), "  ", " " * (wide + 4))
    if not rows:
        yield "  do nothing now"
    if left := describe_left(found.left, cast.words):
        yield from wrapped(f"Left: {left}", width(), "", "  ")
    if found.ways:
        yield "In reach of a move, by cost in squares:"
        yield from draw_reach_map(state, found.ways, cast.letters)
        yield from (f"  {PAST} {text}" for text in yield_provoked(found.ways))
    if closed:
        yield "Refused:"
        for shut in found.closed:
            yield from wrapped(f"{shut.kind}: {shut.reason} ({shut.rule})", width(), "  ", "    ")
    else:
        yield f"Refused: {len(found.closed)} other acts (--closed shows why)"
