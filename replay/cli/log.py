"""`affray log`: the events, one a line."""

from collections.abc import Iterator
from pathlib import Path

import click

from affray.engine.book.card import wrapped
from affray.events.codec import decode
from affray.projections.timeline import BadPosition
from affray.replay.cli.base import (
    as_json,
    database,
    event_json,
    in_colour,
    on_branch,
    reading,
    terminal_width,
)
from affray.replay.cli.printing import json_of, put
from affray.replay.narrate import Narrator, printable
from affray.replay.narrate.line import STYLES
from affray.replay.painted import painted
from affray.replay.playhead import Playhead


@click.command(epilog="Example: affray log fight.db --from r2 --to r2.t3")
@database
@click.option("--from", "start", default="start", show_default=True, help="First position: 17, r3 or r3.t2.")
@click.option("--to", "end", default="end", show_default=True, help="Last position.")
@on_branch
@as_json
def log(db: Path, start: str, end: str, branch: str, json: bool) -> None:
    """List the events of a log, one a line: position, round and turn, type, what happened.

    On a terminal long lines are wrapped. With --json every line is one event with its data as it was
    stored.
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
                put(json_of(event_json(event)))
            return
        for row in _rows(playhead, first, last):
            put(row)


def _rows(playhead: Playhead, first: int, last: int) -> Iterator[str]:
    """Yield the rows for the events of a line from `first` to `last`."""
    narrator, timeline = Narrator(), playhead.timeline
    columns, coloured = terminal_width(), in_colour()
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
    """Return a row, on a terminal as many as its columns ask for; nothing is left out of either."""
    if not columns:
        return [f"{head}{text}".rstrip()]
    rest = " " * (len(head) + 2)
    return wrapped(text, max(columns, len(head) + 30), head, rest)
