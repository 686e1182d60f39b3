"""Carry combatants from one log into another: they enter in the state in which they left."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.fight.fight import Dialect, Fight
from affray.engine.kernel.arrival import ITEM_STATES, state_code
from affray.engine.rules.mounted.riding import spurred_in
from affray.engine.steps import Choice, Roll
from affray.engine.table.appending import Outcome
from affray.engine.table.table import Table
from affray.events.envelope import Event
from affray.events.errors import AffrayError, counted, did_you_mean
from affray.events.facts import acts
from affray.events.facts.base import Square
from affray.events.facts.combat import EffectEnded, Until
from affray.events.facts.sheet import (
    Carried,
    LastingAffliction,
    LastingCondition,
    LastingEffect,
    Origin,
    Sheet,
)
from affray.events.stores.store import Store
from affray.projections.fold import apply
from affray.projections.state import Combatant, Encounter, duplicate, printed_sheet
from affray.replay.campaign.origins import arrivals, identity, map_known_ids
from affray.replay.log.declarations import starts
from affray.replay.log.playhead import Playhead
from affray.replay.log.rules_for_fight import readings_chosen

# --- How a combatant leaves a fight: which parts of its state are carried into another one, and which stay
# behind
#
# Nothing is guessed. Effects that last some rounds end unless the elapsed time is given; then the remaining
# time is carried. They end by the dialect's own rule, with its consequences. Healing and rest are
# declarations in the next fight. `STAYS` gives for each field of the state that is never carried the reason.

STAYS: Final[Mapping[str, str]] = {
    "id": "each fight has its own names",
    "at": "its square is that of the next fight",
    "space": "it has the space of its sheet, even if it was squeezing",
    "reach": "it follows from the sheet",
    "stretch": "it no longer squeezes",
    "lying": "items on the ground stay there, unless they are picked up",
    "acted": "a new fight begins",
    "aware": "the next fight determines awareness",
    "initiative": "each fight has its own order",
    "fixed_initiative": "each fight has its own order",
    "initiative_modifier": "each fight has its own order",
    "spent": "the turn is over",
    "reactions": "the round is over",
    "opportunities": "the round is over",
    "plan": "the round is over",
    "delaying": "its delayed turn is over",
    "waited": "its delayed turn is over",
    "readied": "its trigger can no longer happen",
    "casting": "a casting does not continue in the next fight",
    "casting_due": "a casting does not continue in the next fight",
    "brewing": "a casting does not continue in the next fight",
    "mount": "it is not mounted, unless rider and mount are carried together",
    "rider": "it has no rider, unless rider and mount are carried together",
    "riderless": "it must be guided again",
    "true_form": "nobody is carried in another form",
    "melded": "nobody is carried in another form",
}
"""Field of a combatant that is never carried -> the reason."""

ALL: Final = "all"
"""Stands for every use that can be renewed."""

TIMED: Final = ("turn-start", "turn-end", "round-end")
"""Kinds of endings of effects that last some rounds."""
KEPT_UP: Final = "concentration"
UNTIL_REST: Final = "rest"
SECONDS_A_MINUTE: Final = 60
MINUTES_AN_HOUR: Final = 60
LYING: Final = "dropped"
OF_A_ROUND: Final = spurred_in(0).removesuffix("0")
ENDED_BESIDE: Final = "it ended together with another effect"
ELSEWHERE: Final = "{} (elsewhere)"
"""The name of a combatant of an earlier fight that is not in this one."""


class CannotCarry(AffrayError):
    """A combatant cannot be carried from one fight into another, for this reason.

    It has not entered; those that the same call carried before have.

    >>> from pathlib import Path
    >>> from affray.engine import parse_scenario, set_up
    >>> from affray.events import MemoryStore
    >>> from affray.replay import CannotCarry, carry, import_notation
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> wolf = parse_scenario('''
    ... dialect = "srd35"
    ... map = ["......", "......"]
    ... combatants = [{id = "wolf", side = "monsters", use = "wolf", at = [5, 0]}]
    ... ''')
    >>> wood = MemoryStore()
    >>> table = set_up(wolf, wood)
    >>> try:
    ...     carry(store, ["figther"], wood)
    ... except CannotCarry as fault:
    ...     print(fault)
    there is no combatant 'figther' in that fight; did you mean fighter?
    """


class NotCarried(Struct, frozen=True):
    """A part of the state that was not carried: its field, its value, and the reason."""

    field: str
    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"


class Leaving(Struct, frozen=True):
    """A combatant as it leaves a fight: the parts carried, and the parts left behind."""

    id: str
    side: str
    policy: str
    mount: str
    dead: bool
    sheet: Sheet
    carried: Carried
    left: tuple[NotCarried, ...]


class Between(Struct, frozen=True):
    """The time between two fights.

    `after` are the rounds that passed, -1 if unknown; `renewed` the uses that were renewed, "all" for every
    one; `gathered` is true if items on the ground were picked up. `known` maps the ids of combatants of the
    earlier fight to their ids in the next one.

    An hour of `srd35`, in rounds of six seconds:

    >>> from pathlib import Path
    >>> from affray.engine import parse_scenario, set_up
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Between, Journey, carry, import_notation
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> wolf = parse_scenario('''
    ... dialect = "srd35"
    ... map = ["......", "......"]
    ... combatants = [{id = "wolf", side = "monsters", use = "wolf", at = [5, 0]}]
    ... ''')
    >>> wood = MemoryStore()
    >>> table = set_up(wolf, wood)
    >>> hour = Journey(between=Between(after=600, renewed=("all",), gathered=True))
    >>> (over,) = carry(store, ["fighter"], wood, journey=hour)
    >>> over.origin.after, over.leaving.carried.hp
    (600, 42)
    """

    after: int = -1
    renewed: tuple[str, ...] = ()
    gathered: bool = False
    known: Mapping[str, str] = {}


def rounds_per_minute(dialect: Dialect) -> int:
    """Return the rounds of a minute in a dialect."""
    figures = dialect.citing({}, dialect.book.defaults).figure("round.six-seconds")
    return int(figures.get("rounds_per_minute") or SECONDS_A_MINUTE // figures["seconds"])


def departure(state: Encounter, id: str, between: Between) -> Leaving:
    """Return how a combatant leaves a fight in this state, which is not changed. O(its sheet and state).

    The result is always the same for the same state, time and rules. Raises CannotCarry for a combatant that
    is not in the fight, and for uses that it does not have.
    """
    if id not in state.combatants:
        raise CannotCarry(f"there is no combatant {id!r} in that fight{did_you_mean(id, state.combatants)}")
    dialect = load(state.dialect, None, state.tables, state.packages)
    if "carried" not in dialect.heeded[acts.Enter].kept:
        raise CannotCarry(f"{dialect.name} has no rule for carrying a combatant into another fight")
    return _Departure(Fight(duplicate(state), dialect), id, between).leave()


class _Departure:
    """The departure of one combatant from a copy of its fight."""

    def __init__(self, fight: Fight, id: str, between: Between) -> None:
        self.fight, self.id, self.between = fight, id, between
        self.one: Combatant = fight.state.combatants[id]
        self.left: list[NotCarried] = []
        self.per_minute = rounds_per_minute(fight.dialect)

    def leave(self) -> Leaving:
        one = self.one
        self._end_by_time()
        if one.true_form is not None:
            raise CannotCarry(
                f"{self.id} has another form by a spell: end the spell before it leaves the fight"
            )
        carried = Carried(
            hp=one.hp,
            max_hp=one.max_hp,
            nonlethal=one.nonlethal,
            temporary=one.temporary,
            own_side=one.own_side,
            held=one.held,
            items=tuple(sorted(self._items())),
            unloaded=tuple(sorted(set(one.unloaded))),
            conditions=tuple(self._conditions()),
            effects=tuple(self._effects()),
            used=tuple(sorted(self._used().items())),
            injuries=one.injuries,
            losses=tuple(sorted(one.losses.items())),
            afflictions=tuple(self._afflictions()),
            counters=tuple(sorted(one.counters.items())),
        )
        self._note_what_stays()
        dead = self.fight.state.is_dead(one)
        return Leaving(
            self.id, one.side, one.policy, one.mount, dead, printed_sheet(one), carried, tuple(self.left)
        )

    def _leave(self, field: str, what: str, why: str) -> None:
        self.left.append(NotCarried(field, what, why))

    # What time ends.

    def _end_by_time(self) -> None:
        """End the effects that the time between two fights ends, by the dialect's rules, with the
        consequences.
        """
        one, dialect = self.one, self.fight.dialect
        before = list(one.conditions)
        effects = list(one.effects)
        for name, condition in list(one.conditions.items()):
            if name in one.conditions and (why := self._explain_end_of_effect(condition.until)):
                self._leave("conditions", name, why)
                self._drive(dialect.kernel.time_over(self.fight, one, name))
                one.conditions.pop(name, None)
        for effect in one.effects:
            if why := self._explain_end_of_effect(effect.until):
                self._leave("effects", effect.modifier.source or effect.id, why)
                apply(self.fight.state, EffectEnded(who=one.id, id=effect.id, why=why))
                if one.temporary:
                    self._drive(dialect.kernel.time_over(self.fight, one, effect))

        told = {(left.field, left.what) for left in self.left}
        for name in before:
            if name not in one.conditions and ("conditions", name) not in told:
                self._leave("conditions", name, ENDED_BESIDE)
        for effect in effects:
            what = effect.modifier.source or effect.id
            if effect not in one.effects and ("effects", what) not in told:
                self._leave("effects", what, ENDED_BESIDE)

    def _explain_end_of_effect(self, until: Until) -> str:
        """Return why an effect that lasted until a moment is over, "" if it is not."""
        after = self.between.after
        if until.when == KEPT_UP:
            return "it was kept up by concentration"
        if until.when == UNTIL_REST:
            hours = after // (self.per_minute * MINUTES_AN_HOUR)
            return f"{counted(hours, 'hour')} passed" if after > 0 and hours else ""
        if until.when not in TIMED:
            return ""
        if after < 0:
            return "it lasts some rounds, and the elapsed time is not given"
        return "" if self._rounds_left(until) > 0 else "its time is over"

    def _rounds_left(self, until: Until) -> int:
        return until.round - self.fight.state.round - max(0, self.between.after)

    def _drive(self, steps: Iterable[object] | None) -> None:
        """Apply the rules' consequences of an ending, as far as they need no dice and no answers."""
        for step in steps or ():
            if isinstance(step, Roll | Choice):
                purpose = f"a roll for {step.purpose}" if isinstance(step, Roll) else step.question
                self._leave("conditions", purpose, "consequences of endings are not rolled between fights")
                return
            apply(self.fight.state, step)

    # The parts that are carried.

    def _conditions(self) -> Iterator[LastingCondition]:
        for name, held in self.one.conditions.items():
            if why := self.fight.dialect.kernel.left_behind(self.fight, name, held.source):
                self._leave("conditions", name, why)
            else:
                yield LastingCondition(
                    name, self._called(held.source), self._until(held.until), held.level, held.aloft
                )

    def _effects(self) -> Iterator[LastingEffect]:
        for one in self.one.effects:
            against = self.between.known.get(one.against, "")
            if one.against and not against:
                what = f"{one.modifier.source or one.id} against {one.against}"
                self._leave("effects", what, f"{one.against} is not in the next fight")
                continue
            yield LastingEffect(one.id, one.stat, one.modifier, self._until(one.until), against, one.uses)

    def _until(self, until: Until) -> Until:
        """Return a moment as remaining rounds, by the turns of its bearer if the other combatant is not
        carried.
        """
        who = until.who and self.between.known.get(until.who, self.between.known.get(self.id, self.id))
        return Until(until.when, who, self._rounds_left(until) if until.when in TIMED else 0)

    def _called(self, name: str) -> str:
        """Return the name in the next fight of a combatant of the earlier one; other words are unchanged."""
        if name in self.between.known:
            return self.between.known[name]
        return ELSEWHERE.format(name) if name in self.fight.state.combatants else name

    def _items(self) -> Iterator[tuple[str, str]]:
        one = self.one
        for name, state in one.items.items():
            if state != LYING:
                yield name, state if state in ITEM_STATES else "gone"
            elif self.between.gathered:
                yield name, "stowed"
            else:
                yield name, "gone"
                self._leave("items", name, f"it is on the ground where it fell{self._where(name)}")

    def _where(self, name: str) -> str:
        places = self.one.lying.get(name, ())
        return f", at {' and '.join(f'{x},{y}' for x, y in places)}" if places else ""

    def _used(self) -> dict[str, int]:
        one, renewed = self.one, set(self.between.renewed)
        used = {
            name: amount
            for name, amount in one.resources.items()
            if amount and not name.startswith(OF_A_ROUND)
        }
        pools = dict(self.fight.dialect.kernel.pools(self.fight, one))
        if strange := sorted(renewed - {ALL} - set(pools)):
            known = ", ".join(sorted(pools)) or "nothing"
            raise CannotCarry(f"{self.id} has no {strange[0]!r} to renew; available: {known}")
        if self.between.gathered:
            counted_pieces = {weapon.name for weapon in one.sheet.weapons if weapon.ammunition is not None}
            for name, places in one.lying.items():
                if name in counted_pieces and name in used:
                    used[name] = max(0, used[name] - len(places))
        return {
            name: amount
            for name, amount in used.items()
            if amount and not (name in pools and (ALL in renewed or name in renewed))
        }

    def _afflictions(self) -> Iterator[LastingAffliction]:
        state, after = self.fight.state, max(0, self.between.after)
        for one in self.one.afflictions:
            rounds = one.round if one.round < 0 else max(0, one.round - state.round - after)
            minutes = (
                one.minute
                if one.minute < 0
                else max(0, one.minute - state.minutes - after // self.per_minute)
            )
            yield LastingAffliction(
                one.id, one.rider, self._called(one.by), one.dc, rounds, minutes, one.treated
            )

    # The parts that stay behind.

    def _note_what_stays(self) -> None:
        one, known = self.one, self.between.known
        if one.readied is not None:
            self._leave("readied", "a readied act", STAYS["readied"])
        if one.plan:
            self._leave("plan", "its plan for the round", STAYS["plan"])
        if one.delaying:
            self._leave("delaying", "a delayed turn", STAYS["delaying"])
        for spell in filter(None, (one.casting, *(brewing.act for brewing in one.brewing))):
            self._leave("casting", f"the casting of {spell.spell}", STAYS["casting"])
        if one.mount and one.mount not in known:
            self._leave("mount", f"riding {one.mount}", f"{one.mount} is not in the next fight")
        if one.rider and one.rider not in known:
            self._leave("rider", f"carrying {one.rider}", f"{one.rider} is not in the next fight")
        if one.stretch != (0, 0):
            self._leave("stretch", "squeezing", STAYS["stretch"])


class CarriedOver(Struct, frozen=True):
    """The result for one combatant to carry: how it left, and its entry as `id`."""

    id: str
    origin: Origin
    leaving: Leaving
    outcome: Outcome


class Journey(Struct, frozen=True, kw_only=True):
    """How combatants are carried.

    `names` are their new ids in the next fight, `places` their new squares, `sides` their new sides, all by
    their old ids and only if they change. `between` is the time that passed. The `dead` are only carried on
    request. `by` and `request` are those of `Table.declare`.

    >>> from pathlib import Path
    >>> from affray.engine import parse_scenario, set_up
    >>> from affray.events import MemoryStore
    >>> from affray.replay import Journey, carry, import_notation
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> wolf = parse_scenario('''
    ... dialect = "srd35"
    ... map = ["......", "......"]
    ... combatants = [{id = "wolf", side = "monsters", use = "wolf", at = [5, 0]}]
    ... ''')
    >>> wood = MemoryStore()
    >>> table = set_up(wolf, wood)
    >>> way = Journey(names={"fighter": "brannoc"}, places={"fighter": (1, 0)}, by="Anna")
    >>> (over,) = carry(store, ["fighter"], wood, journey=way)
    >>> over.id, over.origin.id, over.outcome.refused
    ('brannoc', 'fighter', None)
    """

    names: Mapping[str, str] = {}
    places: Mapping[str, Square] = {}
    sides: Mapping[str, str] = {}
    between: Between = Between()
    dead: bool = False
    by: str = ""
    request: str = ""


def carry(
    source: Store,
    ids: Sequence[str],
    target: Store,
    *,
    branch: str = "",
    at: str | int = "end",
    into: str = "",
    journey: Journey | None = None,
) -> list[CarriedOver]:
    """Carry combatants of one log into another, each by a declaration that records its origin.

    They leave after position `at` of `branch` (default: the main line; see `Playhead.seek`) and enter the
    branch `into`, in the order of `ids`, except mounts before their riders. Each is one transaction; the
    first that is refused ends the call, with the refusal in its outcome. Raises CannotCarry for a combatant
    that does not exist, is dead, or was carried already, within the same log, and between dialects;
    BadPosition; and what `Table.declare` raises. O(events of both).

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.engine import Table, parse_scenario, set_up
    >>> from affray.replay import Journey, carry, state_at
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> field = parse_scenario('''
    ... dialect = "srd35"
    ... map = ["......", "......"]
    ... combatants = [{id = "wolf", side = "monsters", use = "wolf", at = [5, 0]}]
    ... ''')
    >>> target = MemoryStore()
    >>> table = set_up(field, target)
    >>> (over,) = carry(store, ["ogre"], target, journey=Journey(places={"ogre": (1, 0)}))
    >>> state_at(store, "main", 245).combatants["ogre"].hp == Table(target).state.combatants["ogre"].hp
    True
    """
    journey = journey or Journey()
    log = identity(source)
    if log == identity(target):
        raise CannotCarry("both are the same log: a combatant cannot be carried into its own fight")
    playhead = Playhead(source, branch)
    state = playhead.seek(at)
    last = _moment(source, playhead, state)
    table = Table(target, into)
    if table.state.dialect != state.dialect:
        raise CannotCarry(f"that fight uses {state.dialect}, this one {table.state.dialect}")
    if table.state.closed:
        raise CannotCarry("the fight to carry them into is closed")
    origin = Origin(
        log=log, branch=playhead.branch, seq=last.seq, digest=last.digest.hex(), id="", state="",
        fight=state.name, after=journey.between.after, renewed=journey.between.renewed,
        gathered=journey.between.gathered,
    )  # fmt: skip
    made: list[CarriedOver] = []
    wanted = _in_order(state, ids)
    together = tuple((id, journey.names.get(id, id)) for id in wanted) if len(wanted) > 1 else ()
    for id in wanted:
        found = _carried_over(table, state, replace(origin, id=id, together=together), journey)
        made.append(found)
        if found.outcome.refused is not None:
            break
    return made


def other_rules(former: Encounter, following: Encounter) -> list[str]:
    """Return how the rules of two fights of one dialect differ: readings, house rules, tables."""
    told = []
    before, here = readings_chosen(former), readings_chosen(following)
    for name in sorted({*before, *here}):
        was, now = before.get(name, "as usual"), here.get(name, "as usual")
        if was != now:
            told.append(f"{name} was {was} there, and is {now} here")
    if former.packages != following.packages:
        told.append("the fights use different packages")
    if former.tables != following.tables:
        told.append("the fights use different tables")
    return told


def _carried_over(table: Table, state: Encounter, origin: Origin, journey: Journey) -> CarriedOver:
    id = origin.id
    request = f"{journey.request}/{id}" if journey.request else ""
    here = list(arrivals(table.store.read(table.branch)))
    already = next((one for one in here if (one.origin.log, one.origin.id) == (origin.log, id)), None)
    # A repeated request is answered by its recorded events.
    if already is not None and not (request and table.store.recorded(request)):
        raise CannotCarry(f"{id} of that fight is already in this one, as {already.id}")
    name = journey.names.get(id, id)
    known = map_known_ids(here, origin, name)
    found = departure(state, id, _with_known(journey.between, known))
    if found.dead and not journey.dead:
        raise CannotCarry(f"{id} is dead; carry the body only on request")
    origin = replace(origin, state=state_code(found.sheet, found.carried))
    riding = known.get(found.mount, "")
    act = acts.Enter(
        id=name,
        side=journey.sides.get(id, found.side),
        sheet=found.sheet,
        at=journey.places.get(id, state.combatants[id].at),
        policy=found.policy,
        riding=riding,
        origin=origin,
        carried=found.carried,
    )
    outcome = table.declare(act, journey.by, request)
    return CarriedOver(name, origin, found, outcome)


def _with_known(between: Between, known: Mapping[str, str]) -> Between:
    return Between(between.after, between.renewed, between.gathered, known)


def _moment(source: Store, playhead: Playhead, state: Encounter) -> Event:
    """Return the event after which a combatant leaves. Raises CannotCarry in the middle of a declaration."""
    if state.pending is not None:
        raise CannotCarry(
            "that fight waits for an answer: combatants cannot leave in the middle of a declaration"
        )
    last = next(iter(source.read(playhead.branch, playhead.seq - 1, playhead.seq)), None)
    if last is None or not state.combatants:
        raise CannotCarry("no combatant has entered that fight by then")
    following = next(iter(source.read(playhead.branch, playhead.seq, playhead.seq + 1)), None)
    if following is not None and not starts(following, last):
        raise CannotCarry(
            f"event {last.seq} is in the middle of a declaration, which begins with event {following.cause}: "
            f"name {following.cause - 1}, or the last event of it"
        )
    return last


def _in_order(state: Encounter, ids: Iterable[str]) -> list[str]:
    """Return each id once, mounts before their riders."""
    wanted = list(dict.fromkeys(ids))
    mounts = [
        one.mount
        for one in (state.combatants[id] for id in wanted if id in state.combatants)
        if one.mount in wanted
    ]
    return list(dict.fromkeys((*mounts, *wanted)))
