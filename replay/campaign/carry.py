"""Carrying combatants from one log into another: as they left the one they enter the other."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.rules.turns.initiative import state_code
from affray.engine.table.appending import Outcome
from affray.engine.table.table import Table
from affray.events.envelope import Event
from affray.events.facts import acts
from affray.events.facts.base import Square
from affray.events.facts.carried import Origin
from affray.events.store import Store
from affray.projections.state import Encounter
from affray.replay.campaign.leaving import Between, CannotCarry, Leaving, departure
from affray.replay.campaign.origins import arrivals, identity, known_here
from affray.replay.groups import starts
from affray.replay.installed import readings_chosen
from affray.replay.playhead import Playhead


class CarriedOver(Struct, frozen=True):
    """What became of one combatant that was to be carried: how it left, and its entry as `id`."""

    id: str
    origin: Origin
    leaving: Leaving
    outcome: Outcome


class Journey(Struct, frozen=True, kw_only=True):
    """How combatants are carried.

    `names` are their ids in the next fight where they are others, `places` their squares there where they do
    not stand as they stood, `sides` their sides there, all by their former ids. `between` says what time went
    by. The `dead` are carried only where that is asked for. `by` and `request` are those of `Table.declare`.

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
    """Bring combatants of one log into another one, each by a declaration that says from where it comes.

    They leave after position `at` of `branch` (the main line without it; see `Playhead.seek`) and enter the
    branch `into`, in the order of `ids`, but mounts before their riders. Each is one transaction; the first
    that is refused ends it, with the refusal in its outcome. Raises CannotCarry for one who is not there, is
    dead, or came already, within the same log, and between dialects; BadPosition; and what `Table.declare`
    raises. O(events of both).

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
        raise CannotCarry("both are the same log: nobody is carried from a fight into itself")
    playhead = Playhead(source, branch)
    state = playhead.seek(at)
    last = _moment(source, playhead, state)
    table = Table(target, into)
    if table.state.dialect != state.dialect:
        raise CannotCarry(f"that fight is played by {state.dialect}, this one by {table.state.dialect}")
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
    """Return in what the rules of two fights of one dialect differ: readings, house rules, tables."""
    told = []
    before, here = readings_chosen(former), readings_chosen(following)
    for name in sorted({*before, *here}):
        was, now = before.get(name, "as usual"), here.get(name, "as usual")
        if was != now:
            told.append(f"{name} was {was} there, and is {now} here")
    if former.packages != following.packages:
        told.append("the fights are played with other packages")
    if former.tables != following.tables:
        told.append("the fights are played with other tables")
    return told


def _carried_over(table: Table, state: Encounter, origin: Origin, journey: Journey) -> CarriedOver:
    id = origin.id
    request = f"{journey.request}/{id}" if journey.request else ""
    here = list(arrivals(table.store.read(table.branch)))
    already = next((one for one in here if (one.origin.log, one.origin.id) == (origin.log, id)), None)
    # What is repeated under its request is answered by what was recorded.
    if already is not None and not (request and table.store.recorded(request)):
        raise CannotCarry(f"{id} of that fight is in this one already, as {already.id}")
    name = journey.names.get(id, id)
    known = known_here(here, origin, name)
    found = departure(state, id, _with_known(journey.between, known))
    if found.dead and not journey.dead:
        raise CannotCarry(f"{id} is dead; ask for it to carry the body")
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
    """Return the event after which somebody leaves. Raises CannotCarry in the middle of a declaration."""
    if state.pending is not None:
        raise CannotCarry("that fight waits for an answer: nobody leaves in the middle of a declaration")
    last = next(iter(source.read(playhead.branch, playhead.seq - 1, playhead.seq)), None)
    if last is None or not state.combatants:
        raise CannotCarry("nobody has entered that fight by then")
    following = next(iter(source.read(playhead.branch, playhead.seq, playhead.seq + 1)), None)
    if following is not None and not starts(following, last):
        raise CannotCarry(
            f"event {last.seq} is in the middle of a declaration, which begins with event {following.cause}: "
            f"name {following.cause - 1}, or the last event of it"
        )
    return last


def _in_order(state: Encounter, ids: Iterable[str]) -> list[str]:
    """Return each id once, mounts before those who ride them."""
    wanted = list(dict.fromkeys(ids))
    mounts = [
        one.mount
        for one in (state.combatants[id] for id in wanted if id in state.combatants)
        if one.mount in wanted
    ]
    return list(dict.fromkeys((*mounts, *wanted)))
