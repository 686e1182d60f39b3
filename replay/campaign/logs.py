"""Logs at hand, found by what they are known by: the digest of their first event."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from affray.events.errors import AffrayError
from affray.events.store import Store
from affray.replay.campaign.origins import identity
from affray.replay.log_file import open_any
from affray.replay.rule_changes.logs import logs_in


class Logs:
    """Open logs by their identity; `unread` says of each that cannot be read why not.

    >>> from pathlib import Path
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Logs, import_notation
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> logs = Logs([("gate.db", store)])
    >>> identity = logs.add("a copy of it", store)
    >>> logs.known[identity][0]
    'gate.db'
    """

    def __init__(self, stores: Iterable[tuple[str, Store]] = ()) -> None:
        """Know these logs, each with what people call it: its file or address. O(logs)."""
        self.unread: dict[str, str] = {}
        self.known: dict[str, tuple[str, Store]] = {}
        """What each log is called, and the log, by its identity, in the order in which they came."""
        for name, store in stores:
            self.add(name, store)

    def add(self, name: str, store: Store) -> str:
        """Know one more log and return its identity; of two copies the first counts. Raises AffrayError."""
        found = identity(store)
        self.known.setdefault(found, (name, store))
        return found


@contextmanager
def logs_at(places: Iterable[str | Path]) -> Iterator[Logs]:
    """Open the logs among files, folders and addresses of fights.

    One that cannot be read, such as a redacted copy, stands in `unread`. Raises AffrayError for a place where
    nothing is.
    """
    found = Logs()
    wanted = list(places)
    with ExitStack() as held:
        for file in logs_in(wanted)[0] if wanted else ():
            try:
                found.add(str(file), held.enter_context(open_any(file)))
            except AffrayError as error:
                found.unread[str(file)] = str(error)
        yield found
