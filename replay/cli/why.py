"""`affray why`: the whole explanation of one event."""

from pathlib import Path

import click

from affray.replay.cli.base import as_json, database, on_branch, print_json, reading, width
from affray.replay.explanation import text
from affray.replay.explanation import why as explained


@click.command(epilog="Example: affray why fight.db 42")
@database
@click.argument("seq", type=click.IntRange(min=1))
@on_branch
@as_json
def why(db: Path, seq: int, branch: str, json: bool) -> None:
    """Explain one event: declaration, dice, every modifier, the rules and their readings."""
    with reading(db) as store:
        found = explained(store, branch, seq)
    if json:
        print_json(found)
    else:
        click.echo(text(found, width()))
