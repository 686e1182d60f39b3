"""Blame beyond one log: what somebody brought along was made what it was in the fight before."""

from collections.abc import Iterator

from msgspec import Struct

from affray.events.facts.carried import Origin
from affray.projections.state import Encounter
from affray.replay.blame import Blame, Blamed
from affray.replay.campaign.leaving import STAYS
from affray.replay.campaign.logs import Logs
from affray.replay.campaign.origins import Arrival, arrivals
from affray.replay.state_paths import PLACE, UnknownPath


class Before(Struct, frozen=True):
    """Where something was before: the origin of its bearer, and what made it so there.

    `log` is the log at hand, "" where there is none; `blamed` is None then, and where it was nothing there.
    """

    origin: Origin
    log: str = ""
    blamed: Blamed | None = None


def blamed_before(found: Blame, blamed: Blamed, logs: Logs) -> Iterator[Before]:
    """Yield where a part of the state was before its bearer came into this fight, and before that, and so on.

    Nothing where it has begun in this fight. O(events of each log on the way). Raises BrokenLog, NewerLog.
    """
    while True:
        who, path = _parted(found.state, blamed.path)
        one = _brought(found, blamed, who) if path.partition(PLACE)[0] not in STAYS else None
        if one is None:
            return
        log = logs.known.get(one.origin.log)
        if log is None:
            yield Before(one.origin)
            return
        with log.opened() as store:
            found = Blame(store, one.origin.branch, one.origin.seq)
            try:
                blamed = found.of(f"{one.origin.id}{PLACE}{path}")
            except UnknownPath:
                yield Before(one.origin, log.name)
                return
        yield Before(one.origin, log.name, blamed)


def _parted(state: Encounter, path: str) -> tuple[str, str]:
    """Return whose part of the state a path leads to, "" for the encounter's own, and what follows."""
    who = max((id for id in state.combatants if path.startswith(f"{id}{PLACE}")), key=len, default="")
    return who, path.removeprefix(f"{who}{PLACE}") if who else path


def _brought(found: Blame, blamed: Blamed, who: str) -> Arrival | None:
    """Return with whose arrival something began in this fight, None if it began otherwise."""
    if not who or not blamed.makers:
        return None
    begun = blamed.makers[-1].seq
    for one in arrivals(found.events):
        if one.id == who and found.events[begun - 1].cause == one.seq:
            return one
    return None
