"""Follow combatants back through the logs that they come from, and compare what entered with what left."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext

import msgspec
from msgspec import Struct

from affray.engine.kernel.arrival import state_code
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts.sheet import Carried, Origin, Sheet
from affray.events.stores.store import Store
from affray.projections.deeds import ENOUGH
from affray.replay.campaign.carry import Between, CannotCarry, departure
from affray.replay.campaign.origins import Arrival, KnownLog, Logs, arrivals, identity, map_known_ids
from affray.replay.checks import Check
from affray.replay.log.playhead import state_at
from affray.replay.verification.verify import verify


class Differing(Struct, frozen=True):
    """A field of a combatant with different values when it left and when it entered."""

    field: str
    left: str
    entered: str

    def __str__(self) -> str:
        return f"{self.field}: left with {self.left}, entered with {self.entered}"


class Followed(Struct, frozen=True):
    """A combatant from another fight, and the result of following it.

    `log` is the name of the log that it is in now, and `found` of the one from which it comes, "" if that is
    not available. `problem` is what is wrong, and `differing` are the fields that changed.
    """

    log: str
    stream: str
    seq: int
    id: str
    origin: Origin
    found: str = ""
    problem: str = ""
    differing: tuple[Differing, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong; also true if the other log is not available."""
        return not self.problem and not self.differing

    def __str__(self) -> str:
        place = f"{self.log} {self.stream}#{self.seq}: {self.id}"
        there = f"{self.origin.id}, {self.origin.branch}#{self.origin.seq}"
        if not self.found:
            return f"{place} not followed: log {self.origin.log[:ENOUGH]} is not available"
        if self.ok:
            return f"{place} is as it left {self.found} ({there})"
        told = self.problem or "; ".join(map(str, self.differing))
        return f"{place} does not match {self.found} ({there}): {told}"


