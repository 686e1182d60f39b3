"""`affray import`: an exported log into a new file."""

from pathlib import Path

import click

from affray.events.wording import counted
from affray.replay.cli.base import LOG, as_json, creating
from affray.replay.cli.printing import print_json, put

EXAMPLES = """\b
Examples:
  affray import fight.jsonl --db copy.db
  affray import fight.affray --db copy.db
  affray import by-hand.affray --db new.db --roll"""


@click.command("import", epilog=EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--db", type=LOG, required=True, help="The new file for the log.")
@click.option("--roll", is_flag=True, help="notation: throw and answer what the text leaves unknown.")
@as_json
def import_(file: Path, db: Path, roll: bool, json: bool) -> None:
    """Read an exported log into a new file, all or nothing, verifying every digest.

    FILE is JSON Lines, or a page of the viewer, which carries the same log, or a text in the notation of
    combat: there the rules decide every line again, and the digests that the text gives must come out. What
    such a text leaves unknown (a face `?`, an answer not given) is refused, unless --roll has it thrown by
    the seed and answered by policy.
    """
    from affray.events.jsonl import import_jsonl
    from affray.replay.notation.text import SUFFIX, is_notation
    from affray.replay.viewer import log_lines

    told = {}
    with file.open("rb") as lines, creating(db) as store:
        beginning = lines.peek(1)
        if file.suffix == SUFFIX or is_notation(beginning):
            from affray.replay.cli.playing_on import watched
            from affray.replay.notation.reading import import_notation
            from affray.replay.notation.text import LARGEST

            with watched("deciding") as progress:
                came = import_notation(
                    lines.read(LARGEST + 1), store, roll=roll, file=str(file), progress=progress
                )
            count, told = came.events, {"comments": came.comments}
        elif roll:
            raise click.UsageError("--roll goes with a text in the notation")
        else:
            count = import_jsonl(log_lines(lines) if beginning.startswith(b"<") else lines, store)
        branches = len(store.branches())
    if json:
        print_json({"db": str(db), "events": count, "branches": branches} | told)
    else:
        found = f"{counted(count, 'event')}, {counted(branches, 'branch', 'branches')}"
        put(f"{db}: {found}, all digests good")
        if told.get("comments"):
            put(f"{counted(told['comments'], 'comment')} kept beside the log, for exports in the notation")
