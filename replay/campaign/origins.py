"""Who in a log comes from another one, and by what that other one is known."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

from msgspec import Struct

from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.sheet import Carried, Origin, Sheet
from affray.events.stores.store import MAIN, Store
from affray.replay.log_files import find_logs_in, open_any

SAYS_ORIGIN = b'"origin":{'
"""What the bytes of a declaration hold that says where somebody comes from, and hardly any other's."""


class Arrival(Struct, frozen=True):
    """Somebody who came into a fight from another one: by which event of which line, and as whom."""

    stream: str
    seq: int
    id: str
    side: str
    origin: Origin
    carried: Carried
    sheet: Sheet


def identity(store: Store) -> str:
    """Return the digest (hex) of the first event of a log, by which it is known wherever it is kept.

    It covers the commitment to the log's own seed. O(1). Raises AffrayError for a log that is empty.
    """
    first = next(iter(store.read(MAIN, 0, 1)), None)
    if first is None or first.type != "encounter.opened":
        raise AffrayError("the log holds no encounter")
    return first.digest.hex()


def arrivals(events: Iterable[Event]) -> Iterator[Arrival]:
    """Yield who comes from another fight along these events, in their order. O(events).

    One who was refused has not come. Raises BrokenLog and NewerLog.
    """
    declared: Event | None = None
    for event in events:
        if event.type == "declared":
            declared = event if SAYS_ORIGIN in event.data else None
        elif event.type == "combatant.entered" and declared is not None and event.cause == declared.seq:
            act = decode(declared).act
            if isinstance(act, acts.Enter) and isinstance(act.origin, Origin):
                assert isinstance(act.carried, Carried), "an origin and a state go together"
                assert act.sheet is not None, "nobody enters without a sheet"
                yield Arrival(
                    declared.stream, declared.seq, act.id, act.side, act.origin, act.carried, act.sheet
                )
            declared = None


def comes_from_elsewhere(store: Store) -> bool:
    """Say whether anybody in a log may come from another one, on any line. O(events), none decoded."""
    return any(event.type == "declared" and SAYS_ORIGIN in event.data for event in store.read_all())


def map_known_ids(here: Iterable[Arrival], origin: Origin, id: str) -> dict[str, str]:
    """Return who of a former fight is in this one or comes with the one who is `id` here, by former ids."""
    known = {one.origin.id: one.id for one in here if one.origin.log == origin.log}
    return {**known, **dict(origin.together), origin.id: id}


# --- Logs at hand, found by what they are known by: the digest of their first event


class KnownLog(Struct, frozen=True):
    """A log that can be opened: its path or address, and what opens it for the length of a `with` block."""

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
        self.known: dict[str, KnownLog] = {}
        """Each log by its identity, in the order in which they came."""
        for name, store in stores:
            self.add(name, store)

    def add(self, name: str, store: Store) -> str:
        """Know one more log, which stays open; return its identity. Of two copies the first counts.

        Raises AffrayError.
        """
        found = identity(store)
        self.known.setdefault(found, KnownLog(name, lambda: nullcontext(store)))
        return found


def open_logs_at(places: Iterable[str | Path]) -> Logs:
    """Return the logs among files, folders and addresses of fights; each is open only while it is read.

    One that cannot be read, such as a redacted copy, stands in `unread`. Raises AffrayError for a place where
    nothing is. O(logs).
    """
    found = Logs()
    wanted = list(places)
    for file in find_logs_in(wanted)[0] if wanted else ():
        known_log = KnownLog(str(file), partial(open_any, file))
        try:
            with known_log.opened() as store:
                found.known.setdefault(identity(store), known_log)
        except AffrayError as error:
            found.unread[str(file)] = str(error)
    return found
