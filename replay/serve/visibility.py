"""What a reader sees of a line of play: events filtered, numbered and framed for its audience."""

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

from affray.events.codec import VERSIONS, decode, encode
from affray.events.envelope import Event
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import Declared, Disputed, Invalidated, Refused, Ruled, TurnBegan
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
from affray.replay.text.cast import Cast
from affray.replay.viewer.frames import (
    Begun,
    Change,
    Frame,
    FramedLine,
    make_combatant_view,
    make_encounter_view,
)

# --- Own ids: the ids of declarations, disputes and rulings as a reader counts them, in little room
#
# A fight of 100,000 events has tens of thousands of them, for each reader; a dictionary of texts would grow
# by some hundred bytes each.

_COUNTED: Final = re.compile(r"([a-zA-Z])([1-9][0-9]{0,8}|0)")
"""An id as the runner gives it: a letter, and the number."""


class _OfLetter:
    """The ids with one letter, in their order: number, how many are told up to it, its place if it is not.

    The place is how many events were told before, and one, so that no two that are not told are called alike.
    """

    __slots__ = ("numbers", "places", "told")

    def __init__(self) -> None:
        self.numbers, self.told, self.places = array("I"), array("I"), array("I")


class OwnIds:
    """The ids of a line -> those of one reader."""

    def __init__(self) -> None:
        """Know none."""
        self._many: defaultdict[str, int] = defaultdict(int)
        self._in_order: defaultdict[str, _OfLetter] = defaultdict(_OfLetter)
        self._others: dict[str, str] = {}
        """Of ids of another form, or out of order, which only a log that was written by hand has."""

    def name(self, id: str, letter: str, place: int) -> None:
        """Count an id by a letter: as told if `place` is 0, else as one that is not, at a place."""
        self._many[letter] += not place
        own = self._many[letter]
        found = _COUNTED.fullmatch(id)
        if found is not None and found[1] == letter:
            of, number = self._in_order[letter], int(found[2])
            if not of.numbers or number > of.numbers[-1]:
                of.told.append(own)
                of.places.append(place)
                of.numbers.append(number)  # last: whoever looks meanwhile finds the rest
                return
        self._others[id] = f"{letter}{own}.{place}" if place else f"{letter}{own}"

    def get(self, id: str, otherwise: str) -> str:
        """Return what an id is called for the reader; what is said otherwise where it has none."""
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


# --- Counting: what a reader is told of a line, numbered as it is told, without a gap for what it is not
#
# A number of the log would tell how much there was that nobody may know. So whoever is not the game master
# has numbers of its own: for events, and for what is counted in them (turns, declarations, disputes,
# rulings). They follow from the log and from what is hidden, and from nothing that comes later: every
# process finds the same ones, and again after a restart.

MOST_COUNTED: Final = 128
"""So many audiences are counted for at once, each along one line; of others it is found out again."""

PASSING: Final = frozenset({"round.ended", "round.began", "phase.changed", "turn.began"})
"""What happens of itself when a turn is over. After a turn that a reader does not see, it follows for that
reader from the last turn that it did see end."""

ENDING: Final = PASSING | {"turn.ended", "order.set"}

COUNTED: Final = {"declared": "d", "disputed": "Q", "ruled": "R"}
"""Types of events that carry an id which counts them, and what it begins with; of refused ones with x."""


