"""The fights of one combatant in order, and how it did in each."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts.combat import ConditionGained, DamageResolved, HitPointsChanged
from affray.events.facts.flow import CombatantEntered, EncounterClosed, EncounterOpened, RoundBegan
from affray.events.facts.sheet import Origin
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import Combatant, Encounter
from affray.replay.campaign.origins import Arrival, Logs, arrivals


class CombatantState(Struct, frozen=True):
    """The state of a combatant at a moment: hit points, lasting effects, used supplies."""

    hp: int
    max_hp: int
    nonlethal: int
    conditions: tuple[str, ...]
    used: dict[str, int]


class Bout(Struct, frozen=True):
    """One fight of a career.

    `entered` and `left` are events of the main line: the last one is that after which it went on to another
    fight (its `next` log), else the end of the line. `rounds` are those that began while it was there,
    `dealt` and `taken` hit points, `kills` the combatants killed by its damage. `origin` is where it came
    from, None if its career begins here or its origin is unknown; `closed` is true if the fight is over.
    """

    log: str
    fight: str
    id: str
    entered: int
    left: int
    rounds: int
    dealt: int
    taken: int
    kills: tuple[str, ...]
    at_first: CombatantState
    at_last: CombatantState
    origin: Origin | None
    next: str
    closed: bool


class Career(Struct, frozen=True):
    """The fights of a combatant; `missing` are logs that it comes from and that are not available.

    >>> from pathlib import Path
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Logs, career, import_notation
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> (bout,) = career("fighter", Logs([("gate.db", store)])).bouts
    >>> bout.fight, bout.rounds, bout.dealt, bout.at_last.hp
    ('The gate at dusk', 1, 6, 42)
    """

    id: str
    bouts: tuple[Bout, ...]
    missing: tuple[str, ...]


Place = tuple[str, str]
"""A log and the combatant's id in it."""


def career(id: str, logs: Logs, progress: Callable[[int, int], object] = lambda done, of: None) -> Career:
    """Return the fights of the combatant with the id `id` in one of these logs, in order.

    Its ids in earlier and later fights are found through the origins in the logs. Only main lines count.
    O(events of all logs); `progress` is called with the number of logs read and of all. Raises AffrayError
    for an unknown id.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Logs, career
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> len(career("ogre", Logs([("wall.db", store)])).bouts)
    1
    """
    ways = _Origins(logs, progress)
    named = [place for place in ways.present if place[1] == id]
    if not named:
        raise AffrayError(f"there is no combatant {id!r} in these logs")
    bouts: list[Bout] = []
    missing: dict[str, None] = {}
    for place in ways.in_order(named):
        origin = ways.origin(place)
        if origin is not None and logs.known.get(origin.log) is None:
            missing[origin.log] = None
        bouts.append(ways.bout(place))
    return Career(id, tuple(bouts), tuple(missing))


class _Origins:
    """The origins of combatants in several logs."""

    def __init__(self, logs: Logs, progress: Callable[[int, int], object]) -> None:
        self.logs = logs
        self.came: dict[Place, Arrival] = {}
        self.went: dict[Place, list[Place]] = {}
        self.present: list[Place] = []
        for number, (log, known_log) in enumerate(logs.known.items(), 1):
            with known_log.opened() as store:
                line = store.main_line()
                for event in store.read(line):
                    if event.type == "combatant.entered":
                        self.present.append((log, decode(event).id))
                for one in arrivals(store.read(line)):
                    self.came[log, one.id] = one
                    self.went.setdefault((one.origin.log, one.origin.id), []).append((log, one.id))
            progress(number, len(logs.known))

    def origin(self, place: Place) -> Origin | None:
        """Return the origin of a combatant in a fight."""
        return self.came[place].origin if place in self.came else None

    def in_order(self, named: list[Place]) -> Iterator[Place]:
        """Yield all fights of the combatants with an id, each chain from its first fight on."""
        seen: set[Place] = set()
        for place in named:
            first = place
            on_the_way = {place}
            while (origin := self.origin(first)) is not None:
                before = (origin.log, origin.id)
                if before in on_the_way or before not in self.present:
                    break
                on_the_way.add(before)
                first = before
            waiting = [first]
            while waiting:
                one = waiting.pop(0)
                if one not in seen:
                    seen.add(one)
                    yield one
                    waiting += self.went.get(one, [])

    def bout(self, place: Place) -> Bout:
        """Return how a combatant did in one fight."""
        log, id = place
        found = self.logs.known[log]
        following = [self.came[one] for one in self.went.get(place, ())]
        ends = max((one.origin.seq for one in following), default=0)
        on = next((one for one in self.went.get(place, ()) if self.came[one].origin.seq == ends), None)
        next_log = self.logs.known.get(on[0]) if on is not None else None
        tally = _Tally(id)
        with found.opened() as store:
            for event in _get_events_until(store, ends):
                tally.count(event)
        last = _standing(tally.state.combatants[id])
        return Bout(
            log=found.name,
            fight=tally.fight,
            id=id,
            entered=tally.entered,
            left=tally.seq,
            rounds=tally.rounds,
            dealt=tally.dealt,
            taken=tally.taken,
            kills=tuple(tally.kills),
            at_first=tally.first or last,
            at_last=last,
            origin=self.origin(place),
            next=next_log.name if next_log is not None else "",
            closed=tally.closed,
        )


def _get_events_until(store: Store, ends: int) -> Iterator[Event]:
    line = store.main_line()
    return iter(store.read(line, 0, ends or store.head(line).seq))


class _Tally:
    """The deeds of a combatant along a line, event by event."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.state = Encounter()
        self.fight, self.seq, self.entered, self.cause = "", 0, 0, 0
        self.rounds = self.dealt = self.taken = 0
        self.kills: list[str] = []
        self.first: CombatantState | None = None
        self.closed = False
        self._striker: dict[str, str] = {}

    def count(self, event: Event) -> None:
        """Count one event."""
        if self.entered and self.first is None and event.cause != self.cause:
            self.first = _standing(self.state.combatants[self.id])
        fold((event,), self.state)
        self.seq = event.seq
        fact = decode(event)
        kind = type(fact)
        if kind is EncounterOpened:
            self.fight = fact.name
        elif kind is CombatantEntered and fact.id == self.id:
            self.entered, self.cause = event.seq, event.cause
        elif kind is RoundBegan and self.entered and fact.number:
            self.rounds += 1
        elif kind is DamageResolved:
            self._striker[fact.target] = fact.attacker
        elif kind is HitPointsChanged and fact.change < 0 and event.cause != self.cause:
            self.taken -= fact.change if fact.who == self.id else 0
            self.dealt -= fact.change if self._striker.get(fact.who) == self.id else 0
        elif kind is ConditionGained and fact.condition in self.state.words.dead:
            if self._striker.get(fact.who) == self.id and fact.who != self.id:
                self.kills.append(fact.who)
        elif kind is EncounterClosed:
            self.closed = True
        if event.type == "declared":
            self._striker = {}


def _standing(one: Combatant) -> CombatantState:
    used = {name: amount for name, amount in sorted(one.resources.items()) if amount}
    return CombatantState(one.hp, one.max_hp, one.nonlethal, tuple(sorted(one.conditions)), used)
