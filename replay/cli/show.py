"""`affray show`: the state at a position."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from affray.events.store import Store
from affray.events.wording import shell_command
from affray.replay.cli.base import (
    answering,
    as_json,
    at_a_prompt,
    database,
    in_colour,
    on_branch,
    reading,
    width,
)
from affray.replay.cli.printing import print_json, put, say
from affray.replay.narrate.line import Line, plain, styled
from affray.replay.painted import Painted, cleaned, painted
from affray.replay.playhead import Playhead
from affray.replay.show import picture

KEY_BEGINS = "b begins the fight"
"""What is said of a fight that has not begun to whom holds it open at a prompt."""
_BAR = re.compile(r"\[([#.]{10})\]")


@click.command(epilog="Example: affray show fight.db --at r3.t2")
@database
@click.option("--at", "position", default="end", show_default=True, help="A position: 17, r3 or r3.t2.")
@on_branch
@as_json
def show(db: Path, position: str, branch: str, json: bool) -> None:
    """Show the state of a fight: order, health, places, conditions, effects, map, open question."""
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
        for row in picture_rows(picture(state, place, begin, columns), coloured=in_colour(), columns=columns):
            say(row)
        if state.pending is not None and at_end and not at_a_prompt():
            put(f"    {answering(db, store, playhead.branch, state.pending)}")


def _begins(db: Path, store: Store, branch: str) -> str:
    """Return what begins the fight from here; "" on a branch, which is no place to declare."""
    if branch != store.main_line():
        return ""
    return KEY_BEGINS if at_a_prompt() else shell_command("do", db, "begin")


def picture_rows(lines: Iterable[Line], *, coloured: bool, columns: int) -> Iterator[str]:
    """Yield lines of a picture as they are printed, bars of hit points in the colour of what they say."""
    for line in lines:
        for row in styled(line, columns) if coloured else plain(line, columns):
            yield Painted(_BAR.sub(_health, cleaned(row))) if coloured else row


def _health(found: re.Match[str]) -> str:
    """Return a bar of hit points in the colour of what it says: well, hurt, near its end."""
    full = found[1].count("#")
    return f"[{painted(found[1], fg='green' if full > 6 else 'yellow' if full > 2 else 'red')}]"
