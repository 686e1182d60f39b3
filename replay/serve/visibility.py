"""Filter, number and frame the events of a line of play for each audience."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from affray.engine.language.cast import INTRODUCING, Cast
from affray.events.codec import VERSIONS, decode, encode
from affray.events.envelope import Event
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import Declared, Disputed, Invalidated, Refused, Ruled, TurnBegan
from affray.events.facts.words import DialectWords
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.sentence import sentence
from affray.projections.state import Encounter, Question
from affray.replay.chance.luck import Tally
from affray.replay.chance.summaries import Swing
from affray.replay.log.declarations import group_of, groups, starts
from affray.replay.log.playhead import state_at
from affray.replay.privacy.audience import (
    Audience,
    AudienceFilter,
    Key,
    describe_visible_parts,
    everybody_of,
    glimpse,
    sides_of,
)
from affray.replay.serve.messages import (
    HIDDEN,
    REBASE,
    SEEN,
    TYPES,
    CloudEvent,
    FeedCursor,
    ShownEvent,
    encode_sse,
    is_earlier_main_line,
    make_unknown_position,
    rebased,
    told_at,
    turn_of,
)
from affray.replay.viewer.frames import (
    Begun,
    Change,
    Frame,
    FramedLine,
    make_combatant_view,
    make_encounter_view,
)

# --- Own ids: the reader's ids of declarations, disputes and rulings, stored compactly
#
# A fight of 100,000 events has tens of thousands of ids for each reader. A dictionary of strings would take
# some hundred bytes for each id.

_COUNTED: Final = re.compile(r"([a-zA-Z])([1-9][0-9]{0,8}|0)")
"""An id as the runner assigns it: a letter and a number."""


class _OfLetter:
    """The ids with one letter, in order: their numbers, how many were shown up to each, and their places.

    The place of an id is 0 if it is shown. If not, it is the number of events shown before it plus one, which
    keeps the names of ids that are not shown distinct.
    """

    __slots__ = ("numbers", "places", "told")

    def __init__(self) -> None:
        self.numbers, self.told, self.places = array("I"), array("I"), array("I")


class OwnIds:
    """Map the ids of a line to the ids of one reader."""

    def __init__(self) -> None:
        """Start empty."""
        self._many: defaultdict[str, int] = defaultdict(int)
        self._in_order: defaultdict[str, _OfLetter] = defaultdict(_OfLetter)
        self._others: dict[str, str] = {}
        """Ids of another form or out of order, which only a log written by hand contains."""

    def name(self, id: str, letter: str, place: int) -> None:
        """Add an id under a letter: shown if `place` is 0, otherwise not shown, at that place."""
        self._many[letter] += not place
        own = self._many[letter]
        found = _COUNTED.fullmatch(id)
        if found is not None and found[1] == letter:
            of, number = self._in_order[letter], int(found[2])
            if not of.numbers or number > of.numbers[-1]:
                of.told.append(own)
                of.places.append(place)
                of.numbers.append(number)  # last: a concurrent reader finds the rest
                return
        self._others[id] = f"{letter}{own}.{place}" if place else f"{letter}{own}"

    def get(self, id: str, otherwise: str) -> str:
        """Return the reader's name of an id, or `otherwise` if it has none."""
        if id in self._others:
            return self._others[id]
        found = _COUNTED.fullmatch(id)
        of = self._in_order.get(found[1]) if found is not None else None
        if found is None or of is None:
            return otherwise
        number = int(found[2])
        at = bisect_left(of.numbers, number)
        if at == len(of.numbers) or of.numbers[at] != number:
            return otherwise
        return f"{found[1]}{of.told[at]}.{of.places[at]}" if of.places[at] else f"{found[1]}{of.told[at]}"


# --- Counting: the events of a line that a reader is shown, numbered without gaps
#
# The log's numbers would reveal how many hidden events there are. Every reader except the game master
# therefore gets its own numbers: for events and for what is counted in them (turns, declarations, disputes,
# rulings). They depend only on the earlier log and on what is hidden: every process computes the same
# numbers, also after a restart.

MOST_COUNTED: Final = 128
"""Most audiences whose counts are kept, each along one line; the counts of others are computed again."""

PASSING: Final = frozenset({"round.ended", "round.began", "phase.changed", "turn.began"})
"""Event types that follow the end of a turn automatically. After a turn that is hidden from a reader, their
cause is the end of the last turn that the reader saw.
"""

