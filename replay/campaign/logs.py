"""Logs at hand, found by what they are known by: the digest of their first event."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

from msgspec import Struct

from affray.events.errors import AffrayError
from affray.events.store import Store
from affray.replay.campaign.origins import identity
from affray.replay.log_file import open_any
from affray.replay.rule_changes.logs import logs_in


class AtHand(Struct, frozen=True):
    """A log that is at hand: what people call it, and how it is opened; it is closed after the block."""

    name: str
    opened: Callable[[], AbstractContextManager[Store]]


class Logs:
    """Logs at hand by their identity; `unread` says of each that cannot be read why not.

    >>> from pathlib import Path
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Logs, import_notation
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> logs = Logs([("gate.db", store)])
    >>> identity = logs.add("a copy of it", store)
    >>> logs.known[identity].name
    'gate.db'
    """

    def __init__(self, stores: Iterable[tuple[str, Store]] = ()) -> None:
        """Know these logs, each with what people call it: its file or address. O(logs)."""
        self.unread: dict[str, str] = {}
        self.known: dict[str, AtHand] = {}
        """Each log by its identity, in the order in which they came."""
        for name, store in stores:
            self.add(name, store)

    def add(self, name: str, store: Store) -> str:
        """Know one more log, which stays open; return its identity. Of two copies the first counts.

        Raises AffrayError.
        """
        found = identity(store)
        self.known.setdefault(found, AtHand(name, lambda: nullcontext(store)))
        return found


def logs_at(places: Iterable[str | Path]) -> Logs:
    """Return the logs among files, folders and addresses of fights; each is open only while it is read.

    One that cannot be read, such as a redacted copy, stands in `unread`. Raises AffrayError for a place where
    nothing is. O(logs).
    """
    found = Logs()
    wanted = list(places)
    for file in logs_in(wanted)[0] if wanted else ():
        at_hand = AtHand(str(file), partial(open_any, file))
        try:
            with at_hand.opened() as store:
                found.known.setdefault(identity(store), at_hand)
        except AffrayError as error:
            found.unread[str(file)] = str(error)
    return found
