"""`affray fork`, `affray branches`, `affray promote`: lines of play."""

from pathlib import Path

import click

import affray.replay.branch as lines
from affray.replay.cli.base import as_json, database, on_branch, put_prose, reading, writing
from affray.replay.cli.completing import complete_branches
from affray.replay.cli.printing import print_json, put


@click.command(epilog="Example: affray fork fight.db --at r3 --as retry")
@database
@click.option("--at", "position", required=True, help="Where to leave: 17, r3, r3.t2 or end.")
@click.option("--as", "name", required=True, help="The name of the new branch.")
@on_branch
@as_json
def fork(db: Path, position: str, name: str, branch: str, json: bool) -> None:
    """Begin a branch: play on from an earlier position; what was played stays readable.

    A number leaves right after that event, a round or turn as soon as somebody can declare in it.
    """
    with writing(db) as store:
        made = lines.fork(store, position, name, branch)
    if json:
        print_json({"name": made.name, "parent": made.parent, "at": made.at})
    else:
        put(f"{made.name} leaves {made.parent} after event {made.at}")


@click.command(epilog="Example: affray branches fight.db")
@database
@as_json
def branches(db: Path, json: bool) -> None:
    """List the branches: where each leaves its parent and where it ends; * is the main line."""
    with reading(db) as store:
        found = lines.branches(store)
    if json:
        print_json(found)
        return
    longest = max(len(line.name) for line in found)
    for line in found:
        left = f", leaves {line.parent} after event {line.at} ({line.left})" if line.parent else ""
        mark = "*" if line.main else " "
        ends = f"ends at event {line.head} ({line.ends}), {line.own} of its own"
        of = f", put together of {', '.join(line.merged)}" if line.merged else ""
        put_prose(f"{mark} {line.name:<{longest}}  {ends}{left}{of}", " " * (longest + 4))


@click.command(epilog="Example: affray promote fight.db retry")
@database
@click.argument("name", shell_complete=complete_branches)
@click.option("--by", default="", help="Who decides so.")
@as_json
def promote(db: Path, name: str, by: str, json: bool) -> None:
    """Make a branch the main line, by an event on it; the old line stays readable."""
    with writing(db) as store:
        seq = lines.promote(store, name, by)
    if json:
        print_json({"main": name, "seq": seq})
    else:
        put(f"{name} is the main line from event {seq} on")