class Counted:
    """What one audience is told of a line, up to event `upto` of it.

    The n-th event that is told is event `seqs[n - 1]` of the line.
    """

    def __init__(self, audience: Audience) -> None:
        """Stand before the first event."""
        self.upto = 0
        # Four bytes a number, as it is kept for each event: a log of 100,000 is served in flat memory.
        self.seqs = array("I")
        self.ids = OwnIds()
        """The ids of declarations, disputes and rulings: that of the log -> the reader's own."""
        self._begun = array("I"), array("I"), array("I")
        self._causes, self._within, self._after = array("I"), array("I"), array("I")
        self._actors: dict[int, str] = {}
        # What has not entered yet is called nothing yet: else a number would change by what comes later.
        self._eyes = AudienceFilter(Audience(audience.sides, hide=audience.hide), Encounter())
        self._last: Event | None = None
        self._silent = self._flows = False
        self._turn = 0, 0
        self._passed = 0, ""
        self.growing = Lock()

    @property
    def turns(self) -> dict[tuple[int, int], int]:
        """Round, and turn as the reader counts them (0 before the first) -> the event that begins it."""
        return {(of, turn): seq for of, turn, seq in zip(*self._begun, strict=False)}

    def number(self, seq: int) -> int:
        """Return how much is told up to an event of the line."""
        return bisect_right(self.seqs, seq)

    def is_told(self, seq: int) -> bool:
        """Say whether an event is told, at least in part."""
        at = bisect_right(self.seqs, seq)
        return at > 0 and self.seqs[at - 1] == seq

    def get_last_shown_event(self, seq: int) -> int:
        """Return the last event up to one that is told, 0 for none."""
        at = bisect_right(self.seqs, seq)
        return self.seqs[at - 1] if at else 0

    def cause(self, seq: int) -> int:
        """Return the reader's number of what an event follows from that is told."""
        return self._causes[self.number(seq) - 1]

    def actor(self, event: Event) -> str:
        """Return whose doing an event is for the reader."""
        return self._actors.get(event.seq, event.actor)

    def turn(self, seq: int) -> int:
        """Return in which turn of its round an event that is told happens, as the reader counts them."""
        return self._within[self.number(seq) - 1]

    def turn_after(self, seq: int) -> int:
        """Return which turn it is after an event, as the reader counts them."""
        at = self.number(seq)
        return self._after[at - 1] if at else 0

    def take(self, events: Iterable[Event]) -> None:
        """Count events that follow. What comes of a declaration in one go is learned before it is judged."""
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
        self.seqs.append(event.seq)  # last: whoever looks meanwhile finds the rest

    def _begin(self, seq: int) -> None:
        for kept, value in zip(self._begun, (*self._turn, seq), strict=True):
            kept.append(value)

    def _name(self, event: Event, fact: Any, told: bool) -> None:
        letter = COUNTED.get(event.type, "")
        if not letter or not fact.id:
            return
        letter = "x" if fact.id.startswith("x") else letter
        # What is not told may stand in the key of a roll that is.
        self.ids.name(fact.id, letter, 0 if told else len(self.seqs) + 1)


def tells(eyes: AudienceFilter, event: Event, fact: object) -> bool:
    """Say whether anything is told of an event that was learned."""
    why = eyes.why(event, fact)
    return not why or glimpse(event.type, fact, why, eyes.is_hidden) is not None


class Counting:
    """What all audiences are told, for whoever asks, in any thread: each brings the store it works with."""

    def __init__(self) -> None:
        """Have counted nothing."""
        self._counted: OrderedDict[tuple[object, ...], Counted] = OrderedDict()
        self._finding = Lock()

    def of(self, store: Store, audience: Audience, branch: str, upto: int) -> Counted:
        """Return what an audience is told of a line, at least up to an event.

        O(the events since it was asked last); the first time all of them.
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


# --- Renumbering: facts as a reader is told them, with the reader's own numbers in place of those of the log

_KEY: Final = re.compile(rb"(?<![\w.])(?:xd|x|d)\d+(?:\.\d+)*(?=/)")
"""What a key begins with, wherever one stands: the id of a declaration."""

_RULING: Final = re.compile(rb"(?<=ruling:)R\d+\b")

_SAID: Final = (Declared, Disputed, Ruled)
"""Facts that hold no keys, but what people said."""


class Numbers(Protocol):
    """The numbers of a reader."""

    @property
    def ids(self) -> OwnIds:
        """Its ids of declarations, disputes and rulings, by those of the log."""

    def number(self, seq: int) -> int:
        """Return how much it is told up to an event."""

    def turn(self, seq: int) -> int:
        """Return in which turn an event that it is told happens."""


def translate_fact(fact: object, seq: int, counted: Numbers) -> Any:
    """Return a fact with the ids and numbers of its own as a reader counts them."""
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
    """Return a fact, whose own numbers are the reader's, as JSON in which its keys and citations are too."""
    data = encode(fact)
    return msgspec.Raw(data if isinstance(fact, _SAID) else translate_keys(data, counted))


