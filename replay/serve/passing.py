"""A line of play as it passes: each event with its frame, from any place of a log on."""

from collections.abc import Iterable, Iterator
from typing import Any

from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.store import Store
from affray.projections.fold import fold
from affray.projections.state import Encounter
from affray.replay.groups import group_of, groups, starts
from affray.replay.luck import Tally
from affray.replay.narrate.cast import Cast
from affray.replay.playhead import state_at
from affray.replay.serve.passed import Passed
from affray.replay.viewer.frame import Frame
from affray.replay.viewer.framed_line import Begun, FramedLine

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
            cast = Cast()
            for one in self.state.combatants.values():
                cast.enter(one.id, one.side, one.sheet.name)
            self._line = FramedLine(Begun(self.state, Tally()), cast, self.rules, start)
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
