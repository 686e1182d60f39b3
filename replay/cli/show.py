"""`affray show`, `log`: the state at a position, and the events, one per line."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from affray.engine.book.card import wrapped
from affray.engine.text.lines import Line, plain
from affray.engine.text.narrate import Narrator, printable
from affray.events.codec import decode
from affray.events.errors import shell_command
from affray.events.stores.store import Store
from affray.projections.timeline import BadPosition
from affray.replay.cli.terminal.base import (
    answering,
    as_json,
    database,
    event_json,
    is_at_prompt,
    is_output_in_colour,
    on_branch,
    reading,
    terminal_width,
    width,
)
from affray.replay.cli.terminal.printing import encode_json_line, print_json, put, say
from affray.replay.log.playhead import Playhead
from affray.replay.text.ansi import Painted, cleaned, painted
from affray.replay.text.show import picture
from affray.replay.text.styled import STYLES, styled

# --- `affray show`: the state at a position

KEY_BEGINS = "b begins the fight"
"""The hint at a prompt for a fight that has not begun."""
_BAR = re.compile(r"\[([#.]{10})\]")


@click.command(epilog="Example: affray show fight.db --at r3.t2")
@database
@click.option("--at", "position", default="end", show_default=True, help="A position: 17, r3 or r3.t2.")
@on_branch
@as_json
def show(db: Path, position: str, branch: str, json: bool) -> None:
    """Show the state of a fight: order, health, squares, conditions, effects, map, pending question."""
    with reading(db) as store:
        playhead = Playhead(store, branch)
        state = playhead.seek(position)
        if json:
            print_json({"branch": playhead.branch, "seq": playhead.seq, "state": state})
            return
        place = f"{playhead.branch} at {playhead.seq} of {playhead.last}"
        at_end = playhead.seq == playhead.last
        begin = _begins(db, store, playhead.branch) if at_end else ""
        columns = width()
        for row in yield_picture_rows(
            picture(state, place, begin, columns), coloured=is_output_in_colour(), columns=columns
        ):
            say(row)
        if state.pending is not None and at_end and not is_at_prompt():
            put(f"    {answering(db, store, playhead.branch, state.pending)}")


def _begins(db: Path, store: Store, branch: str) -> str:
    """Return the command that begins the fight; "" on a branch, where nothing is declared."""
    if branch != store.main_line():
        return ""
    return KEY_BEGINS if is_at_prompt() else shell_command("do", db, "begin")


def yield_picture_rows(lines: Iterable[Line], *, coloured: bool, columns: int) -> Iterator[str]:
    """Yield lines of a picture as printed, with bars of hit points in the colour of their level."""
    for line in lines:
        for row in styled(line, columns) if coloured else plain(line, columns):
            yield Painted(_BAR.sub(_health, cleaned(row))) if coloured else row


def _health(found: re.Match[str]) -> str:
    """Return a bar of hit points in the colour of its level: high, hurt, low."""
    full = found[1].count("#")
    return f"[{painted(found[1], fg='green' if full > 6 else 'yellow' if full > 2 else 'red')}]"


# --- `affray log`: the events, one per line


@click.command(epilog="Example: affray log fight.db --from r2 --to r2.t3")
@database
@click.option("--from", "start", default="start", show_default=True, help="First position: 17, r3 or r3.t2.")
@click.option("--to", "end", default="end", show_default=True, help="Last position.")
@on_branch
@as_json
def log(db: Path, start: str, end: str, branch: str, json: bool) -> None:
    """List the events of a log, one per line: position, round and turn, type, what happened.

    On a terminal long lines are wrapped. With --json every line is one event with its data as stored.
    """
    with reading(db) as store:
        playhead = Playhead(store, branch)
        first = max(1, playhead.timeline.seq_of(start))
        last = playhead.timeline.seq_of(end)
        if first > last and end != "start" and playhead.last:
            raise BadPosition(f"--from {start} (event {first}) comes after --to {end} (event {last})")
        if first > last:
            put(f"there are no events from {start} to {end}", err=True)
            return
        if json:
            for event in store.read(playhead.branch, first - 1, last):
                put(encode_json_line(event_json(event)))
            return
        for row in _rows(playhead, first, last):
            put(row)


def _rows(playhead: Playhead, first: int, last: int) -> Iterator[str]:
    """Yield the rows for the events of a line from `first` to `last`."""
    narrator, timeline = Narrator(), playhead.timeline
    columns, coloured = terminal_width(), is_output_in_colour()
    digits = len(str(last))
    for event in playhead.store.read(playhead.branch, upto=last):
        line = narrator.entry(decode(event))
        if event.seq < first:
            continue
        head = f"{event.seq:>{digits}}  {timeline.place_of(event.seq)!s:<7} {event.type:<22} "
        style = STYLES.get(line.kind, {}) if coloured else {}
        for row in _entry(head, printable(line.text), columns):
            yield painted(row, **style) if style else row


def _entry(head: str, text: str, columns: int) -> list[str]:
    """Return a row, wrapped on a terminal without losing text."""
    if not columns:
        return [f"{head}{text}".rstrip()]
    rest = " " * (len(head) + 2)
    return wrapped(text, max(columns, len(head) + 30), head, rest)
