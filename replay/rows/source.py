"""The logs of which rows are made: which there are, each once, and what is known of each as a whole."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import astuple

from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.store import MAIN, Store
from affray.replay.campaign.origins import identity
from affray.replay.errata.logs import logs_in
from affray.replay.log_file import open_any
from affray.replay.rows.walk import DIGITS

NO_DATE = "1970-01"
"""The month of a log that is no file."""


class Source(Struct, frozen=True):
    """A log, in the order of the columns of the table `fights`; `path` is where it is."""

    fight: str
    log: str
    name: str
    dialect: str
    main: str
    events: int
    branches: int
    date: str
    path: str = ""

    @property
    def row(self) -> tuple[object, ...]:
        """Its row in the table `fights`."""
        return astuple(self)[:-1]


class Sources(Struct):
    """The logs found, each fight once; the files that are copies of one of them, and those that are none."""

    logs: list[Source]
    copies: dict[str, str]
    unread: dict[str, str]


def source_of(store: Store, path: Path, date: str = "") -> Source:
    """Return what is known of an open log. Its month is `date`, or when its file was last written (UTC).

    Raises AffrayError for a log without an encounter.
    """
    fight, main = identity(store)[:DIGITS], store.main_line()
    opened = decode(next(iter(store.read(MAIN, 0, 1))))
    events, branches = store.head(main).seq, len(store.branches())
    date = date or _month(path)
    return Source(fight, path.name, opened.name, opened.dialect, main, events, branches, date, str(path))


def sources(places: Iterable[str | Path], date: str = "") -> Sources:
    """Return the logs among files and below folders. Raises AffrayError where there is none.

    Of several copies of a fight the one with the most events of its main line counts, of equal ones the
    first.
    """
    found: dict[str, Source] = {}
    copies: dict[str, str] = {}
    unread: dict[str, str] = {}
    for path in logs_in(places)[0]:
        try:
            with open_any(path) as store:
                one = source_of(store, path, date)
        except AffrayError as fault:
            unread[str(path)] = str(fault)
            continue
        other = found.get(one.fight)
        if other is not None:
            kept, left = (one, other) if one.events > other.events else (other, one)
            copies[left.path] = kept.path
            one = kept
        found[one.fight] = one
    return Sources(sorted(found.values(), key=lambda one: one.path), copies, unread)


def _month(path: Path) -> str:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m")
    except OSError:
        return NO_DATE
