"""`affray why`: the whole explanation of one event."""

from pathlib import Path
from typing import Any

import click

from affray.projections.timeline import parse
from affray.replay.cli.base import as_json, database, in_colour, on_branch, reading, width
from affray.replay.cli.printing import print_json, put
from affray.replay.explanation import text_rows
from affray.replay.explanation import why as explained
from affray.replay.painted import painted
from affray.replay.playhead import Playhead
from affray.replay.turn_explained import turn_explained, turn_rows


@click.command(epilog="\b\nExamples:\n  affray why fight.db 42\n  affray why fight.db r1.t3")
@database
@click.argument("position", metavar="SEQ|TURN")
@on_branch
@as_json
def why(db: Path, position: str, branch: str, json: bool) -> None:
    """Explain one event: declaration, dice, every modifier, the rules and their readings.

    For a turn (r1.t3) or a round (r1): everything that was decided in it, with the sums.
    """
    with reading(db) as store:
        place = parse(position)
        if place.seq is None:
            turn = turn_explained(store, branch, position)
            rows = [] if json else list(turn_rows(store, turn, width()))
            found: Any = {"first": turn.first, "last": turn.last, "events": turn.outcomes}
        else:
            found = explained(store, branch, Playhead(store, branch).timeline.seq_of(place))
            rows = text_rows(found, width())
    if json:
        print_json(found)
        return
    for row in rows:
        put(_coloured(row) if in_colour() else row)


def _coloured(row: str) -> str:
    """Return a row of an explanation with headings set off and what did not count held back."""
    if row and not row.startswith(" "):
        return painted(row, bold=True)
    return painted(row, dim=True) if "  does not count: " in row else row
