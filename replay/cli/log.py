"""`affray log`: the events, one a line."""

from pathlib import Path

import click

from affray.events.codec import decode
from affray.replay.cli.base import (
    as_json,
    database,
    event_json,
    in_colour,
    on_branch,
    print_json,
    reading,
    width,
)
from affray.replay.narrate import Narrator, printable
from affray.replay.playhead import Playhead


@click.command(epilog="Example: affray log fight.db --from r2 --to r2.t3")
@database
@click.option("--from", "start", default="1", show_default=True, help="First position: 17, r3 or r3.t2.")
@click.option("--to", "end", default="end", show_default=True, help="Last position.")
@on_branch
@as_json
def log(db: Path, start: str, end: str, branch: str, json: bool) -> None:
    """List the events of a log, one a line: position, place, type, what happened.

    With --json every line is one event with its data as it was stored.
    """
    with reading(db) as store:
        playhead = Playhead(store, branch)
        first = playhead.timeline.seq_of(start)
        last = playhead.timeline.seq_of(end)
        if json:
            for event in store.read(playhead.branch, first - 1, last):
                print_json(event_json(event))
            return
        narrator = Narrator()
        columns = width() if in_colour() else 0
        digits = len(str(last))
        for event in store.read(playhead.branch, upto=last):
            fact = decode(event)
            said = narrator.brief(fact)
            if event.seq >= first:
                place = f"r{event.round}.t{event.turn}"
                row = f"{event.seq:>{digits}}  {place:<7} {event.type:<22} {printable(said)}".rstrip()
                if columns and len(row) > columns:
                    row = row[: columns - 3] + "..."
                click.echo(row)
