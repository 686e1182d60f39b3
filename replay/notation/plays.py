"""The lines of play of a text of the notation, and what they come to as branches of a log."""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.notation.statements import End
from affray.engine.notation.tokens import NotationError
from affray.events.chain import GENESIS, digest_after, link
from affray.events.codec import decode
from affray.events.envelope import Branch, Entry, Event, Head
from affray.events.salts import SALT_BYTES
from affray.events.wording import counted
from affray.projections.fold import apply
from affray.projections.state import Encounter
from affray.replay.notation.deciding import Deciding, event_of_entry
from affray.replay.notation.salting import ONCE, unpacked


class Play(Struct):
    """A line of play as it is read. `places`: from which event on they come from which line and column."""

    name: str
    parent: "Play | None"
    at: int
    deciding: Deciding
    line: int
    steps: Mapping[str, Any]
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
        """Return what is true after an event of the line, and the cause of that event. O(events)."""
        state, cause = Encounter(), 0
        for made in self.upto(seq):
            apply(state, decode(event_of_entry(made)))
            cause = made.cause
        return state, cause

    def place_of(self, seq: int) -> tuple[int, int]:
        """Return line and column of what an event came of."""
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


def linked(plays: Iterable[Play], key: bytes) -> tuple[list[Branch], list[Event]]:
    """Return branches and events, chained, salted with the key. Raises NotationError for a wrong digest."""
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
                "what the lines before come to; one was changed, or the rules decide otherwise today",
                f"{counted(last[0], 'event')}, the last with {last[1]}",
            )
    return branches, [one for made in events.values() for one in made]


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
            "a line was changed, or the rules decide otherwise today",
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