def translate_keys(data: bytes, counted: Numbers) -> bytes:
    """Return JSON with keys of rolls and questions, and citations of rulings, as a reader counts them."""

    def own(found: re.Match[bytes]) -> bytes:
        return counted.ids.get(found[0].decode(), found[0].decode()).encode()

    return _RULING.sub(own, _KEY.sub(own, data))


def translate_key(key: str, counted: Numbers) -> str:
    """Return a key as a reader counts it."""
    return translate_keys(key.encode(), counted).decode()


# --- Marks: the positions of a log as they are told to a reader, and what a reader means by one
#
# The game master is told those of the log. For everybody else `seq` counts what was told, so that what comes
# to pass unseen moves nothing, and a reader stands at the end until something is told again. What is told of
# the past changes when somebody is hidden or shown whom the log speaks of, or when combatants of the
# reader's own enter: then `view` is another, and numbers of the old one say nothing any more.


class FeedPositions:
    """The positions of one log for one audience; it may be asked in any thread that has a store."""

    def __init__(self, audience: Audience, counting: Counting) -> None:
        """Tell positions to an audience."""
        self.audience, self._counting = audience, counting

    def counted(self, store: Store, branch: str, upto: int) -> Counted | None:
        """Return what the audience is told of a line up to an event at least; None where that is all."""
        if self.audience.all_seeing:
            return None
        return self._counting.of(store, self.audience, branch, upto)

    def told(self, store: Store, place: FeedCursor) -> FeedCursor:
        """Return a position of the log as it is told."""
        found = self.counted(store, place.branch, place.seq)
        if found is None:
            return place
        return FeedCursor(place.branch, place.epoch, found.number(place.seq), self.audience.view)

    def meant(self, store: Store, told: FeedCursor, end: FeedCursor) -> FeedCursor | None:
        """Return the position of the log that a reader names, the last one that it cannot tell from it.

        None for one of another view of the fight, of which nothing more is known. Raises BadPlace for one
        that this log has never had.
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
        """Say whether an earlier main line was seen by the same side."""
        if told.epoch == end.epoch or not self.audience.own:
            return True
        state = state_at(store, told.branch, store.head(told.branch).seq)
        return sides_of(self.audience.own, everybody_of(state)) == self.audience.sides


class Expected:
    """Where a reader expects a fight: it is there until something is told that comes after."""

    def __init__(self, place: FeedCursor, marks: FeedPositions) -> None:
        """Expect a position as it was told."""
        self.place, self._marks = place, marks

    def __str__(self) -> str:
        return str(self.place)

    def stands(self, store: Store, now: FeedCursor) -> bool:
        """Say whether the fight is still there, as far as the reader can tell."""
        return self.place == self._marks.told(store, now)


# --- An event of a line of play that has passed


class Passed(NamedTuple):
    """An event that has passed: its fact and frame, and what the fight waited for after it."""

    event: Event
    fact: Any
    frame: Frame | None
    question: Question | None


# --- A line of play as it passes: each event with its frame, from any place of a log on

PAGE = 500
"""So many events are told at once, or more where a declaration is longer."""


class Passing:
    """A line while its events pass, each with its frame or `framed` without.

    `state` is that after the last one and must not be written; `group` is the declaration that is not over.
    """

    def __init__(self, store: Store, branch: str, after: int, *, framed: bool) -> None:
        """Stand after an event of a line, having taken in the declaration that it belongs to.

        O(the distance to a checkpoint, and that declaration).
        """
        group = group_of(store, branch, after) if after else []
        start = group[0].seq - 1 if group else 0
        self.state: Encounter = state_at(store, branch, start)
        self.rules: dict[str, None] = {}
        """What the events have cited, if they are framed."""
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
        """The squares that combatants threaten, by the names that frames have for the shapes."""
        return self._line.shapes if self._line is not None else {}

    def take(self, events: Iterable[Event]) -> list[Passed]:
        """Fold events that follow, and return them. Raises BrokenLog, NewerLog."""
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
        if event.type == "combatant.entered":
            line.cast.enter(fact.id, fact.side, fact.sheet.name)
        line.tally = Tally()  # nobody asks for it here, and over a long fight it would grow
        return fact, frame


def pages(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield the events by pages of about `PAGE`, no declaration cut in two."""
    page: list[Event] = []
    for group in groups(events):
        page += group
        if len(page) >= PAGE:
            yield page
            page = []
    if page:
        yield page


