"""How events are told to those who look on: CloudEvents, each filtered by the eyes of its audience."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from affray.events.codec import VERSIONS, encode
from affray.events.envelope import Event
from affray.events.store import Store
from affray.projections.sentence import sentence
from affray.projections.state import Encounter
from affray.replay.groups import starts
from affray.replay.serve.audience import Audience, Eyes
from affray.replay.serve.glimpses import glimpse, glimpse_words
from affray.replay.serve.passed import Passed
from affray.replay.serve.positions import Place
from affray.replay.viewer.frame import Frame

TYPES: Final = "dev.affray."
"""What the types of all events of the feed begin with."""

SEEN, HIDDEN, REBASE, VIEW = "seen", "hidden", "rebase", "view"
"""Events of the feed that are no facts: a glimpse, nothing, another main line, another view of the same."""


class Told(Struct, omit_defaults=True):
    """An event as it is told: all of it (`fact`), what is seen of it (`seen`), or that something happened.

    `frame` is what a page draws, where that was asked for; `digest` is told to the game master alone. Of a
    rebase, `seq` is the last event that the new line has in common with where it comes `from`.
    """

    branch: str
    epoch: int
    seq: int
    type: str = ""
    round: int | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    actor: str = ""
    cause: int = 0
    text: str = ""
    fact: msgspec.Raw | UnsetType = UNSET
    seen: dict[str, Any] | UnsetType = UNSET
    digest: str = ""
    frame: Frame | UnsetType = UNSET
    come_from: str = field(default="", name="from")


class CloudEvent(Struct):
    """The envelope of CloudEvents 1.0 in its JSON form; `subject` is the id of who acts."""

    id: str
    source: str
    type: str
    data: Told
    subject: str | UnsetType = UNSET
    specversion: Literal["1.0"] = "1.0"
    datacontenttype: Literal["application/json"] = "application/json"


_json: Final = msgspec.json.Encoder().encode


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
    ) -> None:
        """Look on from a state on, knowing what has passed of the declaration that is not over.

        `line` is the branch and its epoch.
        """
        self.eyes = Eyes(audience, state)
        self.source, (self.branch, self.epoch) = source, line
        self._last: Event | None = None
        self._told: set[int] = set()  # what was told of the declaration that is not over
        if group:
            self._take_in(group)

    def tell(self, passed: Sequence[Passed], *, frames: bool) -> Iterator[CloudEvent]:
        """Yield what is told of events, which follow on those before, in the order of the line.

        What comes of a declaration in one go is learned before any of it is told.
        """
        for group in _declarations(passed):
            if starts(group[0].event, self._last):
                self.eyes.forget()
                self._told.clear()
            self._take_in(group)
            for one in group:
                yield self._cloud_event(one, frames)

    def _take_in(self, group: Sequence[Passed]) -> None:
        for one in group:
            self.eyes.learn(one.event, one.fact)
        self._last = group[-1].event
        self._told.update(one.event.seq for one in group if not self.is_unseen(one))

    def is_unseen(self, one: Passed) -> bool:
        """Say whether an event that was taken in is told as no more than that something happened."""
        why = self.eyes.why(one.event, one.fact)
        return bool(why) and glimpse(one.event.type, one.fact, why, self.eyes.is_hidden) is None

    def _cloud_event(self, one: Passed, frames: bool) -> CloudEvent:
        event, eyes = one.event, self.eyes
        why = eyes.why(event, one.fact)
        told = Told(self.branch, self.epoch, event.seq)
        kind, text = HIDDEN, ""
        subject: str | UnsetType = UNSET
        if not why:
            kind, subject = f"{event.type}.v{VERSIONS.get(event.type, event.version)}", event.actor or UNSET
            text = sentence(eyes.cast.saying(one.fact))
            told.fact = msgspec.Raw(encode(one.fact))
            if eyes.audience.all_seeing:
                told.digest = event.digest.hex()
        elif (seen := glimpse(event.type, one.fact, why, eyes.is_hidden)) is not None:
            kind, told.seen = SEEN, seen
            text = glimpse_words(event.type, seen, eyes.cast)
        if kind != HIDDEN:
            _place(told, event, text, eyes.audience)
        if frames and one.frame is not None:
            told.frame = eyes.frame(one.frame, text, not why, one.question, self._told)
        made = CloudEvent(str(Place(self.branch, self.epoch, event.seq)), self.source, "", told, subject)
        made.type = f"{TYPES}{kind if '.v' in kind else f'{kind}.v1'}"
        return made


def _place(told: Told, event: Event, text: str, audience: Audience) -> None:
    told.type, told.text = event.type, text
    told.round, told.turn = event.round, event.turn
    # What somebody hidden brought about for all to see (a round that ends) is nobody's doing for them.
    told.actor, told.cause = "" if event.actor in audience.hide else event.actor, event.cause


def _declarations(passed: Iterable[Passed]) -> Iterator[list[Passed]]:
    group: list[Passed] = []
    for one in passed:
        if group and starts(one.event, group[-1].event):
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def turn_of(kind: str, place: Place, source: str, come_from: Place | None = None) -> CloudEvent:
    """Return the event of the feed that tells of another main line, or of another view of this one."""
    told = Told(place.branch, place.epoch, place.seq, come_from=str(come_from) if come_from else "")
    return CloudEvent(str(place), source, f"{TYPES}{kind}.v1", told)


def as_sse(event: CloudEvent) -> bytes:
    """Return an event as the feed sends it: id, name, one line of JSON."""
    name = event.type.removeprefix(TYPES).rpartition(".v")[0]
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (event.id.encode(), name.encode(), _json(event))
