"""The logs of which rows are made: which there are, each once, and what is known of each as a whole."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import astuple

from affray.events.codec import decode
from affray.events.errors import AffrayError, BrokenLog
from affray.events.stores.address import Address
from affray.events.stores.store import MAIN, Store
from affray.replay.campaign.origins import identity
from affray.replay.log.line_tree import find_first_fault
from affray.replay.log_files import find_logs_in, open_any
from affray.replay.rows.walk import DIGITS


class Source(Struct, frozen=True):
    """A log, in the order of the columns of the table `fights`; `place` is where it is."""

    fight: str
    log: str
    name: str
    dialect: str
    main: str
    events: int
    branches: int
    date: str
    place: Path

    @property
    def path(self) -> str:
        """Where it is, in words."""
        return str(self.place)

    @property
    def row(self) -> tuple[object, ...]:
        """Its row in the table `fights`."""
        return astuple(self)[:-1]


class Sources(Struct):
    """The logs found, each fight once; the files that are copies of one of them, and those that are none."""

    logs: list[Source]
    copies: dict[str, str]
    unread: dict[str, str]


@contextmanager
def opened(place: Path) -> Iterator[Store]:
    """Open a log to make rows of it. Every fault names it; nonsense in a damaged log is damage."""
    with open_any(place) as store:
        try:
            yield store
        except (AffrayError, OSError) as fault:
            if isinstance(fault, BrokenLog):
                fault.in_file(str(place))
            raise
        except Exception as error:
            broken = find_first_fault(store)
            if broken is None:
                raise
            broken.in_file(str(place))
            raise broken from error


def source_of(place: Path, date: str = "") -> Source:
    """Return what is known of a log. Its month is `date`, or when its file was last written (UTC).

    Raises AffrayError for a log without an encounter, and what opening and decoding raise.
    """
    with opened(place) as store:
        fight, main = identity(store)[:DIGITS], store.main_line()
        begun = decode(next(iter(store.read(MAIN, 0, 1))))
        events, branches = store.head(main).seq, len(store.branches())
    date = date or _month(place)
    log = place.fight if isinstance(place, Address) else place.name
    return Source(fight, log, begun.name, begun.dialect, main, events, branches, date, place)


def sources(places: Iterable[str | Path], date: str = "") -> Sources:
    """Return the logs among files and below folders, and of a database that names no fight all its fights.

    Of several copies of a fight the one with the most events of its main line counts, of equal ones the
    first. Raises AffrayError where there is no log, and what is wrong with the first where none can be read.
    """
    found: dict[str, Source] = {}
    copies: dict[str, str] = {}
    faults: dict[str, AffrayError] = {}
    for place in find_logs_in(places)[0]:
        try:
            one = source_of(place, date)
        except AffrayError as fault:
            faults[str(place)] = fault
            continue
        other = found.get(one.fight)
        if other is not None:
            kept, left = (one, other) if one.events > other.events else (other, one)
            copies[left.path] = kept.path
            one = kept
        found[one.fight] = one
    if not found:
        raise next(iter(faults.values()))
    unread = {path: str(one) for path, one in faults.items()}
    return Sources(sorted(found.values(), key=lambda one: one.path), copies, unread)


def _month(place: Path) -> str:
    """Return the month in which a file was last written; "" for a log that is none."""
    if isinstance(place, Address):
        return ""
    return datetime.fromtimestamp(place.stat().st_mtime, UTC).strftime("%Y-%m")
