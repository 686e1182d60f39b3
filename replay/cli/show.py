"""`affray show`: the state at a position."""

from pathlib import Path

import click

from affray.replay.cli.base import answering, as_json, database, on_branch, print_json, reading, tell
from affray.replay.playhead import Playhead
from affray.replay.show import picture


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
        tell(picture(state, f"{playhead.branch} at {playhead.seq} of {playhead.last}"))
        if state.pending is not None and playhead.seq == playhead.last:
            click.echo(f"    {answering(db, state.pending.options)}")
