"""`affray copy`: a log from one place to another; `affray fights`: which fights a database holds."""

from pathlib import Path

import click

from affray.events.errors import AffrayError
from affray.events.wording import counted, shell_command
from affray.replay.cli.base import LOG, as_json, creating, reading
from affray.replay.cli.playing_on import watched
from affray.replay.cli.printing import print_json, put, put_all
from affray.replay.copied import copy_log

ADDRESS = "postgresql://HOST/DATABASE"


@click.command(
    epilog="\b\nExamples:\n  affray copy fight.db backup.db\n  affray copy fight.db postgresql://db.local/games#friday\n"
    "  affray copy postgresql://db.local/games#friday friday.db"
)
@click.argument("source", metavar="FROM", type=LOG)
@click.argument("target", metavar="TO", type=LOG)
@as_json
def copy(source: Path, target: Path, json: bool) -> None:
    """Copy a whole log into a new file, or a new fight of a database, with all branches.

    Every digest is checked on the way and comes out the same; the secrets go along, so that the copy can be
    played on. Request ids stay behind.
    """
    with reading(source) as log, creating(target, discard=(AffrayError,)) as made:
        total = sum(log.head(one.name).seq - one.at for one in log.branches())
        with watched("copying") as progress:
            done = copy_log(log, made, lambda count: progress(count, total))
    if json:
        print_json({"from": str(source), "to": str(target), "copied": done})
    else:
        put(f"{target}: {_much(done.events, done.branches)}, all digests as in {source}")


@click.command(epilog="Example: affray fights postgresql://db.local/games")
@click.argument("database", metavar="DATABASE", type=LOG)
@as_json
def fights(database: Path, json: bool) -> None:
    """List the fights of a PostgreSQL database that you may read, the oldest first."""
    from affray.events.address import Address
    from affray.events.postgres_fights import fights_in

    if not isinstance(database, Address):
        raise click.UsageError(f"{database}: no address of a database; write {ADDRESS}")
    found = fights_in(database)
    if json:
        print_json(found)
        return
    if not found:
        put(f"{database}: no fight yet; open one with: {shell_command('new', f'{database}#NAME')}")
    put_all(f"{one.name:<24} {_much(one.events, one.branches)}, made {one.made}" for one in found)


def _much(events: int, branches: int) -> str:
    return f"{counted(events, 'event')}, {counted(branches, 'branch', 'branches')}"