# --- What a reader's page shows of a fight: what has changed of it since something was told last


class SentViews:
    """The views as a reader was told them, and what has come to differ: it is told with the next event.

    An event that is told nothing of may still change what is seen.
    """

    def __init__(self) -> None:
        """Show nothing."""
        self._told, self._now = Change(), Change()

    def begin(self, eyes: AudienceFilter, state: Encounter, turn: int) -> None:
        """Show a state, as it was told."""
        self._told = eyes.change(
            Change(
                make_encounter_view(state, eyes.cast),
                {id: make_combatant_view(one, eyes.cast, []) for id, one in state.combatants.items()},
            ),
            state.pending,
            turn,
        )
        for view in self._told.c.values():
            view.pop("threat", None)  # that takes the rules to know: told again where it changes

    def note(self, change: Change) -> None:
        """Take in what is seen of a change, to be told later."""
        self._now.g.update(change.g)
        for id, fields in change.c.items():
            self._now.c.setdefault(id, {}).update(fields)

    def take(self) -> Change | None:
        """Return what is to be told now, None for nothing."""
        now, self._now = self._now, Change()
        people = {id: _other(fields, self._told.c.get(id, {})) for id, fields in sorted(now.c.items())}
        made = Change(_other(now.g, self._told.g), {id: fields for id, fields in people.items() if fields})
        self._told.g.update(made.g)
        for id, fields in made.c.items():
            self._told.c.setdefault(id, {}).update(fields)
        return made if made.g or made.c else None


def _other(now: Mapping[str, object], told: Mapping[str, object]) -> JsonObject:
    # In an order of their own: that in which they came to differ tells of what is not told.
    return {name: now[name] for name in sorted(now) if name not in told or told[name] != now[name]}


# --- How events are told to those who look on: CloudEvents, each filtered by the eyes of its audience


def source_of(store: Store) -> str:
    """Return what a log is called as the source of events: it follows from its first event."""
    first = next(iter(store.read("main", upto=1)), None)
    return f"urn:affray:{first.digest.hex()[:16] if first is not None else 'empty'}"


