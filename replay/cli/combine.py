"""`affray combine`: several redacted copies of one line of play into one."""

from contextlib import ExitStack
from pathlib import Path

import click

from affray.events.wording import counted
from affray.replay.cli.base import as_json
from affray.replay.cli.output import output
from affray.replay.cli.printing import print_json, say
from affray.replay.redaction import combine as combined


@click.command(epilog="Example: affray combine players.jsonl after-the-session.jsonl --out fuller.jsonl")
@click.argument(
    "copies", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file to write.")
@as_json
def combine(copies: tuple[Path, ...], out: Path, json: bool) -> None:
    """Put copies together that show different events of one line of play.

    What one of COPIES shows the new one shows; a copy may be longer than another that was given away earlier.
    The same seal holds: compare it with affray verify FILE --seal SEAL.
    """
    with ExitStack() as stack:
        files = [stack.enter_context(one.open("rb")) for one in copies]
        events, hidden = combined(files, stack.enter_context(output(out, copies[0])))
    if json:
        print_json({"events": events, "hidden": hidden})
    else:
        say(f"{counted(events, 'event')}, {hidden} hidden still")
