"""Positions of events in a fight: sequence numbers, rounds and turns, and how people write them.

A position is `17` (after event 17), `r3` (the start of round 3), `r3.t2` (the start of its second turn),
`start` (before anything) or `end`. Round 0 is the surprise round.
"""

import re
from collections.abc import Iterable

from msgspec import Struct

from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError, nearest
from affray.events.facts.flow import RoundBegan, TurnBegan

_POSITION = re.compile(
    r"(?:#?(?P<seq>\d{1,18})|r(?P<round>\d{1,9})(?:\.t(?P<turn>\d{1,9}))?|(?P<word>start|end))"
)


class BadPosition(AffrayError):
    """The text is not a position, or the line of events has no such position."""


class Position(Struct, frozen=True):
    """A position as written by a user: a sequence number (-1: the end), or a round and perhaps a turn."""

    seq: int | None = None
    round: int | None = None
    turn: int | None = None


END = Position(seq=-1)
"""The end of the line, wherever that is."""


class Mark(Struct, frozen=True, gc=False):
    """The event with which a round (turn 0) or a turn begins; `who` has the turn."""

    seq: int
    round: int
    turn: int
    who: str = ""


class Place(Struct, frozen=True):
    """The place of event `seq`: its round, its turn (0 before the first), and whose turn that is."""

    seq: int
    round: int
    turn: int
    who: str

    def __str__(self) -> str:
        """`r3.t2`, or `r3` before its first turn."""
        return f"r{self.round}.t{self.turn}" if self.turn else f"r{self.round}"


def parse(text: str) -> Position:
    """Return the position that `text` spells; raises BadPosition saying what positions look like."""
    found = _POSITION.fullmatch(text.strip().lower())
    if found is None:
        raise BadPosition(f"{text!r} is no position: write 17, r3, r3.t2, start or end{_meant(text)}")
    if found["seq"]:
        return Position(seq=int(found["seq"]))
    if found["word"]:
        return Position(seq=0) if found["word"] == "start" else END
    return Position(round=int(found["round"]), turn=int(found["turn"]) if found["turn"] else None)


def filed(event: Event, fact: object) -> tuple[int, int]:
    """Return the round and turn to which an event belongs, `fact` decoded.

    The event that begins a round or turn belongs to it, although it was recorded in the one before.
    """
    if type(fact) is RoundBegan:
        return fact.number, 0
    return event.round, fact.number if type(fact) is TurnBegan else event.turn


def _meant(text: str) -> str:
    """Return the position that a user may have meant by "r2t3", "round 2" or "ende"."""
    numbers = re.findall(r"\d+", text)
    if len(numbers) == 2:
        return f"; did you mean r{numbers[0]}.t{numbers[1]}?"
    if len(numbers) == 1 and "r" in text.lower():
        return f"; did you mean r{numbers[0]}?"
    near = "" if numbers else nearest(text, ("start", "end"))
    return f"; did you mean {near}?" if near else ""


class Timeline:
    """The rounds and turns of one line of events."""

    def __init__(self, marks: Iterable[Mark], last: int) -> None:
        self.marks = tuple(marks)
        self.last = last

    @classmethod
    def of(cls, events: Iterable[Event]) -> "Timeline":
        """Return the timeline of a line read from its first event.

        O(events), of which only those that begin a round or a turn are decoded.
        """
        marks: list[Mark] = []
        last = number = 0
        for event in events:
            last = event.seq
            if event.type == "round.began":
                number = decode(event).number
                marks.append(Mark(last, number, 0))
            elif event.type == "turn.began":
                fact = decode(event)
                marks.append(Mark(last, number, fact.number, fact.who))
        return cls(marks, last)

    def seq_of(self, position: str | int | Position) -> int:
        """Return the event after which the line is at `position`.

        For a round or turn that is the event with which it begins. Raises BadPosition naming what
        there is. O(rounds and turns).
        """
        if isinstance(position, int):
            position = Position(seq=position)
        elif isinstance(position, str):
            position = parse(position)
        if position.seq is not None:
            if position == END:
                return self.last
            if not 0 <= position.seq <= self.last:
                raise BadPosition(f"there is no event {position.seq}: the line goes from 1 to {self.last}")
            return position.seq
        for mark in self.marks:
            if mark.round == position.round and mark.turn == (position.turn or 0):
                return mark.seq
        raise BadPosition(self._missing(position))

    def place_of(self, seq: int) -> Place:
        """Return the place of event `seq`; raises BadPosition outside the line. O(log turns)."""
        if not 0 <= seq <= self.last:
            raise BadPosition(f"there is no event {seq}: the line goes from 1 to {self.last}")
        mark = self.at_or_before(seq)
        return Place(seq, mark.round, mark.turn, mark.who) if mark else Place(seq, 0, 0, "")

    def at_or_before(self, seq: int) -> Mark | None:
        """Return the last round or turn that had begun at event `seq`."""
        low, high = 0, len(self.marks)
        while low < high:
            middle = (low + high) // 2
            if self.marks[middle].seq <= seq:
                low = middle + 1
            else:
                high = middle
        return self.marks[low - 1] if low else None

    def after(self, seq: int, *, rounds: bool = False) -> Mark | None:
        """Return the first turn (or round) that begins after event `seq`."""
        return next((mark for mark in self.marks if mark.seq > seq and (not mark.turn) == rounds), None)

    def before(self, seq: int, *, rounds: bool = False) -> Mark | None:
        """Return the last turn (or round) that begins before event `seq`."""
        found = (mark for mark in reversed(self.marks) if mark.seq < seq and (not mark.turn) == rounds)
        return next(found, None)

    def _missing(self, wanted: Position) -> str:
        rounds = [mark.round for mark in self.marks if not mark.turn]
        if wanted.round not in rounds:
            there = f"rounds {rounds[0]} to {rounds[-1]}" if rounds else "no round has begun"
            return f"there is no round {wanted.round}: {there}"
        turns = [mark.turn for mark in self.marks if mark.round == wanted.round and mark.turn]
        there = f"it has turns {turns[0]} to {turns[-1]}" if turns else "no turn of it has begun"
        return f"round {wanted.round} has no turn {wanted.turn}: {there}"
