"""Opening a log wherever it is: a SQLite file by its path, a fight in a database by its address."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from affray.events.address import Address, is_address
from affray.events.errors import AffrayError
from affray.events.store import Store


def where_log_is(text: str) -> Path:
    """Return where a log is, from how somebody wrote it. Raises AffrayError for a bad address."""
    return Address(text) if is_address(text) else Path(text)


def said_to_process(place: Path) -> str:
    """Return what `where_log_is` reads as this place, a password included; it is not for a command line."""
    return place.with_password() if isinstance(place, Address) else str(place)


def open_log(place: Path, *, readonly: bool = False) -> Store:
    """Open a log, or begin one where none is; see SqliteStore and PostgresStore for what is raised.

    What is recorded in a database is kept with who at the table may see it.
    """
    if isinstance(place, Address):
        from affray.events.postgres import PostgresStore
        from affray.replay.seats import Eyes

        return PostgresStore(place, readonly=readonly, eyes=None if readonly else Eyes())
    from affray.events.sqlite import SqliteStore

    return SqliteStore(place, readonly=readonly)


@contextmanager
def begun_at(address: Address, discard: tuple[type[Exception], ...]) -> Iterator[Store]:
    """Open a fight of a database that holds nothing yet, a new one or what a crash left of one.

    Its name is free again when one of the errors in `discard` ends the block, unless others have begun there.
    """
    from affray.events.postgres import PostgresStore

    with open_log(address) as store:
        assert isinstance(store, PostgresStore)
        if any(store.read_all()):
            raise AffrayError(f"{address}: there is a fight of that name already; name another one")
        try:
            yield store
        except discard:
            store.give_back()
            raise