ENDING: Final = PASSING | {"turn.ended", "order.set"}

COUNTED: Final = {"declared": "d", "disputed": "Q", "ruled": "R"}
"""Types of events that carry a counted id -> the letter it begins with; ids of refused declarations use x."""


class Counted:
    """The events of a line that one audience is shown, counted up to event `upto`.

    The n-th event shown is event `seqs[n - 1]` of the line.
    """

    def __init__(self, audience: Audience) -> None:
        """Start before the first event."""
        self.upto = 0
        # Four bytes per number, since one is stored per event: a log of 100,000 is served in flat memory.
        self.seqs = array("I")
        self.ids = OwnIds()
        """The ids of declarations, disputes and rulings: the log's id -> the reader's."""
        self._begun = array("I"), array("I"), array("I")
        self._causes, self._within, self._after = array("I"), array("I"), array("I")
        self._actors: dict[int, str] = {}
        # A combatant that has not entered has no name yet; otherwise later events would change earlier
        # numbers.
        self._eyes = AudienceFilter(Audience(audience.sides, hide=audience.hide), Encounter())
        self._last: Event | None = None
        self._silent = self._flows = False
        self._turn = 0, 0
        self._passed = 0, ""
        self.growing = Lock()

    @property
    def turns(self) -> dict[tuple[int, int], int]:
        """Map round and turn in the reader's count (0 before the first) to the event that begins it."""
        return {(of, turn): seq for of, turn, seq in zip(*self._begun, strict=False)}

    def number(self, seq: int) -> int:
        """Return how many events are shown up to an event of the line."""
        return bisect_right(self.seqs, seq)

    def is_told(self, seq: int) -> bool:
        """Return whether an event is shown, at least in part."""
        at = bisect_right(self.seqs, seq)
        return at > 0 and self.seqs[at - 1] == seq

    def get_last_shown_event(self, seq: int) -> int:
        """Return the last shown event up to an event, 0 for none."""
        at = bisect_right(self.seqs, seq)
        return self.seqs[at - 1] if at else 0

    def cause(self, seq: int) -> int:
        """Return the reader's number of the cause of a shown event."""
        return self._causes[self.number(seq) - 1]

    def actor(self, event: Event) -> str:
        """Return the actor of an event as shown to the reader."""
        return self._actors.get(event.seq, event.actor)

    def turn(self, seq: int) -> int:
        """Return the turn within its round of a shown event, in the reader's count."""
        return self._within[self.number(seq) - 1]

    def turn_after(self, seq: int) -> int:
        """Return the turn after an event, in the reader's count."""
        at = self.number(seq)
        return self._after[at - 1] if at else 0

    def take(self, events: Iterable[Event]) -> None:
        """Count further events. Each declaration's events are learned together before they are judged."""
        group: list[tuple[Event, object]] = []
        for event in events:
            if group and starts(event, group[-1][0]):
                self._count_all(group)
                group = []
            group.append((event, decode(event)))
        if group:
            self._count_all(group)

    def _count_all(self, group: list[tuple[Event, object]]) -> None:
        begins = starts(group[0][0], self._last)
        if begins:
            self._eyes.forget()
        for event, fact in group:
            self._eyes.learn(event, fact)
        for event, fact in group:
            told = tells(self._eyes, event, fact)
            if begins:
                self._silent, self._flows, begins = not told, False, False
            self._name(event, fact, told)
            if told:
                self._count(event, fact)
        self._last = group[-1][0]
        self.upto = self._last.seq

    def _count(self, event: Event, fact: Any) -> None:
        number, kind = len(self.seqs) + 1, event.type
        self._flows = self._flows or (self._silent and kind in PASSING)
        cause = min(number, self.number(event.cause) + (not self.is_told(event.cause)))
        actor = event.actor
        if self._flows:
            cause, actor = self._passed
        if actor != event.actor:
            self._actors[event.seq] = actor
        if kind in ENDING:
            self._passed = cause, actor
        turn = self._turn[1] if self._turn[0] == event.round else 0
        self._within.append(turn)
        if kind == "turn.began":
            self._turn = event.round, turn + 1
            self._begin(event.seq)
        elif kind == "round.began":
            self._turn = fact.number, 0
            self._begin(event.seq)
        self._after.append(self._turn[1])
        self._causes.append(cause)
        self.seqs.append(event.seq)  # last: a concurrent reader finds the rest

    def _begin(self, seq: int) -> None:
        for kept, value in zip(self._begun, (*self._turn, seq), strict=True):
            kept.append(value)

    def _name(self, event: Event, fact: Any, told: bool) -> None:
        letter = COUNTED.get(event.type, "")
        if not letter or not fact.id:
            return
        letter = "x" if fact.id.startswith("x") else letter
        # The key of a roll that is shown may contain an id that is not shown.
        self.ids.name(fact.id, letter, 0 if told else len(self.seqs) + 1)


