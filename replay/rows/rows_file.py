"""Making a rows file of logs: whole under its name, or not there at all."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from msgspec.structs import astuple

from affray.events.errors import AffrayError
from affray.events.files import atomic_path, open_found
from affray.events.stores.address import Address
from affray.projections.rows import ROWS_ID, begin, enter, fill
from affray.replay.rows.source import Source, opened
from affray.replay.rows.walk import pieces, rows_of, yield_rows_of_branches

SUFFIX = ".rows.db"
"""How the name of a rows file ends."""


def rows_path(log: Path) -> Path:
    """Return where the rows file of a log is: beside it, `fight.rows.db` of `fight.db`.

    Of a fight in a database it is here, by the name of the fight.
    """
    if isinstance(log, Address):
        return Path(log.fight + SUFFIX)
    return log.with_name(log.stem + SUFFIX)


def is_rows_file(path: Path) -> bool:
    """Say whether a file is one of rows, which can be made again: by the application id in its header."""
    try:
        with open_found(path, path.parent) as file:
            head = file.read(72)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\x00") and head[68:72] == ROWS_ID.to_bytes(4, "big")


def make_rows_file(
    path: Path,
    logs: Sequence[Source],
    *,
    side: str = "",
    hide: Iterable[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, int]:
    """Make a rows file of logs at `path`, in the place of an older one; return how many rows of each table.

    With `side` or `hide` it holds the main lines alone, as that side may see them (`rows_of`). `progress` is
    told how many of how many events are done. O(events); afterwards the file is there whole, or as before.
    Raises AffrayError for a file there that is none of rows, and what `rows_of` raises.
    """
    if path.exists() and not is_rows_file(path):
        raise AffrayError(f"{path}: there is a file already, and it is none of rows: name another one")
    try:
        with (
            atomic_path(path) as beside,
            closing(sqlite3.connect(beside, isolation_level=None)) as connection,
        ):
            return write_rows(connection, logs, side=side, hide=hide, progress=progress)
    except (sqlite3.OperationalError, OSError) as fault:
        if isinstance(fault, OSError) and fault.filename != str(path):
            raise
        reason = getattr(fault, "strerror", None) or str(fault)
        raise AffrayError(f"{path}: it cannot be written: {reason}") from fault


def write_rows(
    connection: sqlite3.Connection,
    logs: Sequence[Source],
    *,
    side: str = "",
    hide: Iterable[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, int]:
    """Write the rows of logs into a database that is empty, as `make_rows_file` does."""
    counts: dict[str, int] = {}
    total, done = sum(one.events for one in logs), 0
    begin(connection)
    connection.execute("BEGIN")
    for log in logs:
        told = partial(_further, progress, done, total) if progress is not None else None
        for name, count in _add(connection, log, side, tuple(hide), told).items():
            counts[name] = counts.get(name, 0) + count
        done += log.events
    connection.execute("COMMIT")
    connection.execute("ANALYZE")
    return counts


def _further(progress: Callable[[int, int], None], before: int, total: int, seq: int) -> None:
    if seq % 1000 == 0:
        progress(min(before + seq, total), total)


def _add(
    connection: sqlite3.Connection,
    log: Source,
    side: str,
    hide: tuple[str, ...],
    progress: Callable[[int], None] | None,
) -> dict[str, int]:
    with opened(log.place) as store:
        if side or hide:
            lines = [one for one in pieces(store) if one.main]
            rows = rows_of(store, log.main, side=side, hide=hide, progress=progress)
        else:
            lines, rows = list(pieces(store)), yield_rows_of_branches(store, progress)
        enter(connection, log.row, map(astuple, lines))
        return fill(connection, rows)
