"""The look at the log: what the feed finds at its end, told once for each audience that somebody has."""

from collections.abc import Sequence

from affray.events.store import Store
from affray.replay.serve.audience import Entered, Key, everybody_of
from affray.replay.serve.batches import Batch
from affray.replay.serve.cloud_events import REBASE, turn_of
from affray.replay.serve.counting import Counting
from affray.replay.serve.marks import Marks
from affray.replay.serve.passing import Passing, pages
from affray.replay.serve.positions import Place, end_of, rebased
from affray.replay.serve.telling import Teller, begun, source_of, start_of


class Look:
    """What the feed knows at its desk: the line where it stands, and everybody's eyes.

    If a look fails nothing of it counts: the next one begins at the same position, from the log.
    """

    def __init__(self, counting: Counting) -> None:
        """Stand nowhere yet."""
        self._counting = counting
        self.place = Place("main", 0, 0)
        self.source = ""
        self._passing: Passing | None = None
        self._framed = False
        self._tellers: dict[Key, Teller] = {}

    def begin(self, store: Store) -> tuple[Place, dict[str, Entered]]:
        """Stand at the end, and return it with who has entered."""
        self.place, self.source = end_of(store), source_of(store)
        return self.place, everybody_of(self._line(store, framed=False).state)

    def new(self, store: Store, keys: Sequence[Key]) -> tuple[Place, Batch, dict[str, Entered]] | None:
        """Return where the next batch begins, it, and who has entered by then; None for nothing new."""
        begin, end = self.place, end_of(store)
        if end == begin:
            return None
        try:
            if (end.branch, end.epoch) == (begin.branch, begin.epoch):
                batch, people = self._onward(store, end, keys)
            else:
                batch, people = self._turned(store, end, keys)
        except BaseException:
            self.place = begin
            self._forget()  # some of it may have been taken in
            raise
        return begin, batch, people

    def _onward(self, store: Store, end: Place, keys: Sequence[Key]) -> tuple[Batch, dict[str, Entered]]:
        begin = self.place
        line = self._line(store, framed=any(key.frames for key in keys))
        for key in self._tellers.keys() - {*keys}:
            del self._tellers[key]
        for key in keys:
            if key not in self._tellers:
                counted = self._marks(key).counted(store, begin.branch, begin.seq)
                start = start_of(begin, counted)
                own = line
                if start != begin.seq:  # something came after what was told last
                    own = Passing(store, begin.branch, start, framed=key.frames)
                self._tellers[key] = begun(store, own, begin, key, self.source, counted)
        passed = line.take(next(pages(store.read(begin.branch, begin.seq, end.seq)), []))
        for key in keys:
            self._marks(key).counted(store, begin.branch, line.seq)
        told = {key: list(self._tellers[key].tell(passed, frames=key.frames)) for key in keys}
        self.place = Place(begin.branch, begin.epoch, line.seq)
        return Batch(self.place, told), everybody_of(line.state)

    def _turned(self, store: Store, end: Place, keys: Sequence[Key]) -> tuple[Batch, dict[str, Entered]]:
        begin = self.place
        self.place = rebased(store, begin, end)
        self._forget()
        told = {}
        for key in keys:
            marks = self._marks(key)
            place, come_from = marks.told(store, self.place), marks.told(store, begin)
            told[key] = [turn_of(REBASE, place, self.source, come_from)]
        return Batch(self.place, told), everybody_of(
            self._line(store, framed=any(key.frames for key in keys)).state
        )

    def _line(self, store: Store, *, framed: bool) -> Passing:
        """Return the line where the feed stands, with frames from here on only if they are wanted now."""
        if self._passing is None or framed != self._framed:
            self._passing = Passing(store, self.place.branch, self.place.seq, framed=framed)
            self._framed = framed
        return self._passing

    def _marks(self, key: Key) -> Marks:
        return Marks(key.audience, self._counting)

    def _forget(self) -> None:
        self._passing = None
        self._tellers.clear()