def tells(eyes: AudienceFilter, event: Event, fact: object) -> bool:
    """Return whether any part of a learned event is shown."""
    why = eyes.why(event, fact)
    return not why or glimpse(event.type, fact, why, eyes.is_hidden) is not None


class Counting:
    """The counts of all audiences, for any thread; each caller passes its own store."""

    def __init__(self) -> None:
        """Start without counts."""
        self._counted: OrderedDict[tuple[object, ...], Counted] = OrderedDict()
        self._finding = Lock()

    def of(self, store: Store, audience: Audience, branch: str, upto: int) -> Counted:
        """Return the events that an audience is shown of a line, at least up to an event.

        O(events since the last call); the first call counts all of them.
        """
        key = audience.sides, audience.hide, branch
        with self._finding:
            found = self._counted.get(key) or Counted(audience)
            self._counted[key] = found
            self._counted.move_to_end(key)
            if len(self._counted) > MOST_COUNTED:
                self._counted.popitem(last=False)
        if found.upto < upto:
            try:
                with found.growing:
                    found.take(store.read(branch, found.upto))
            except BaseException:
                with self._finding:
                    self._counted.pop(key, None)  # some of it may have been taken in
                raise
        return found


# --- Renumbering: facts with the reader's numbers in place of those of the log

_KEY: Final = re.compile(rb"(?<![\w.])(?:xd|x|d)\d+(?:\.\d+)*(?=/)")
"""The beginning of a key anywhere in a text: the id of a declaration."""

_RULING: Final = re.compile(rb"(?<=ruling:)R\d+\b")

_SAID: Final = (Declared, Disputed, Ruled)
"""Types of facts that contain no keys except in the words of people."""


class Numbers(Protocol):
    """The numbers of one reader."""

    @property
    def ids(self) -> OwnIds:
        """The reader's ids of declarations, disputes and rulings, by the log's ids."""

    def number(self, seq: int) -> int:
        """Return how many events the reader is shown up to an event."""

    def turn(self, seq: int) -> int:
        """Return the turn of a shown event."""


def translate_fact(fact: object, seq: int, counted: Numbers) -> Any:
    """Return a fact with its ids and numbers replaced by the reader's."""
    ids = counted.ids
    if isinstance(fact, TurnBegan):
        return replace(fact, number=counted.turn(seq) + 1)
    if isinstance(fact, Declared):
        return replace(fact, id=ids.get(fact.id, fact.id), by_chance=UNSET)
    if isinstance(fact, Refused | Invalidated):
        return replace(fact, id=ids.get(fact.id, fact.id))
    if isinstance(fact, Disputed):
        return replace(
            fact,
            id=ids.get(fact.id, fact.id),
            subject=ids.get(fact.subject, fact.subject),
            event=counted.number(fact.event),
            by_chance=UNSET,
        )
    if isinstance(fact, Ruled):
        names = {name: getattr(fact, name) for name in ("id", "subject", "dispute")}
        own = {name: ids.get(id, id) for name, id in names.items()}
        return replace(fact, **own, event=counted.number(fact.event))
    return fact


def translate_fact_to_json(fact: object, counted: Numbers) -> msgspec.Raw:
    """Return a fact as JSON with the reader's numbers, also in keys and citations."""
    data = encode(fact)
    return msgspec.Raw(data if isinstance(fact, _SAID) else translate_keys(data, counted))


def translate_keys(data: bytes, counted: Numbers) -> bytes:
    """Return JSON with keys of rolls and questions and citations of rulings in the reader's numbers."""

    def own(found: re.Match[bytes]) -> bytes:
        return counted.ids.get(found[0].decode(), found[0].decode()).encode()

    return _RULING.sub(own, _KEY.sub(own, data))


def translate_key(key: str, counted: Numbers) -> str:
    """Return a key with the reader's numbers."""
    return translate_keys(key.encode(), counted).decode()


