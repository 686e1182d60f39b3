"""`affray import`: an exported log into a new file."""

from pathlib import Path

import click

from affray.events.wording import counted
from affray.replay.cli.base import LOG, as_json, creating
from affray.replay.cli.printing import print_json, put


@click.command("import", epilog="Example: affray import fight.jsonl --db copy.db")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--db", type=LOG, required=True, help="The new file for the log.")
@as_json
def import_(file: Path, db: Path, json: bool) -> None:
    """Read an exported log into a new file, all or nothing, verifying every digest.

    FILE is JSON Lines, or a page of the viewer, which carries the same log.
    """
    from affray.events.jsonl import import_jsonl
    from affray.replay.viewer import log_lines

    with file.open("rb") as lines, creating(db) as store:
        page = lines.peek(1).startswith(b"<")
        count = import_jsonl(log_lines(lines) if page else lines, store)
        branches = len(store.branches())
    if json:
        print_json({"db": str(db), "events": count, "branches": branches})
    else:
        found = f"{counted(count, 'event')}, {counted(branches, 'branch', 'branches')}"
        put(f"{db}: {found}, all digests good")