class Following(Struct, frozen=True):
    """The result of following combatants back: each arrival, nearest first, and the two checks that summarize
    it.

    `origins`: each combatant from another fight is as it left that fight; `logs`: those other logs verify.

    >>> from pathlib import Path
    >>> from affray.engine import parse_scenario, set_up
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Logs, carry, follow_back, import_notation
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> wolf = parse_scenario('''
    ... dialect = "srd35"
    ... map = ["......", "......"]
    ... combatants = [{id = "wolf", side = "monsters", use = "wolf", at = [5, 0]}]
    ... ''')
    >>> wood = MemoryStore()
    >>> table = set_up(wolf, wood)
    >>> carried = carry(store, ["fighter"], wood)
    >>> lost = follow_back(wood, Logs())
    >>> lost.ok, lost.checks[0].count, lost.checks[0].note
    (True, 1, 'not followed: ... not available')
    """

    followed: tuple[Followed, ...]
    checks: tuple[Check, Check]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong on the way back, as far as it could be followed."""
        return all(check.ok for check in self.checks)


def follow_back(
    store: Store,
    logs: Logs,
    name: str = "this log",
    branch: str = "",
    changes: Mapping[str, object] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Following:
    """Follow every combatant that came from another fight into any line of a log, or into `branch`, and
    further back.

    Each log that is reached among `logs` is verified once, whole, and the departure is derived from it again.
    Circles are impossible: an event naming a later one would have to contain a digest that depends on its
    own. `name` is the name of the log in reports, `changes` are figures of the rule catalogue (see `verify`),
    and `progress` is called with the number of finished events of a log. O(events of all these logs). Raises
    what `verify` raises.

    >>> from pathlib import Path
    >>> from affray.engine import parse_scenario, set_up
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Logs, carry, follow_back, import_notation
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> wolf = parse_scenario('''
    ... dialect = "srd35"
    ... map = ["......", "......"]
    ... combatants = [{id = "wolf", side = "monsters", use = "wolf", at = [5, 0]}]
    ... ''')
    >>> wood = MemoryStore()
    >>> table = set_up(wolf, wood)
    >>> carried = carry(store, ["fighter"], wood)
    >>> found = follow_back(wood, Logs([("gate.db", store)]), "wood.db")
    >>> print(found.followed[0])
    wood.db main#4: fighter is as it left gate.db (fighter, main#30)
    >>> found.ok
    True
    """
    return _ReturnPath(logs, changes, progress).back(name, store, branch)


class _ReturnPath:
    """The way back from one log through all others."""

    def __init__(
        self, logs: Logs, changes: Mapping[str, object] | None, progress: Callable[[int], None] | None
    ) -> None:
        self.logs, self.changes, self.progress = logs, changes, progress
        self.verified: set[str] = set()
        self.origins = Check("origins", "combatants from other fights are as they left them")
        self.reached = Check("logs", "the logs that they come from are as recorded")

    def back(self, name: str, store: Store, branch: str) -> Following:
        made: list[Followed] = []
        seen = {identity(store)}
        first = store
        waiting = [(KnownLog(name, lambda: nullcontext(first)), branch)]
        while waiting:
            known_log, branch = waiting.pop(0)
            with known_log.opened() as store:
                here = list(self._followed(known_log.name, store, branch))
            made += here
            for one in here:
                found = self.logs.known.get(one.origin.log)
                if found is not None and one.origin.log not in seen:
                    seen.add(one.origin.log)
                    waiting.append((found, ""))
        if lost := {one.origin.log for one in made if not one.found}:
            self.origins.note = (
                f"not followed: {', '.join(sorted(log[:ENOUGH] for log in lost))} not available"
            )
        return Following(tuple(made), (self.origins, self.reached))

    def _followed(self, name: str, store: Store, branch: str) -> Iterator[Followed]:
        """Yield every combatant that came into a log, each once."""
        seen: set[tuple[str, int]] = set()
        log = identity(store)
        for line in [branch] if branch else [one.name for one in store.branches()]:
            here: list[Arrival] = []
            for one in arrivals(store.read(line)):
                if (one.stream, one.seq) not in seen:
                    seen.add((one.stream, one.seq))
                    yield self._one(name, log, one, here)
                here.append(one)

    def _one(self, name: str, log: str, one: Arrival, here: list[Arrival]) -> Followed:
        self.origins.count += 1
        made = Followed(name, one.stream, one.seq, one.id, one.origin)
        found = self.logs.known.get(one.origin.log)
        if one.origin.log == log:
            made = msgspec.structs.replace(made, found=name, problem="it is this log itself")
        elif found is not None:
            with found.opened() as store:
                problem, differing = self._not_there(one, found.name, store, here)
            made = msgspec.structs.replace(made, found=found.name, problem=problem, differing=differing)
        if not made.ok:
            self.origins.bad(Event(one.stream, one.seq, "", 0, 0, 0, "", 0, b"", b""), str(made))
        return made

    def _not_there(
        self, one: Arrival, there: str, store: Store, here: list[Arrival]
    ) -> tuple[str, tuple[Differing, ...]]:
        """Return what is wrong with the recorded origin of a combatant, and the differences."""
        origin = one.origin
        self._verify(origin.log, there, store)
        try:
            left = next(iter(store.read(origin.branch, origin.seq - 1, origin.seq)), None)
            if left is None or left.digest.hex() != origin.digest:
                return f"event {origin.seq} of {origin.branch!r} is a different event there", ()
            if any(other.origin.log == origin.log and other.origin.id == origin.id for other in here):
                return f"{origin.id} of that fight has already come", ()
            known = map_known_ids(here, origin, one.id)
            between = Between(origin.after, origin.renewed, origin.gathered, known)
            found = departure(state_at(store, origin.branch, origin.seq), origin.id, between)
        except (AffrayError, CannotCarry) as error:
            return str(error), ()
        return "", tuple(
            [*differing(found.sheet, one.sheet, "sheet."), *differing(found.carried, one.carried)]
            or _other_code(one)
        )

    def _verify(self, log: str, there: str, store: Store) -> None:
        """Verify another log, once, and record its problems."""
        if log not in self.verified:
            self.verified.add(log)
            self.reached.count += 1
            report = verify(store, changes=self.changes, progress=self.progress)
            first = next((check.problem for check in report.checks if check.problem is not None), None)
            if first is not None:
                place = Event(first.stream, first.seq, "", 0, 0, 0, "", 0, b"", b"")
                self.reached.bad(place, f"{there}: {first.what}", first.recorded, first.found)


def differing(left: Sheet | Carried, entered: Sheet | Carried, prefix: str = "") -> Iterator[Differing]:
    """Yield each field that changed between departure and entry."""
    for field in msgspec.structs.fields(left):
        was, now = getattr(left, field.name), getattr(entered, field.name)
        if was != now:
            parts = _parts(was, now) if isinstance(was, tuple) and isinstance(now, tuple) else (was, now)
            yield Differing(f"{prefix}{field.name}", *map(_as_text, parts))


def _parts(was: tuple[object, ...], now: tuple[object, ...]) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """Return of two lists what each has that the other lacks; both whole if only the order differs."""
    own = tuple(one for one in was if one not in now), tuple(one for one in now if one not in was)
    return own if any(own) else (was, now)


def _as_text(value: object) -> str:
    return msgspec.json.encode(value).decode() if value not in ((), "", None) else "nothing"


def _other_code(one: Arrival) -> Iterator[Differing]:
    """Yield the digest of the state if it is not that of the carried state."""
    found = state_code(one.sheet, one.carried)
    if found != one.origin.state:
        yield Differing("origin.state", found, one.origin.state)