# --- Marks: positions of a log as shown to a reader, and the positions that a reader names
#
# The game master sees the log's positions. For every other reader `seq` counts the events shown: unseen
# events do not move the reader, which stays at the end until something is shown again. The past that a reader
# is shown changes when a combatant that the log mentions is hidden or revealed, and when the reader's own
# combatants enter. Then `view` changes, and numbers of the old view are no longer valid.


class FeedPositions:
    """The positions of one log for one audience, usable in any thread that has a store."""

    def __init__(self, audience: Audience, counting: Counting) -> None:
        """Translate positions for an audience."""
        self.audience, self._counting = audience, counting

    def counted(self, store: Store, branch: str, upto: int) -> Counted | None:
        """Return what the audience is shown of a line, at least up to an event; None if it sees all."""
        if self.audience.all_seeing:
            return None
        return self._counting.of(store, self.audience, branch, upto)

    def told(self, store: Store, place: FeedCursor) -> FeedCursor:
        """Return a position of the log as the audience sees it."""
        found = self.counted(store, place.branch, place.seq)
        if found is None:
            return place
        return FeedCursor(place.branch, place.epoch, found.number(place.seq), self.audience.view)

    def meant(self, store: Store, told: FeedCursor, end: FeedCursor) -> FeedCursor | None:
        """Return the position of the log that a reader's position means: the last one that looks the same to
        it.

        Return None for a position of another view, about which nothing more is known. Raises BadPlace for a
        position that this log has never had.
        """
        if self.audience.all_seeing:
            return told
        if not is_earlier_main_line(store, told) or told.epoch > end.epoch:
            raise make_unknown_position(told, self.told(store, end))
        if told.view != self.audience.view or not self._is_of_the_same(store, told, end):
            return None
        head = store.head(told.branch).seq
        found = self._counting.of(store, self.audience, told.branch, head)
        many = found.number(head)
        if told.seq > many:
            raise make_unknown_position(told, self.told(store, end))
        return FeedCursor(told.branch, told.epoch, head if told.seq == many else found.seqs[told.seq] - 1)

    def _is_of_the_same(self, store: Store, told: FeedCursor, end: FeedCursor) -> bool:
        """Return whether an earlier main line was seen by the same side."""
        if told.epoch == end.epoch or not self.audience.own:
            return True
        state = state_at(store, told.branch, store.head(told.branch).seq)
        return sides_of(self.audience.own, everybody_of(state)) == self.audience.sides


class Expected:
    """The position at which a reader expects the fight; it is valid until a later event is shown."""

    def __init__(self, place: FeedCursor, marks: FeedPositions) -> None:
        """Expect a position as it was shown."""
        self.place, self._marks = place, marks

    def __str__(self) -> str:
        return str(self.place)

    def stands(self, store: Store, now: FeedCursor) -> bool:
        """Return whether the fight is still at the position, as far as the reader can see."""
        return self.place == self._marks.told(store, now)


# --- Events of a line of play that were read


class Passed(NamedTuple):
    """An event that was read: its fact and frame, and the question that was pending after it."""

    event: Event
    fact: Any
    frame: Frame | None
    question: Question | None


# --- Reading a line of play: each event with its frame, from any position of a log

PAGE = 500
"""Number of events read at once; more if a declaration is longer."""


class Passing:
    """Read a line event by event, each with its frame if `framed`.

    `state` is the state after the last event and must not be changed; `group` is the unfinished declaration.
    """

    def __init__(self, store: Store, branch: str, after: int, *, framed: bool) -> None:
        """Start after an event of a line, including the events of its declaration.

        O(distance to a checkpoint, plus that declaration).
        """
        group = group_of(store, branch, after) if after else []
        start = group[0].seq - 1 if group else 0
        self.state: Encounter = state_at(store, branch, start)
        self.rules: dict[str, None] = {}
        """The rules that the events have cited, if they are framed."""
        self._line: FramedLine | None = None
        if framed:
            begun = Begun(self.state, Tally())
            self._line = FramedLine(begun, Cast.of(self.state), self.rules, start)
            self.state = self._line.state
        self.group: list[Passed] = []
        self.seq = start
        self.take([event for event in group if event.seq <= after])

    @property
    def shapes(self) -> dict[str, list[tuple[int, int]]]:
        """The squares that combatants threaten, by the names of the shapes in frames."""
        return self._line.shapes if self._line is not None else {}

    def take(self, events: Iterable[Event]) -> list[Passed]:
        """Fold further events and return them as read. Raises BrokenLog, NewerLog."""
        passed = []
        for event in events:
            if starts(event, self.group[-1].event if self.group else None):
                self.group = []
            fact, frame = self._folded(event)
            one = Passed(event, fact, frame, self.state.pending)
            self.group.append(one)
            self.seq = event.seq
            passed.append(one)
        return passed

    def _folded(self, event: Event) -> tuple[Any, Frame | None]:
        line = self._line
        if line is None:
            fold((event,), self.state)
            return decode(event), None
        frame = line.frame(event)
        fact = line.group[-1][1]
        if event.type in INTRODUCING:
            line.cast.follow(fact)
        line.tally = Tally()  # unused here, and it would grow over a long fight
        return fact, frame


