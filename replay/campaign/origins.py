"""Who in a log comes from another one, and by what that other one is known."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.carried import Carried, Origin
from affray.events.facts.sheet import Sheet
from affray.events.store import MAIN, Store

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


def known_here(here: Iterable[Arrival], origin: Origin, id: str) -> dict[str, str]:
    """Return who of a former fight is in this one or comes with the one who is `id` here, by former ids."""
    known = {one.origin.id: one.id for one in here if one.origin.log == origin.log}
    return {**known, **dict(origin.together), origin.id: id}
