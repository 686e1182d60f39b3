"""Two branches side by side: what differs by declaration, by roll, by event and by combatant."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from affray.engine.book import Book
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.facts.combat import ConditionGained
from affray.events.facts.declared import Asked, Declared, Invalidated, Refused, Ruled
from affray.events.facts.rolled import Rolled
from affray.events.store import Store
from affray.projections.fold import fold
from affray.projections.state import Combatant, Encounter, duplicate
from affray.replay.groups import groups
from affray.replay.installed import book_of
from affray.replay.parting import parting
from affray.replay.playhead import state_at
from affray.replay.sentence_of_difference import cast_of, plainly
from affray.replay.without_effect import without_effect


class EventChange(Struct, frozen=True):
    """An event that differs: `kind` is "changed", "only a" or "only b"; seq 0 and b"" where it is missing.

    `what` names it: declaration, type and, where there are several, which one.
    """

    kind: str
    what: str
    a: int
    b: int
    data_a: str
    data_b: str


class RollChange(Struct, frozen=True):
    """A roll whose faces differ, by key; empty where nobody rolled it."""

    key: str
    a: tuple[int, ...]
    b: tuple[int, ...]


class DeclarationChange(Struct, frozen=True):
    """A declaration that ended otherwise; "" where it was never declared.

    Ends: "done", "refused: ...", "invalidated: ...", "void: ...", "waits: ...".
    """

    id: str
    act: str
    actor: str
    a: str
    b: str


class CombatantChange(Struct, frozen=True):
    """A combatant who stands otherwise at the end: what differs, as (a, b), by name.

    Names: "present", "hp", "nonlethal", "temporary", "conditions", "at", "held", "alive".
    """

    id: str
    changes: dict[str, tuple[Any, Any]]


class Difference(Struct):
    """What differs between branch `a` and branch `b`, which share their events up to `parted`.

    `sentence` says plainly what that comes to, `counted` where they part and how much differs. `idle` are the
    changes that `b` was made for and that have no effect, each with the reason.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import diff, fork
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> again = fork(store, "r2", "again")
    >>> diff(store, "main", "again").parted
    71
    """

    a: str
    b: str
    parted: int
    round: int
    turn: int
    sentence: str
    counted: str
    declarations: list[DeclarationChange]
    rolls: list[RollChange]
    events: list[EventChange]
    combatants: list[CombatantChange]
    idle: list[str] = field(default_factory=list)

    @property
    def same(self) -> bool:
        """Whether both tell the same fight."""
        return not (self.declarations or self.rolls or self.events or self.combatants)


class Told(Struct):
    """What one branch tells after the parting, ready to be compared; nothing in it is changed any more."""

    events: dict[str, tuple[int, str]]
    rolls: dict[str, tuple[int, ...]]
    ends: dict[str, tuple[str, str, str]]
    state: Encounter
    facts: dict[str, Any]
    deaths: dict[str, str]


def diff(store: Store, a: str, b: str) -> Difference:
    """Compare two branches of a log.

    Events are matched by declaration and kind, rolls by key, so that what merely stands elsewhere is
    no difference; nor are the digests recorded at round ends, which differ as soon as anything does.
    O(events after the parting). Raises UnknownStream.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import diff, what_if
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> other = what_if(store, faces={"d10/aoo:ogre/attack/1": [2]}, name="luck")
    >>> diff(store, "main", "luck").sentence
    "With 2 for Gharm's attack roll Gharm misses Ysolde with the greatclub; Ysolde lives and ends at 5 hp."
    """
    parted = parting(store, a, b)
    base = state_at(store, a, parted)
    one, other = (told_after(store, branch, parted, base) for branch in (a, b))
    return compared(base, (a, b), parted, one, other)


def told_after(store: Store, branch: str, parted: int, base: Encounter) -> Told:
    """Return what a branch tells after event `parted`, where the state was `base`. O(events after it)."""
    return gathered(store.read(branch, after=parted), duplicate(base))


def compared(base: Encounter, names: tuple[str, str], parted: int, one: Told, other: Told) -> Difference:
    """Return what differs between two branches of these names, of what each tells after they parted."""
    events = [
        _event_change(what, one.events.get(what), other.events.get(what))
        for what in _both(one.events, other.events)
        if one.events.get(what, (0, ""))[1] != other.events.get(what, (0, ""))[1]
    ]
    rolls = [
        RollChange(key, one.rolls.get(key, ()), other.rolls.get(key, ()))
        for key in _both(one.rolls, other.rolls)
        if one.rolls.get(key) != other.rolls.get(key)
    ]
    declarations = [
        _declaration_change(id, one.ends.get(id), other.ends.get(id))
        for id in _both(one.ends, other.ends)
        if one.ends.get(id) != other.ends.get(id)
    ]
    combatants = list(_combatants(one.state, other.state))
    made = Difference(*names, parted, base.round, base.turn, "", "", declarations, rolls, events, combatants)
    made.counted = _counted(made)
    states = (one.state, other.state)
    idle = list(without_effect(one.facts, other.facts, base, lambda: _book(base)))
    cast = cast_of(states)
    made.idle = [cast.prose(each.words) for each in idle if each.sure]
    told = plainly(one.facts, other.facts, states, (one.deaths, other.deaths), idle)
    made.sentence = made.counted if made.same else told
    return made


def _both(a: Iterable[str], b: Iterable[str]) -> list[str]:
    return list(dict.fromkeys((*a, *b)))


def gathered(events: Iterable[Event], state: Encounter) -> Told:
    """Return what events tell that follow on a state, which is carried along. O(events)."""
    told = Told({}, {}, {}, state, {}, {})
    standing: dict[str, int] = {}
    for group in groups(events):
        fold(group, state)
        facts = [decode(event) for event in group]
        first = facts[0]
        id: str = first.id if type(first) is Declared else _group_name(first, standing)
        if type(first) is Declared:
            told.ends[id] = (str(first.act.__struct_config__.tag), first.act.actor, _end(facts))
        seen: dict[str, int] = {}
        for event, fact in zip(group, facts, strict=True):
            if type(fact) is Rolled:
                told.rolls[fact.key] = fact.faces
            if event.type in ("round.ended", "branch.promoted"):
                continue
            key = getattr(fact, "key", "")
            name = f"{event.type} {key}" if key else f"{event.type} {_about(fact)} ({id})"
            seen[name] = seen.get(name, 0) + 1
            numbered = f"{name} no. {seen[name]}" if seen[name] > 1 else name
            told.events[numbered] = (event.seq, event.data.decode())
            told.facts[numbered] = fact
            if type(fact) is ConditionGained and fact.condition == "dead":
                told.deaths[fact.who] = f"r{event.round}.t{event.turn}" if event.turn else f"r{event.round}"
    return told


def _group_name(first: Any, standing: dict[str, int]) -> str:
    """Return what to call a group that nobody declared, the same on both lines: by its id or its number."""
    tag = str(first.__struct_config__.tag)
    if id := getattr(first, "id", ""):
        return f"{tag} {id}{' ends' if getattr(first, 'verdict', '') == 'ends' else ''}"
    standing[tag] = standing.get(tag, 0) + 1
    return f"{tag} {standing[tag]}"


def _book(state: Encounter) -> Book:
    """Return the catalogue of a fight."""
    return (book_of(state) if state.packages else None) or Book.load(state.dialect, tables=state.tables)


def _about(fact: Any) -> str:
    return str(getattr(fact, "who", "") or getattr(fact, "attacker", "") or getattr(fact, "id", "") or "-")


def _end(facts: list[Any]) -> str:
    last = facts[-1]
    kind = type(last)
    if kind is Refused:
        return f"refused: {last.reason}"
    if kind is Invalidated:
        return f"invalidated: {last.reason}"
    if kind is Ruled:
        return f"{last.verdict}: {last.text}"
    return f"waits: {last.question}" if kind is Asked else "done"


def _event_change(what: str, a: tuple[int, str] | None, b: tuple[int, str] | None) -> EventChange:
    kind = "changed" if a and b else "only a" if a else "only b"
    (seq_a, data_a), (seq_b, data_b) = a or (0, ""), b or (0, "")
    return EventChange(kind, what, seq_a, seq_b, data_a, data_b)


def _declaration_change(
    id: str, a: tuple[str, str, str] | None, b: tuple[str, str, str] | None
) -> DeclarationChange:
    act, actor, _ = a or b or ("", "", "")
    return DeclarationChange(id, act, actor, a[2] if a else "", b[2] if b else "")


def _combatants(a: Encounter, b: Encounter) -> Iterable[CombatantChange]:
    for id in _both(a.combatants, b.combatants):
        one, other = a.combatants.get(id), b.combatants.get(id)
        if one is None or other is None:
            yield CombatantChange(id, {"present": (one is not None, other is not None)})
            continue
        mine, theirs = _standing(one), _standing(other)
        changes = {name: (mine[name], theirs[name]) for name in mine if mine[name] != theirs[name]}
        if changes:
            yield CombatantChange(id, changes)


def _standing(who: Combatant) -> dict[str, Any]:
    return {
        "hp": who.hp,
        "nonlethal": who.nonlethal,
        "temporary": who.temporary,
        "conditions": sorted(who.conditions),
        "at": who.at,
        "held": sorted(who.held),
        "alive": "dead" not in who.conditions,
    }


def _counted(found: Difference) -> str:
    place = f"r{found.round}.t{found.turn}" if found.turn else f"r{found.round}"
    if found.same:
        return (
            f"{found.a} and {found.b} tell the same fight after they part at event {found.parted} ({place})."
        )
    counted = [
        _count(len(found.declarations), "declaration ends otherwise", "declarations end otherwise"),
        _count(len(found.rolls), "roll differs", "rolls differ"),
        _count(len(found.events), "event differs", "events differ"),
    ]
    start = f"{found.a} and {found.b} part at event {found.parted} ({place})"
    return f"{start}: {', '.join(filter(None, counted)) or 'only the end differs'}."


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}" if number else ""