def pages(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield the events in pages of about `PAGE`, never splitting a declaration."""
    page: list[Event] = []
    for group in groups(events):
        page += group
        if len(page) >= PAGE:
            yield page
            page = []
    if page:
        yield page


# --- Changes in a reader's page: what differs from the views that were last sent


class SentViews:
    """The views as a reader was last sent them, and the changes to send with the next event.

    An event that is not shown may still change what is visible.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._told, self._now = Change(), Change()

    def begin(self, eyes: AudienceFilter, state: Encounter, turn: int) -> None:
        """Take a state as already sent."""
        self._told = eyes.change(
            Change(
                make_encounter_view(state, eyes.cast),
                {id: make_combatant_view(one, eyes.cast, []) for id, one in state.combatants.items()},
            ),
            state.pending,
            turn,
        )
        for view in self._told.c.values():
            view.pop("threat", None)  # only the rules can compute it: sent when it changes

    def note(self, change: Change) -> None:
        """Collect the visible part of a change, to send later."""
        self._now.g.update(change.g)
        for id, fields in change.c.items():
            self._now.c.setdefault(id, {}).update(fields)

    def take(self) -> Change | None:
        """Return the changes to send now, None for none."""
        now, self._now = self._now, Change()
        people = {id: _other(fields, self._told.c.get(id, {})) for id, fields in sorted(now.c.items())}
        made = Change(_other(now.g, self._told.g), {id: fields for id, fields in people.items() if fields})
        self._told.g.update(made.g)
        for id, fields in made.c.items():
            self._told.c.setdefault(id, {}).update(fields)
        return made if made.g or made.c else None


def _other(now: Mapping[str, object], told: Mapping[str, object]) -> JsonObject:
    # Sorted by name: the order of the changes would reveal hidden events.
    return {name: now[name] for name in sorted(now) if name not in told or told[name] != now[name]}


# --- Sending events to an audience: CloudEvents, filtered for what it may see


def source_of(store: Store) -> str:
    """Return the name of a log as a source of events, derived from its first event."""
    first = next(iter(store.read("main", upto=1)), None)
    return f"urn:affray:{first.digest.hex()[:16] if first is not None else 'empty'}"


class Teller:
    """Write the events of a line for one audience, from some position on."""

    def __init__(
        self,
        audience: Audience,
        state: Encounter,
        group: Sequence[Passed],
        source: str,
        line: tuple[str, int],
        counted: Counted | None = None,
    ) -> None:
        """Start from a state, with the events so far of an unfinished declaration.

        `line` is the branch and its epoch. `counted` holds the events that the audience is shown; they must
        be counted before they are written here. The game master sees everything and needs no count.
        """
        if counted is None and not audience.all_seeing:
            raise ValueError("only the game master sees everything")
        self.eyes = AudienceFilter(audience, state)
        self.source, (self.branch, self.epoch) = source, line
        self._last: Event | None = None
        self._counted = counted
        self.shown = SentViews()
        if group:
            self._take_in(group)

    def tell(self, passed: Sequence[Passed], *, frames: bool) -> Iterator[CloudEvent]:
        """Yield the shown parts of the events that follow, in the order of the line.

        All events of a declaration are learned before the first is written.
        """
        counted = self._counted
        for group in _declarations(passed):
            if starts(group[0].event, self._last):
                self.eyes.forget()
            self._take_in(group)
            for one in group:
                if counted is None:
                    yield self._whole(one, frames)
                    continue
                if frames and one.frame is not None and one.frame.change is not None:
                    turn = counted.turn_after(one.event.seq)
                    self.shown.note(self.eyes.change(one.frame.change, one.question, turn))
                if counted.is_told(one.event.seq):
                    yield self._part(one, frames, counted)

    def _take_in(self, group: Sequence[Passed]) -> None:
        for one in group:
            self.eyes.learn(one.event, one.fact)
        self._last = group[-1].event

    def _whole(self, one: Passed, frames: bool) -> CloudEvent:
        event = one.event
        place = FeedCursor(self.branch, self.epoch, event.seq)
        told = told_at(place)
        told.type, told.text = event.type, sentence(self.eyes.cast.saying(one.fact), self.eyes.cast.words)
        told.round, told.turn, told.actor, told.cause = event.round, event.turn, event.actor, event.cause
        told.fact, told.digest = msgspec.Raw(encode(one.fact)), event.digest.hex()
        if frames and one.frame is not None:
            told.frame = one.frame
        return self._enveloped(place, told, _versioned(event))

    def _part(self, one: Passed, frames: bool, counted: Counted) -> CloudEvent:
        event, eyes, seq = one.event, self.eyes, one.event.seq
        place = FeedCursor(self.branch, self.epoch, counted.number(seq), eyes.audience.view)
        told = told_at(place)
        why, fact = eyes.why(event, one.fact), translate_fact(one.fact, seq, counted)
        kind, text = HIDDEN, ""
        if not why:
            kind, text = _versioned(event), sentence(eyes.cast.saying(fact), eyes.cast.words)
            told.fact = translate_fact_to_json(fact, counted)
        elif (seen := glimpse(event.type, fact, why, eyes.is_hidden)) is not None:
            kind, text = SEEN, describe_visible_parts(event.type, seen, eyes.cast)
            told.seen = seen
        if kind != HIDDEN:
            told.type, told.text, told.cause = event.type, text, counted.cause(seq)
            told.round, told.turn = event.round, counted.turn(seq)
            # If a hidden combatant caused an event that all see, the event is shown without an actor.
            actor = counted.actor(event)
            told.actor = "" if actor in eyes.audience.hide else actor
        if frames and one.frame is not None:
            chain = _chain(one.frame, event, counted)
            told.frame = eyes.frame(one.frame, text, not why, self.shown.take(), chain)
        return self._enveloped(place, told, kind)

    def _enveloped(self, place: FeedCursor, told: ShownEvent, kind: str) -> CloudEvent:
        subject = told.actor if told.fact is not UNSET and told.actor else UNSET
        made = f"{TYPES}{kind if '.v' in kind else f'{kind}.v1'}"
        return CloudEvent(str(place), self.source, made, told, subject)


class Line(Protocol):
    """A line while it is read: `passing.Passing`."""

    state: Encounter
    group: list[Passed]

    def take(self, events: Iterable[Event]) -> list[Passed]:
        """Return further events, as read."""


def begun(
    store: Store, line: Line, place: FeedCursor, key: Key, source: str, counted: Counted | None
) -> Teller:
    """Return a teller for what follows a position, and move the line to that position.

    It starts at the last event that the audience was shown (`start_of`): changes since then are sent with the
    next event.
    """
    start = start_of(place, counted)
    teller = Teller(key.audience, line.state, line.group, source, (place.branch, place.epoch), counted)
    if counted is not None and key.frames and start:
        teller.shown.begin(teller.eyes, line.state, counted.turn_after(start))
    if start < place.seq:
        list(teller.tell(line.take(store.read(place.branch, start, place.seq)), frames=key.frames))
    return teller


def start_of(place: FeedCursor, counted: Counted | None) -> int:
    """Return the last event up to a position of which the audience is shown any part."""
    return place.seq if counted is None else counted.get_last_shown_event(place.seq)


def _versioned(event: Event) -> str:
    return f"{event.type}.v{VERSIONS.get(event.type, event.version)}"


def _chain(frame: Frame, event: Event, counted: Counted) -> tuple[int, ...]:
    """Return the numbers of the events that led to an event, and of its declaration."""
    found = {counted.number(seq) for seq in frame.chain if counted.is_told(seq)}
    cause = counted.cause(event.seq)
    if event.cause in frame.chain and cause <= counted.number(event.cause):
        found.add(cause)
    return tuple(sorted(found - {counted.number(event.seq)}))


def _declarations(passed: Iterable[Passed]) -> Iterator[list[Passed]]:
    group: list[Passed] = []
    for one in passed:
        if group and starts(one.event, group[-1].event):
            yield group
            group = []
        group.append(one)
    if group:
        yield group


# --- Reading from the log itself, for readers that connect late, read slowly or ask for a page of events

MOST_ASKED: Final = 8
"""Most answers kept for identical requests: after an interruption all readers come back at once, from one
position.
"""


class CatchUp:
    """Read what follows a position from the log; belongs to the thread of its desk."""

    def __init__(self, source: str, counting: Counting) -> None:
        """Use `source` as the name of the log."""
        self.source, self._counting = source, counting
        self._told: OrderedDict[tuple[FeedCursor, FeedCursor, Key], tuple[FeedCursor, bytes]] = OrderedDict()

    def after(
        self, place: FeedCursor, end: FeedCursor, key: Key
    ) -> Callable[[Store], tuple[FeedCursor, bytes]]:
        """Return a function that finds the next position on the way to `end` and the bytes sent up to it.

        It raises BadPlace for a position that this log has never had.
        """
        asked = place, end, key

        def work(store: Store) -> tuple[FeedCursor, bytes]:
            if asked not in self._told:
                self._told[asked] = self._found(store, place, end, key)
                if len(self._told) > MOST_ASKED:
                    self._told.popitem(last=False)
            return self._told[asked]

        return work

    def _found(self, store: Store, place: FeedCursor, end: FeedCursor, key: Key) -> tuple[FeedCursor, bytes]:
        common, marks = rebased(store, place, end), FeedPositions(key.audience, self._counting)
        if (place.branch, place.epoch) != (end.branch, end.epoch):
            told = turn_of(REBASE, marks.told(store, common), self.source, marks.told(store, place))
            return common, encode_sse(told)
        events, seq = told_between(store, place, end.seq, key, self.source, self._counting)
        return FeedCursor(place.branch, place.epoch, seq), b"".join(map(encode_sse, events))


def told_between(
    store: Store, place: FeedCursor, upto: int, key: Key, source: str, counting: Counting | None = None
) -> tuple[list[CloudEvent], int]:
    """Return the events shown of a page after a position, and the last event of the page.

    Earlier events are counted by `counting`, or else from the first event.
    """
    counted = FeedPositions(key.audience, counting or Counting()).counted(store, place.branch, upto)
    line = Passing(store, place.branch, start_of(place, counted), framed=key.frames)
    teller = begun(store, line, place, key, source, counted)
    events = next(pages(store.read(place.branch, place.seq, upto)), [])
    passed = line.take(events)
    return list(teller.tell(passed, frames=key.frames)), line.seq


# --- Answers outside the feed, in the numbers of the reader: explanations, chances of winning


def translate_why(
    found: Struct, counted: Counted, group: Iterable[Passed], words: DialectWords
) -> JsonObject:
    """Return an explanation (a Why) as JSON with the reader's numbers.

    `group` is the declaration that it explains.
    """
    made: JsonObject = msgspec.json.decode(translate_keys(msgspec.json.encode(found), counted))
    it = made["explanation"]
    it["turn"] = counted.turn(it["seq"])
    for one in group:
        fact = (
            translate_fact(one.fact, one.event.seq, counted) if counted.is_told(one.event.seq) else one.fact
        )
        if fact is not one.fact:  # the sentence may contain one of its numbers
            for told, name in ((it, "sentence"), *((link, "text") for link in it["chain"])):
                told[name] = sentence(fact, words) if told["seq"] == one.event.seq else told[name]
    for part in (it, *it["chain"], *it["dice"], *it["parts"], *made["rulings"]):
        part["seq"] = counted.number(part["seq"])
    it["declaration"] = counted.ids.get(it["declaration"], it["declaration"])
    for ruling in made["rulings"]:
        ruling["event"] = counted.number(ruling["event"])
        for name in ("id", "dispute", "subject"):
            ruling[name] = counted.ids.get(ruling[name], ruling[name])
    return made


def translate_swing(found: Swing, counted: Counted) -> Swing:
    """Return the chances along a line with the reader's numbers, after the declarations that are shown."""
    turns = (one for one in found.turns if counted.is_told(one.seq))
    told = (replace(one, seq=counted.number(one.seq), turn=counted.turn(one.seq)) for one in turns)
    return replace(found, turns=tuple(told))
