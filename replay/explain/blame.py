"""Blame: the events that set a part of the state, each with its modifiers and rules."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from affray.engine.language.cast import INTRODUCING, Cast
from affray.engine.steps import Refusal
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError, BrokenLog
from affray.events.facts.base import JsonObject
from affray.events.facts.sheet import Modifier, Origin
from affray.events.stores.store import Store
from affray.projections.audit import Part, causes, cited, parts_of_fact
from affray.projections.fold import HANDLERS, apply
from affray.projections.sentence import sentence
from affray.projections.state import Combatant, Encounter
from affray.projections.timeline import filed
from affray.replay.campaign.carry import STAYS
from affray.replay.campaign.origins import Arrival, Logs, arrivals
from affray.replay.log.declarations import starts
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.names import (
    OF_COMBATANTS,
    OF_ENCOUNTER,
    PLACE,
    UnknownPath,
    parse_state_path,
    split_into_named_parts,
)

MOST = 12
"""Most events listed for a part that changed often, the first and the latest of them."""


class Maker(Struct, frozen=True):
    """An event that set a part of the state: `value` is the new value, None for none any more.

    `parts` are the modifiers involved, `rules` the ids of all rules cited on the way from the declaration,
    `way` the events on that way.
    """

    seq: int
    place: str
    type: str
    text: str
    value: Any
    parts: tuple[Part, ...]
    rules: tuple[str, ...]
    way: tuple[int, ...]


class Blamed(Struct, frozen=True):
    """The value of a part of the state after event `at`, and the events that set it, the latest first.

    The last of them is its beginning: a combatant's entry, with its sheet, or its creation. Of many,
    `left_out` is the number of events left out before it.
    """

    branch: str
    at: int
    path: str
    value: Any
    makers: tuple[Maker, ...]
    left_out: int = 0


class Blame:
    """The changes of each part of the state along a line of play; `state` is that after event `at`."""

    def __init__(self, store: Store, branch: str = "", at: int | None = None) -> None:
        """Fold the line once, up to event `at` (default: its end). O(events).

        Raises UnknownStream, BrokenLog, NewerLog.
        """
        self.branch = branch or store.main_line()
        self.state = Encounter()
        self.events: list[Event] = []
        self._facts: list[Struct] = []
        self._begins: list[int] = []
        self._changed: dict[str, list[tuple[int, object]]] = {}
        self._known: JsonObject = {}
        self._cast = Cast()
        for event in store.read(self.branch, upto=at):
            self._take(event)
        self.at = len(self.events)

    def of(self, text: str, most: int = MOST) -> Blamed:
        """Return the events, up to `most`, that set the part at a path (`state_paths.parse_state_path`).

        Raises UnknownPath. O(most, and their declarations).
        """
        who, name, part = parse_state_path(self.state, text)
        path = PLACE.join(filter(None, (who, name, part)))
        found = list(reversed(self.changes(path)))
        shown = found if len(found) <= most else [*found[: most - 1], found[-1]]
        makers = tuple(self.maker(seq, value) for seq, value in shown)
        return Blamed(self.branch, self.at, path, plain(self._value(path)), makers, len(found) - len(shown))

    def paths(self) -> Iterator[str]:
        """Yield every path that has ever had a value."""
        yield from self._changed

    def value(self, path: str) -> object:
        """Return the value at a path, as plain data."""
        return plain(self._value(path))

    def changes(self, path: str) -> list[tuple[int, object]]:
        """Return the events that changed the value at a path, with the new values, since its creation."""
        found = self._changed.get(path, [])
        begun = max((at for at, (_, value) in enumerate(found[:-1]) if value is None), default=-1)
        return found[begun + 1 :]

    def _value(self, path: str) -> object:
        found = self._changed.get(path)
        return found[-1][1] if found else None

    def maker(self, seq: int, value: object) -> Maker:
        """Return an event as the origin of a value."""
        event, fact = self.events[seq - 1], self._facts[seq - 1]
        first = self._begins[seq - 1]
        facts = self._facts[first - 1 : seq]
        way = sorted({0, *causes(facts, len(facts) - 1)})
        parts = tuple(part for at in way for part in parts_of_fact(first + at, facts[at]))
        rules = tuple(dict.fromkeys(rule for at in reversed(way) for rule in cited(facts[at])))
        round, turn = filed(event, fact)
        place = f"r{round}.t{turn}" if turn else f"r{round}"
        said = sentence(self._cast.saying(fact), self._cast.words)
        seqs = tuple(first + at for at in way if first + at != seq)
        return Maker(seq, place, event.type, said, plain(value), parts, rules, seqs)

    def _take(self, event: Event) -> None:
        fact = decode(event)
        before = self.events[-1] if self.events else None
        begins = event.seq if starts(event, before) or not self._begins else self._begins[-1]
        self.events.append(event)
        self._facts.append(fact)
        self._begins.append(begins)
        if event.type in INTRODUCING:
            self._cast.follow(fact)
        if type(fact) not in HANDLERS:
            return
        try:
            apply(self.state, fact)
        except (LookupError, AttributeError, TypeError, ValueError) as error:
            reason = f"{event.type} does not fit the events before it ({type(error).__name__}: {error})"
            raise BrokenLog(event.stream, event.seq, reason) from None
        self._compare(event.seq)

    def _compare(self, seq: int) -> None:
        """Record the changes by an event."""
        note = self._note
        for name in OF_ENCOUNTER:
            note(seq, name, getattr(self.state, name))
        for id, one in self.state.combatants.items():
            for name in OF_COMBATANTS:
                note(seq, f"{id}{PLACE}{name}", getattr(one, name))

    def _note(self, seq: int, path: str, value: object) -> None:
        known = self._known.get(path, self)
        if known is value or known == value:
            return
        parts = split_into_named_parts(value)
        if parts is None and isinstance(known, dict):
            parts = {}
        if parts is not None:
            old = known if isinstance(known, dict) else {}
            if parts == old and path in self._known:
                return
            for name in old.keys() - parts.keys():
                self._changed[f"{path}{PLACE}{name}"].append((seq, None))
            for name, part in parts.items():
                if old.get(name, self) != part:
                    self._changed.setdefault(f"{path}{PLACE}{name}", []).append((seq, part))
            self._known[path] = dict(parts)
        else:
            self._known[path] = value
        self._changed.setdefault(path, []).append((seq, dict(value) if isinstance(value, dict) else value))


def plain(value: object) -> object:
    """Return a value of the state as plain data."""
    return msgspec.to_builtins(value, str_keys=True)


# --- Blame for computed values: an attack and the defense against it, part by part

SUMS = ("defense", "attack")
"""The totals that can be explained."""


class ModifierOrigin(Struct, frozen=True):
    """A modifier of a total, and the events that added it."""

    modifier: Modifier
    makers: tuple[Maker, ...]


class SumBlamed(Struct, frozen=True):
    """A total after event `at`, part by part: that of `who`, against an attack of, or at, `against`.

    `weapon` is the weapon of the attack.
    """

    branch: str
    at: int
    who: str
    sum: str
    against: str
    weapon: str
    value: int
    parts: tuple[ModifierOrigin, ...]


def sum_blamed(blame: Blame, who: str, name: str, against: str, weapon: str = "") -> SumBlamed:
    """Return the parts of an attack or a defense now, each with the events that added it.

    `name` is one of `SUMS`; the attack is a plain one with the weapon named, or the default one. Raises
    AffrayError if no such attack is possible now.
    """
    if name not in SUMS:
        raise AffrayError(f"{name!r} is not a total: choose {' or '.join(SUMS)}")
    fight = make_fight_context(blame.state, None)
    people = blame.state.combatants
    attacker, target = (people[against], people[who]) if name == "defense" else (people[who], people[against])
    try:
        found = fight.dialect.kernel.standing_sums(fight, attacker, target, weapon)
    except Refusal as refusal:
        raise AffrayError(f"{refusal.reason} ({refusal.rule})") from None
    parts, total, own = (
        (found.defense, found.defense_total, found.own_defense)
        if name == "defense"
        else (found.attack, found.attack_total, found.own_attack)
    )
    one, other = (target, attacker) if name == "defense" else (attacker, target)
    given = tuple(ModifierOrigin(part, tuple(_makers(blame, part, own, one, other))) for part in parts)
    return SumBlamed(blame.branch, blame.at, who, name, against, found.weapon, total, given)


def _makers(
    blame: Blame, part: Modifier, own: Iterable[Modifier], one: Combatant, other: Combatant
) -> Iterator[Maker]:
    """Yield the events behind a part: those of the effect or condition, of both positions, of the sheet."""
    words = f"{part.source} {part.denied}"
    seen: set[int] = set()
    paths: list[str] = []
    for who in (one, other):
        paths += [f"{who.id}.effects.{effect.id}" for effect in who.effects if _is_of(effect.modifier, part)]
        paths += [f"{who.id}.conditions.{name}" for name in who.conditions if name in words]
    if not any(_is_of(mine, part) for mine in own) and not paths:
        paths = [f"{one.id}.at", f"{other.id}.at"]
    if any(_is_of(mine, part) for mine in own):
        paths.append(f"{one.id}.sheet")
    for path in paths:
        for maker in blame.of(path, most=1).makers:
            if maker.seq not in seen:
                seen.add(maker.seq)
                yield maker


def _is_of(modifier: Modifier, part: Modifier) -> bool:
    """Return whether a part of a total is this modifier, whether it counts or not."""
    return (modifier.value, modifier.kind, modifier.source) == (part.value, part.kind, part.source)


# --- Blame beyond one log: state that a combatant carried from an earlier fight


class Before(Struct, frozen=True):
    """The origin of a value in an earlier fight: that of its bearer, and the events that set it there.

    `log` is the available log, "" if there is none; `blamed` is then None, also if there was no value there.
    """

    origin: Origin
    log: str = ""
    blamed: Blamed | None = None


def yield_origins_in_earlier_fights(found: Blame, blamed: Blamed, logs: Logs) -> Iterator[Before]:
    """Yield the origin of a part of the state in the fight before this one, in the one before that, and so
    on.

    Nothing if it began in this fight. O(events of each log on the way). Raises BrokenLog, NewerLog.
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
    """Return the combatant of a path into the state, "" for the encounter's own, and the rest of the path."""
    who = max((id for id in state.combatants if path.startswith(f"{id}{PLACE}")), key=len, default="")
    return who, path.removeprefix(f"{who}{PLACE}") if who else path


def _brought(found: Blame, blamed: Blamed, who: str) -> Arrival | None:
    """Return the arrival with which a value began in this fight, None if it began otherwise."""
    if not who or not blamed.makers:
        return None
    begun = blamed.makers[-1].seq
    for one in arrivals(found.events):
        if one.id == who and found.events[begun - 1].cause == one.seq:
            return one
    return None