class Teller:
    """Tells the events of a line to one audience, from some place on."""

    def __init__(
        self,
        audience: Audience,
        state: Encounter,
        group: Sequence[Passed],
        source: str,
        line: tuple[str, int],
        counted: Counted | None = None,
    ) -> None:
        """Look on from a state on, knowing what has passed of the declaration that is not over.

        `line` is the branch and its epoch, `counted` what the audience is told of it, which is to be counted
        before it is told here; the game master is told everything.
        """
        if counted is None and not audience.all_seeing:
            raise ValueError("only the game master is told everything")
        self.eyes = AudienceFilter(audience, state)
        self.source, (self.branch, self.epoch) = source, line
        self._last: Event | None = None
        self._counted = counted
        self.shown = SentViews()
        if group:
            self._take_in(group)

    def tell(self, passed: Sequence[Passed], *, frames: bool) -> Iterator[CloudEvent]:
        """Yield what is told of events, which follow on those before, in the order of the line.

        What comes of a declaration in one go is learned before any of it is told.
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
        told.type, told.text = event.type, sentence(self.eyes.cast.saying(one.fact))
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
            kind, text = _versioned(event), sentence(eyes.cast.saying(fact))
            told.fact = translate_fact_to_json(fact, counted)
        elif (seen := glimpse(event.type, fact, why, eyes.is_hidden)) is not None:
            kind, text = SEEN, describe_visible_parts(event.type, seen, eyes.cast)
            told.seen = seen
        if kind != HIDDEN:
            told.type, told.text, told.cause = event.type, text, counted.cause(seq)
            told.round, told.turn = event.round, counted.turn(seq)
            # What somebody hidden brought about for all to see is nobody's doing for them.
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
    """A line as it passes: `passing.Passing`."""

    state: Encounter
    group: list[Passed]

    def take(self, events: Iterable[Event]) -> list[Passed]:
        """Return events that follow, as they passed."""


def begun(
    store: Store, line: Line, place: FeedCursor, key: Key, source: str, counted: Counted | None
) -> Teller:
    """Return who tells an audience what follows on a position; then the line stands there too.

    It comes from where the audience was told something last (`start_of`): what has changed since is told with
    the next event.
    """
    start = start_of(place, counted)
    teller = Teller(key.audience, line.state, line.group, source, (place.branch, place.epoch), counted)
    if counted is not None and key.frames and start:
        teller.shown.begin(teller.eyes, line.state, counted.turn_after(start))
    if start < place.seq:
        list(teller.tell(line.take(store.read(place.branch, start, place.seq)), frames=key.frames))
    return teller


def start_of(place: FeedCursor, counted: Counted | None) -> int:
    """Return the last event up to a position of which an audience is told anything."""
    return place.seq if counted is None else counted.get_last_shown_event(place.seq)


def _versioned(event: Event) -> str:
    return f"{event.type}.v{VERSIONS.get(event.type, event.version)}"


def _chain(frame: Frame, event: Event, counted: Counted) -> tuple[int, ...]:
    """Return the numbers of what led to an event, and of the declaration that it follows from."""
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


# --- What is told from the log itself, to those who come late, read slowly or ask for a page of events

MOST_ASKED: Final = 8
"""So many answers are kept for others who ask the same: after a break all come at once, from one position."""


class CatchUp:
    """Tells what comes next after a position, from the log; belongs to the thread of its desk."""

    def __init__(self, source: str, counting: Counting) -> None:
        """Call the log `source`."""
        self.source, self._counting = source, counting
        self._told: OrderedDict[tuple[FeedCursor, FeedCursor, Key], tuple[FeedCursor, bytes]] = OrderedDict()

    def after(
        self, place: FeedCursor, end: FeedCursor, key: Key
    ) -> Callable[[Store], tuple[FeedCursor, bytes]]:
        """Return what finds the next position on the way to `end`, and what is told on the way there.

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
    """Return what is told of a page of events after a position, and the last event of it.

    What the audience was told before is counted by `counting`, or else from the first event on.
    """
    counted = FeedPositions(key.audience, counting or Counting()).counted(store, place.branch, upto)
    line = Passing(store, place.branch, start_of(place, counted), framed=key.frames)
    teller = begun(store, line, place, key, source, counted)
    events = next(pages(store.read(place.branch, place.seq, upto)), [])
    passed = line.take(events)
    return list(teller.tell(passed, frames=key.frames)), line.seq


# --- What is looked up beside the feed, with the numbers of whoever asks: explanations, chances of winning


def translate_why(found: Struct, counted: Counted, group: Iterable[Passed]) -> JsonObject:
    """Return an explanation (a Why), as it stands in JSON, with the numbers of the reader.

    `group` is the declaration that it is of.
    """
    made: JsonObject = msgspec.json.decode(translate_keys(msgspec.json.encode(found), counted))
    it = made["explanation"]
    it["turn"] = counted.turn(it["seq"])
    for one in group:
        fact = (
            translate_fact(one.fact, one.event.seq, counted) if counted.is_told(one.event.seq) else one.fact
        )
        if fact is not one.fact:  # a number of its own may stand in the sentence
            for told, name in ((it, "sentence"), *((link, "text") for link in it["chain"])):
                told[name] = sentence(fact) if told["seq"] == one.event.seq else told[name]
    for part in (it, *it["chain"], *it["dice"], *it["parts"], *made["rulings"]):
        part["seq"] = counted.number(part["seq"])
    it["declaration"] = counted.ids.get(it["declaration"], it["declaration"])
    for ruling in made["rulings"]:
        ruling["event"] = counted.number(ruling["event"])
        for name in ("id", "dispute", "subject"):
            ruling[name] = counted.ids.get(ruling[name], ruling[name])
    return made


def translate_swing(found: Swing, counted: Counted) -> Swing:
    """Return chances along a line with the numbers of the reader, after those declarations that are told."""
    turns = (one for one in found.turns if counted.is_told(one.seq))
    told = (replace(one, seq=counted.number(one.seq), turn=counted.turn(one.seq)) for one in turns)
    return replace(found, turns=tuple(told))
