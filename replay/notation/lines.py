"""One line of play, decided again from people's words: shared by writing and reading combat notation."""

import base64
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.book import MissingPackage
from affray.engine.dialects import load
from affray.engine.dice import Notation, Source, rethrow, throw
from affray.engine.dice.sources import Answer
from affray.engine.fight.fight import Fight
from affray.engine.notation.statements import MOST_MOOT, End, Verdict
from affray.engine.notation.tokens import NotationError, quoted, written
from affray.engine.steps import Choice
from affray.engine.table.runner import resolve
from affray.events.chain import GENESIS, SALT_BYTES, digest_after, link, salts
from affray.events.codec import decode, entry
from affray.events.envelope import Branch, Entry, Event, Head
from affray.events.errors import AffrayError, counted
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import REFUSED, AnyAct, Asked, Chosen, Declared, Invalidated, Refused, Rolled
from affray.events.stores.store import MAIN, PROMOTED
from affray.projections.fold import apply
from affray.projections.state import Encounter, duplicate

UNDECIDABLE = (
    AffrayError,
    LookupError,
    ArithmeticError,
    TypeError,
    ValueError,
    AttributeError,
    AssertionError,
)
"""Exceptions of the rules, or the fold, in a state that play cannot reach: a text may contain any fact."""


class Telling(Source, Protocol):
    """Dice and answers of one declaration, in the order in which they are needed."""

    @property
    def waits(self) -> bool:
        """Whether the fight waited for any of them."""
        ...

    goes_on: bool
    """Whether what the fight waits for comes next."""

    def again(self) -> None:
        """Start again from the first; what the fight waited for is now available."""
        ...

    def answer(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return the next answer, None to wait for it."""
        ...


class Deciding:
    """The state of a line, and the rules' decision of what comes next. `seq` is its last event."""

    def __init__(self, state: Encounter, seq: int, seed: str, cause: int, *, packages: bool = True) -> None:
        self.state, self.seq, self.cause = state, seq, cause
        self._seed, self._packages = seed, packages
        self._fight: Fight | None = None

    def next_id(self) -> str:
        """Return the id of the next declaration unless another is given."""
        return f"d{self.state.declarations + 1}"

    def next_refused(self) -> str:
        """Return the id of the next declaration if it is refused."""
        return f"{REFUSED}{self.state.refusals + 1}"

    def beside(self, fact: object, *, follows: bool) -> list[Entry]:
        """Return a fact that no rule decides, after the events so far."""
        cause = self.cause if follows else self.seq + 1
        return [entry(fact, self.state.round, self.state.turn, "", cause)]

    def unasked(self, id: str, act: AnyAct, by: str, verdict: Verdict) -> list[Entry]:
        """Return a declaration that the rules were not asked about, with its recorded result."""
        fact: Refused | Invalidated
        if verdict.word == "refused":
            id = id or self.next_refused()
            fact = Refused(id, verdict.reason, verdict.rule, stays=True)
        else:
            id = id or self.next_id()
            fact = Invalidated(id, verdict.reason, verdict.rule)
        round, turn, cause = self.state.round, self.state.turn, self.seq + 1
        return [entry(one, round, turn, act.actor, cause) for one in (Declared(id, act, by), fact)]

    def declared(self, id: str, act: AnyAct, by: str, told: Telling) -> list[Entry]:
        """Return the results of a declaration; the state already includes them."""
        seq = self.seq + 1
        refused_id = ""
        if not id:
            id, refused_id = self.next_id(), self.next_refused()
        elif id.startswith(REFUSED):
            id, refused_id = self.next_id(), id
        declared = Declared(id, act, by)
        before = duplicate(self.state) if told.waits else None
        fight = self._fight_now()
        result = resolve(fight, declared, seq=seq, dice=told, answers=told.answer, refused_id=refused_id)
        made = list(result.entries)
        while result.waiting is not None and told.goes_on and before is not None:
            told.again()
            self.state, self._fight = duplicate(before), None
            recorded = [make_event_of_entry(one) for one in made]
            result = resolve(
                self._fight_now(),
                declared,
                seq=seq,
                dice=told,
                answers=told.answer,
                recorded=recorded,
                refused_id=refused_id,
            )
            made += result.entries
        return made

    def accept(self, entries: Sequence[Entry]) -> None:
        """Continue after entries that the state already includes."""
        self.seq += len(entries)
        self.cause = entries[-1].cause

    def take(self, state: Encounter, entries: Sequence[Entry]) -> None:
        """Continue from a state and these entries after it, regardless of the rules."""
        for one in entries:
            apply(state, decode(make_event_of_entry(one)))
        self.state, self._fight = state, None
        self.accept(entries)

    def _fight_now(self) -> Fight:
        if self._fight is None:
            state = self.state
            rules = load(state.dialect, None, state.tables, state.packages if self._packages else ())
            self._fight = Fight(state, rules)
            self._fight.seed = self._seed
        return self._fight


def installed(state: Encounter) -> bool:
    """Return whether the packages that a fight was opened with are installed unchanged."""
    try:
        load(state.dialect, None, state.tables, state.packages)
    except MissingPackage:
        return False
    return True


def make_event_of_entry(one: Entry) -> Event:
    """Return an entry as an event without a position, for decoding or comparison."""
    return Event("", 0, one.type, one.version, one.round, one.turn, one.actor, one.cause, one.data, b"")


# --- The items of a line in combat notation, in the order in which the rules need the record

MOOT = "-"


class RecordedItems:
    """Recorded dice and answers, which note the items of the line as they are used.

    `faces_by` and `answers_by` are the defaults, which are not written.
    """

    waits = goes_on = False

    def again(self) -> None:
        """Nothing waits here: reading the line does that."""

    def __init__(self, facts: Sequence[object], faces_by: str, answers_by: str) -> None:
        self.items: list[str] = []
        self._faces = faces_by
        self._answers = answers_by
        self._open = type(facts[-1]) is Asked
        self._asked = {fact.key for fact in facts if type(fact) is Asked}
        self._rolled = {fact.key: fact for fact in facts if type(fact) is Rolled}
        self._chosen = {fact.key: fact for fact in facts if type(fact) is Chosen}

    def throw(self, key: str, notation: Notation) -> Answer | None:
        found = self._rolled.pop(key, None)
        wait = "wait " if key in self._asked else ""
        if found is None and (wait or self._is_over()):
            self.items.append("wait")
            return None
        if found is not None:
            try:
                thrown = rethrow(notation, found.faces)
            except AffrayError:
                found = None
        if found is None:
            return self._moot(throw(notation, lambda sides, count: (sides,) * count))
        by = "" if found.provenance == self._faces else f" ({written(found.provenance)})"
        self.items.append(f"{wait}{' '.join(map(str, found.faces)) or 'none'}{by}")
        return thrown, found.provenance

    def _is_over(self) -> bool:
        """Return whether all was rolled and answered, and the fight waits: perhaps for a link."""
        return self._open and not self._rolled and not self._chosen

    def _moot(self, thrown: Any) -> Answer:
        if len(self.items) >= MOST_MOOT:
            raise AffrayError("the rules need endless rolls")
        self.items.append(MOOT)
        return thrown, "imported"

    def answer(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        found = self._chosen.pop(key, None)
        wait = "wait " if key in self._asked else ""
        if found is None and (wait or self._is_over()):
            self.items.append("wait")
            return None
        if found is None or found.answer not in choice.options:
            self._moot(None)
            return choice.options[0], "moot"
        by = "" if found.by == self._answers else f" ({written(found.by)})"
        self.items.append(f"{wait}={written(found.answer)}{by}")
        return found.answer, found.by


def verdict_of(facts: Sequence[object]) -> str | None:
    """Return in words the result of a declaration that the rules were not asked about, None if they were."""
    last = facts[-1]
    if len(facts) != 2 or not (type(last) is Invalidated or (type(last) is Refused and last.stays)):
        return None
    word = "void" if type(last) is Invalidated else "refused"
    return f"{word} {quoted(last.reason)} {written(last.rule) if last.rule else ''}".rstrip()


# --- The salts of a log in combat notation: derived from a revealed seed, or packed

ONCE = "once"
"""All events of a branch were appended together."""


def find_salt_origin(
    events: Sequence[Event], starts: Sequence[int], previous: bytes, key: bytes
) -> str | None:
    """Return the origin of a branch's salts: None if they are as in play, ONCE, or all of them, as text."""
    if key:
        if _follow(events, starts, previous, key):
            return None
        if _follow(events, starts[:1], previous, key):
            return ONCE
    return base64.b85encode(b"".join(event.salt for event in events)).decode()


def _follow(events: Sequence[Event], starts: Sequence[int], previous: bytes, key: bytes) -> bool:
    begun = {*starts}
    at = [index for index, event in enumerate(events) if event.seq in begun]
    for one, end in zip(at, [*at[1:], len(events)], strict=True):
        first = events[one]
        made = salts(key, previous, first.stream, first.seq, first.data, end - one)
        if made != b"".join(event.salt for event in events[one:end]):
            return False
        previous = events[end - 1].digest
    return True


def unpacked(text: str) -> list[bytes]:
    """Unpack salts. Raises ValueError."""
    data = base64.b85decode(text)
    return [data[at : at + SALT_BYTES] for at in range(0, len(data), SALT_BYTES)]


# --- The lines of play of a text, and their events as branches of a log


class Play(Struct):
    """A line of play being read. `places`: the event from which on events come from a line and column."""

    name: str
    parent: "Play | None"
    at: int
    deciding: Deciding
    line: int
    steps: JsonObject
    salts: str | None = None
    entries: list[Entry] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    places: list[tuple[int, int, int]] = field(default_factory=list)
    ends: dict[str, int] = field(default_factory=dict)
    last: int = -1
    unit: int = 0
    end: End | None = None

    def upto(self, seq: int) -> Iterator[Entry]:
        """Yield the entries of the whole line up to one, from its first."""
        if self.parent is not None:
            yield from self.parent.upto(min(seq, self.at))
        yield from self.entries[: max(seq - self.at, 0)]

    def state_at(self, seq: int) -> tuple[Encounter, int]:
        """Return the state after an event of the line, and the cause of that event. O(events)."""
        state, cause = Encounter(), 0
        for made in self.upto(seq):
            apply(state, decode(make_event_of_entry(made)))
            cause = made.cause
        return state, cause

    def place_of(self, seq: int) -> tuple[int, int]:
        """Return the line and column that an event comes from."""
        if self.parent is not None and seq <= self.at:
            return self.parent.place_of(seq)
        at = bisect_right(self.places, (seq, sys.maxsize, 0)) - 1
        return self.places[at][1:] if at >= 0 else (self.line, 1)

    def end_of(self, id: str) -> int | None:
        """Return the last event of a declaration of this line, None if it has none of that name."""
        found = self.ends.get(id)
        if found is None and self.parent is not None:
            found = self.parent.end_of(id)
            return found if found is not None and found <= self.at else None
        return found


def linked(plays: Iterable[Play], key: bytes) -> tuple[list[Branch], dict[str, list[Event]]]:
    """Return branches and the events of each, chained, salted with the key.

    Raises NotationError for a wrong digest.
    """
    branches: list[Branch] = []
    events: dict[str, list[Event]] = {}
    for play in plays:
        before = _digest_at(play.parent, play.at, events)
        branches.append(Branch(play.name, play.parent.name if play.parent else "", play.at, before))
        made = events[play.name] = _chained(play, before, key)
        last = (made[-1].seq, made[-1].digest.hex()) if made else (play.at, before.hex())
        end = play.end
        if end is not None and last != (end.events, end.digest):
            raise NotationError(
                end.line,
                end.column,
                "the result of the lines before; one was changed, or the rules decide differently today",
                f"{counted(last[0], 'event')}, the last with {last[1]}",
            )
    return branches, events


def in_order(
    branches: Sequence[Branch], events: Mapping[str, Sequence[Event]], main_lines: Sequence[str]
) -> list[Event]:
    """Return the events of all branches, in an order in which `main_lines` became the main line.

    Otherwise one branch comes after the other, and a branch after the part of its parent that it shares.
    Raises ValueError if the events do not make these lines the main line, or cannot in this order.
    """
    named = [one.name for one in branches for event in events[one.name] if event.type == PROMOTED]
    if main_lines and sorted(main_lines) != sorted([MAIN, *named]):
        raise ValueError("each line of play as often as it became the main line")
    parents = {one.name: one for one in branches}
    taken = dict.fromkeys(events, 0)
    ordered: list[Event] = []

    def take(name: str, upto: int) -> None:
        line = []
        while name:
            line.append((name, upto - parents[name].at))
            upto, name = min(upto, parents[name].at), parents[name].parent
        for one, count in reversed(line):
            if count > taken[one]:
                ordered.extend(events[one][taken[one] : count])
                taken[one] = count

    for name in main_lines[1:]:
        own = events[name]
        at = next((at for at in range(taken[name], len(own)) if own[at].type == PROMOTED), None)
        if at is not None:
            take(name, own[at].seq)
    for name, own in events.items():
        take(name, parents[name].at + len(own))
    found = [MAIN, *(event.stream for event in ordered if event.type == PROMOTED)]
    if main_lines and found != [*main_lines]:
        raise ValueError("an order in which the lines can have become the main line")
    return ordered


def _digest_at(play: Play | None, seq: int, events: Mapping[str, Sequence[Event]]) -> bytes:
    while play is not None and seq <= play.at:
        play = play.parent
    return GENESIS if play is None or not seq else events[play.name][seq - play.at - 1].digest


def _chained(play: Play, before: bytes, key: bytes) -> list[Event]:
    """Return the entries of a line as events, each with its digest and salt."""
    head, entries = Head(play.at, before), play.entries
    if not entries:
        return []
    if play.salts is not None and play.salts != ONCE:
        return _with_salts(play, head)
    starts = [seq - play.at - 1 for seq in play.starts]
    if play.salts == ONCE or not key:
        starts = starts[:1]
    made: list[Event] = []
    for at, end in zip(starts, [*starts[1:], len(entries)], strict=True):
        made += link(play.name, head, entries[at:end], key)
        head = Head(made[-1].seq, made[-1].digest)
    return made


def _with_salts(play: Play, head: Head) -> list[Event]:
    try:
        salts = unpacked(play.salts or "")
    except ValueError:
        salts = []
    if not salts or any(len(one) != SALT_BYTES for one in salts):
        raise NotationError(play.line, 1, "packed salts", "something else")
    if len(salts) != len(play.entries):
        raise NotationError(
            play.line,
            1,
            f"{counted(len(salts), 'event')}, as many as there are packed salts; "
            "a line was changed, or the rules decide differently today",
            counted(len(play.entries), "event"),
        )
    made: list[Event] = []
    last = head.digest
    for seq, (e, salt) in enumerate(zip(play.entries, salts, strict=True), head.seq + 1):
        place = (e.type, e.version, e.round, e.turn, e.actor, e.cause)
        event = Event(play.name, seq, *place, e.data, b"", salt)
        last = digest_after(last, event)
        made.append(replace(event, digest=last))
    return made
