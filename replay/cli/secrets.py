"""`affray secrets`: where the seed of the dice is kept, and bringing it there."""

from pathlib import Path

import click
from msgspec import Struct

from affray.events.errors import AffrayError, SecretsMissing
from affray.events.salts import SALT_KEY
from affray.events.secrets import SEED, is_exposed, read_secrets
from affray.events.sqlite import SqliteStore
from affray.events.sqlite_secrets import is_its_seed
from affray.events.store import Store
from affray.events.wording import shell_command
from affray.replay.cli.base import as_json, database, reading, writing
from affray.replay.cli.printing import print_json, put


class Kept(Struct, frozen=True):
    """Where the secrets of a log are: their names, never what they are.

    `place` is beside (in the file), in the log (one of earlier days), in the database (for masters alone),
    missing, elsewhere (what lies beside the log is not its own) or none; `fault` says what is wrong.
    `exposed`: others than the owner may read it.
    """

    file: str
    place: str
    names: tuple[str, ...]
    exposed: bool
    fault: str = ""


@click.command(
    epilog="\b\nExamples:\n  affray secrets fight.db\n  affray secrets fight.db --from old/fight.db-secrets\n"
    "  affray secrets old.db --move"
)
@database
@click.option("--from", "source", type=click.Path(path_type=Path), help="Copy the secrets of this log here.")
@click.option("--move", is_flag=True, help="Move the seed of an old log out of it into a file of its own.")
@as_json
def secrets(db: Path, source: Path | None, move: bool, json: bool) -> None:
    """Say where the secrets of a log are: the seed of its dice, until it is revealed.

    They stand in a file beside the log, fight.db-secrets, that its owner alone may read. It goes wherever
    the log is moved to play on; whoever only reads does not need it. Logs of earlier releases hold the seed
    themselves: --move takes it out.

    Status 1: a log whose secrets are not there.
    """
    if source is not None and move:
        raise click.UsageError("--from and --move: one of the two")
    if source is not None or move:
        with writing(db) as store:
            _brought(store, source)
    with reading(db) as store:
        kept = where(store)
    if json:
        print_json(kept)
    else:
        put(_told(db, kept))
    if kept.fault:
        click.get_current_context().exit(1)


def _brought(store: Store, source: Path | None) -> None:
    """Bring secrets to where they belong: of a file that is `source`, or out of an old log itself."""
    if isinstance(store, SqliteStore):
        if source is not None:
            store.secrets.bring(source)
        else:
            store.move_out_secrets()
        return
    if source is None:
        raise AffrayError("the secrets of a log in a database stand in a table for masters alone already")
    brought = read_secrets(source)
    if brought is None:
        raise SecretsMissing(f"{source}: no such file")
    seed = brought.get(SEED)
    if seed is None or not is_its_seed(store, seed):
        raise SecretsMissing(f"{source}: these are the secrets of another log")
    for name in sorted(brought.secrets):
        store.keep_secret(name, brought.get(name) or b"")


def where(store: Store) -> Kept:
    """Return where the secrets of a log are. Raises LogUnavailable if they cannot be read."""
    if not isinstance(store, SqliteStore):
        kept = tuple(name for name in (SALT_KEY, SEED) if store.secret(name) is not None)
        return Kept("", "in the database" if kept else "none", kept, False)
    beside = store.secrets
    file = str(beside.path)
    try:
        found = beside.found()
        old = store.note(SEED) is not None
        if found is None and not old:
            beside.get(SEED)  # says so where it should be there
            return Kept(file, "none", (), False)
    except SecretsMissing as error:
        return Kept(file, "elsewhere" if beside.path.exists() else "missing", (), False, str(error))
    if found is None:
        return Kept(file, "in the log", (SEED,), False)
    names = tuple(sorted({*found.secrets, *((SEED,) if old else ())}))
    return Kept(file, "in the log" if old else "beside", names, is_exposed(beside.path.stat().st_mode))


def _told(db: Path, kept: Kept) -> str:
    if kept.fault:
        return kept.fault
    if kept.place == "none":
        return f"{db}: no secrets are kept for this log"
    names = ", ".join(kept.names)
    if kept.place == "in the database":
        return f"{db}: {names} in the database, for masters of the fight alone"
    if kept.place == "in the log":
        taken = shell_command("secrets", db, "--move")
        return f"{db}: {names} in the log itself, for all to read; take it out: {taken}"
    shared = f"; others may read it: chmod 600 {kept.file}" if kept.exposed else ""
    return f"{kept.file}: {names}{shared}"
