"""Counting: what a reader is told of a line, numbered as it is told, without a gap for what it is not.

A number of the log would tell how much there was that nobody may know. So whoever is not the game master has
numbers of its own: for events, and for what is counted in them (turns, declarations, disputes, rulings). They
follow from the log and from what is hidden, and from nothing that comes later: every process finds the same
ones, and again after a restart.
"""

from array import array
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Any, Final

from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.store import Store
from affray.projections.state import Encounter
from affray.replay.groups import starts
from affray.replay.serve.audience import Audience, Eyes
from affray.replay.serve.glimpses import glimpse
from affray.replay.serve.own_ids import OwnIds

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
        self._eyes = Eyes(Audience(audience.sides, hide=audience.hide), Encounter())
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

    def last_told(self, seq: int) -> int:
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
        group: list[tuple[Event, Any]] = []
        for event in events:
            if group and starts(event, group[-1][0]):
                self._count_all(group)
                group = []
            group.append((event, decode(event)))
        if group:
            self._count_all(group)

    def _count_all(self, group: list[tuple[Event, Any]]) -> None:
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


def tells(eyes: Eyes, event: Event, fact: Any) -> bool:
    """Say whether anything is told of an event that was learned."""
    why = eyes.why(event, fact)
    return not why or glimpse(event.type, fact, why, eyes.is_hidden) is not None


class Counting:
    """What all audiences are told, for whoever asks, in any thread: each brings the store it works with."""

    def __init__(self) -> None:
        """Have counted nothing."""
        self._counted: OrderedDict[tuple[Any, ...], Counted] = OrderedDict()
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
