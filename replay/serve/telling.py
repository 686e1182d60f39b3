"""How events are told to those who look on: CloudEvents, each filtered by the eyes of its audience."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import msgspec
from msgspec import UNSET

from affray.events.codec import VERSIONS, encode
from affray.events.envelope import Event
from affray.events.store import Store
from affray.projections.sentence import sentence
from affray.projections.state import Encounter
from affray.replay.groups import starts
from affray.replay.serve.audience import Audience, Eyes, Key
from affray.replay.serve.cloud_events import HIDDEN, SEEN, TYPES, CloudEvent, Told, told_at
from affray.replay.serve.counting import Counted
from affray.replay.serve.glimpses import glimpse, glimpse_words
from affray.replay.serve.passed import Passed
from affray.replay.serve.positions import Place
from affray.replay.serve.renumbering import own_bytes, own_fact
from affray.replay.serve.shown import Shown
from affray.replay.viewer.frame import Frame


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
        self.eyes = Eyes(audience, state)
        self.source, (self.branch, self.epoch) = source, line
        self._last: Event | None = None
        self._counted = counted
        self.shown = Shown()
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
        place = Place(self.branch, self.epoch, event.seq)
        told = told_at(place)
        told.type, told.text = event.type, sentence(self.eyes.cast.saying(one.fact))
        told.round, told.turn, told.actor, told.cause = event.round, event.turn, event.actor, event.cause
        told.fact, told.digest = msgspec.Raw(encode(one.fact)), event.digest.hex()
        if frames and one.frame is not None:
            told.frame = one.frame
        return self._enveloped(place, told, _versioned(event))

    def _part(self, one: Passed, frames: bool, counted: Counted) -> CloudEvent:
        event, eyes, seq = one.event, self.eyes, one.event.seq
        place = Place(self.branch, self.epoch, counted.number(seq), eyes.audience.view)
        told = told_at(place)
        why, fact = eyes.why(event, one.fact), own_fact(one.fact, seq, counted)
        kind, text = HIDDEN, ""
        if not why:
            kind, text = _versioned(event), sentence(eyes.cast.saying(fact))
            told.fact = own_bytes(fact, counted)
        elif (seen := glimpse(event.type, fact, why, eyes.is_hidden)) is not None:
            kind, text = SEEN, glimpse_words(event.type, seen, eyes.cast)
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

    def _enveloped(self, place: Place, told: Told, kind: str) -> CloudEvent:
        subject = told.actor if told.fact is not UNSET and told.actor else UNSET
        made = f"{TYPES}{kind if '.v' in kind else f'{kind}.v1'}"
        return CloudEvent(str(place), self.source, made, told, subject)


class Line(Protocol):
    """A line as it passes: `passing.Passing`."""

    state: Encounter
    group: list[Passed]

    def take(self, events: Iterable[Event]) -> list[Passed]:
        """Return events that follow, as they passed."""


def begun(store: Store, line: Line, place: Place, key: Key, source: str, counted: Counted | None) -> Teller:
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


def start_of(place: Place, counted: Counted | None) -> int:
    """Return the last event up to a position of which an audience is told anything."""
    return place.seq if counted is None else counted.last_told(place.seq)


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
