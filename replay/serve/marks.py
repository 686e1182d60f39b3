"""Marks: the positions of a log as they are told to a reader, and what a reader means by one.

The game master is told those of the log. For everybody else `seq` counts what was told, so that what comes to
pass unseen moves nothing, and a reader stands at the end until something is told again. What is told of the
past changes when somebody is hidden or shown whom the log speaks of, or when combatants of the reader's own
enter: then `view` is another, and numbers of the old one say nothing any more.
"""

from affray.events.store import Store
from affray.replay.playhead import state_at
from affray.replay.serve.audience import Audience, everybody_of, sides_of
from affray.replay.serve.counting import Counted, Counting
from affray.replay.serve.positions import Place, no_position, was_main_line


class Marks:
    """The positions of one log for one audience; it may be asked in any thread that has a store."""

    def __init__(self, audience: Audience, counting: Counting) -> None:
        """Tell positions to an audience."""
        self.audience, self._counting = audience, counting

    def counted(self, store: Store, branch: str, upto: int) -> Counted | None:
        """Return what the audience is told of a line up to an event at least; None where that is all."""
        if self.audience.all_seeing:
            return None
        return self._counting.of(store, self.audience, branch, upto)

    def told(self, store: Store, place: Place) -> Place:
        """Return a position of the log as it is told."""
        found = self.counted(store, place.branch, place.seq)
        if found is None:
            return place
        return Place(place.branch, place.epoch, found.number(place.seq), self.audience.view)

    def meant(self, store: Store, told: Place, end: Place) -> Place | None:
        """Return the position of the log that a reader names, the last one that it cannot tell from it.

        None for one of another view of the fight, of which nothing more is known. Raises BadPlace for one
        that this log has never had.
        """
        if self.audience.all_seeing:
            return told
        if not was_main_line(store, told) or told.epoch > end.epoch:
            raise no_position(told, self.told(store, end))
        if told.view != self.audience.view or not self._is_of_the_same(store, told, end):
            return None
        head = store.head(told.branch).seq
        found = self._counting.of(store, self.audience, told.branch, head)
        many = found.number(head)
        if told.seq > many:
            raise no_position(told, self.told(store, end))
        return Place(told.branch, told.epoch, head if told.seq == many else found.seqs[told.seq] - 1)

    def _is_of_the_same(self, store: Store, told: Place, end: Place) -> bool:
        """Say whether an earlier main line was seen by the same side."""
        if told.epoch == end.epoch or not self.audience.own:
            return True
        state = state_at(store, told.branch, store.head(told.branch).seq)
        return sides_of(self.audience.own, everybody_of(state)) == self.audience.sides


class Expected:
    """Where a reader expects a fight: it is there until something is told that comes after."""

    def __init__(self, place: Place, marks: Marks) -> None:
        """Expect a position as it was told."""
        self.place, self._marks = place, marks

    def __str__(self) -> str:
        return str(self.place)

    def stands(self, store: Store, now: Place) -> bool:
        """Say whether the fight is still there, as far as the reader can tell."""
        return self.place == self._marks.told(store, now)
