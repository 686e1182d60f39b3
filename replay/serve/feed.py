"""The feed: the main line as it grows, told to everybody who follows it, without a gap and without a repeat.

One place looks at the log, once for all who follow. What it finds is a batch: from one position to the next,
told once for each audience. Who stands where a batch begins takes it; who does not (having come late, or read
slowly) is told from the log until it stands there. So memory does not depend on how many follow, or how long.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from affray.events.errors import AffrayError
from affray.events.sqlite import SqliteStore
from affray.events.store import Store
from affray.replay.serve.access import Access, Guest
from affray.replay.serve.audience import GAME_MASTER, Audience, audience_of
from affray.replay.serve.desks import Desk
from affray.replay.serve.errors import failed
from affray.replay.serve.passing import Passing, pages
from affray.replay.serve.positions import Place, end_of, rebased
from affray.replay.serve.telling import REBASE, VIEW, CloudEvent, Teller, as_sse, source_of, turn_of
from affray.replay.serve.told_late import Key, told_between

POLL_SECONDS: Final = 0.02
"""So often the log is looked at for what others have recorded."""

MOST_BATCHES: Final = 256
"""So many batches are kept for those who are not quite at the end."""


class Batch:
    """The events from one position of the feed to another, as each audience is told them."""

    def __init__(self, to: Place, told: Mapping[Key, Sequence[CloudEvent]]) -> None:
        self.to, self.told = to, told
        self._sent: dict[Key, bytes] = {}

    def sent(self, key: Key) -> bytes:
        """Return the bytes that followers of one kind get; made once."""
        if key not in self._sent:
            self._sent[key] = b"".join(map(as_sse, self.told[key]))
        return self._sent[key]


class Feed:
    """Follows the main line of a log: `place` is how far it has come, `sides` whom everybody fights for."""

    def __init__(self, own: Desk, late: Desk, access: Access) -> None:
        """Be ready to follow: `own` is the feed's, `late` is where those are told who are not at the end."""
        self.access, self._own, self._late = access, own, late
        self.place = Place("main", 0, 0)
        self.sides: dict[str, str] = {}
        self.source = ""
        self._look = _Look()
        self._followed: Counter[Key] = Counter()
        self._batches: OrderedDict[Place, Batch] = OrderedDict()
        self._grown, self._poked = asyncio.Event(), asyncio.Event()
        self.ended = False

    async def start(self) -> None:
        """Stand at the end of the main line. Raises what opening and reading a log raises."""
        self.place, self.sides = await self._own.do(self._look.begin)
        self.source = self._look.source

    async def run(self) -> None:
        """Look at the log again and again until `stop`."""
        while not self.ended:
            self._poked.clear()
            try:
                while await self._found_more():
                    pass
            except AffrayError as error:  # a log that is away for a moment, or was spoilt while it is served
                failed(error, "feed")
                await asyncio.sleep(1)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._poked.wait(), POLL_SECONDS)

    def stop(self) -> None:
        """Let everybody who follows come to an end."""
        self.ended = True
        self.poke()

    def poke(self) -> None:
        """Look at once: something was recorded, or who may see what has changed."""
        self._poked.set()
        self._wake()

    async def reached(self, place: Place) -> None:
        """Return when the feed has come to a position, past it, or to another line."""
        while not self.ended and _is_before(self.place, place):
            self._poked.set()
            await self._grown.wait()

    def audience(self, guest: Guest) -> Audience:
        """Return what a guest is now: a player sees the numbers of the sides of its combatants."""
        if guest.role == "game master":
            return GAME_MASTER
        return audience_of(guest.combatants, self.access.hidden, self.sides)

    @contextmanager
    def followed(self, key: Key) -> Iterator[None]:
        """Have batches told so while the block runs."""
        self._followed[key] += 1
        try:
            yield
        finally:
            self._followed[key] -= 1
            if not self._followed[key]:
                del self._followed[key]

    def told_at_hand(self, key: Key, after: Place, upto: Place) -> list[CloudEvent] | None:
        """Return what is told from one position to another, None where it is no longer at hand."""
        found: list[CloudEvent] = []
        while after != upto:
            batch = self._batches.get(after)
            if batch is None or key not in batch.told:
                return None
            found += batch.told[key]
            after = batch.to
        return found

    async def follow(self, guest: Guest, place: Place, *, frames: bool) -> AsyncIterator[bytes]:
        """Yield what a guest is told from a position on, for ever; it ends when the guest is withdrawn.

        Raises BadPlace for a position that this log has never had.
        """
        audience = self.audience(guest)
        while self._may_follow(guest):
            key = Key(audience, frames)
            with self.followed(key):
                while audience == self.audience(guest) and self._may_follow(guest):
                    batch = self._batches.get(place)
                    if batch is not None and key in batch.told:
                        place, sent = batch.to, batch.sent(key)
                    elif _is_before(place, self.place):
                        place, sent = await self._late.do(self._telling_late(place, key))
                    else:
                        await self._grown.wait()
                        continue
                    yield sent
            if audience != (now := self.audience(guest)):
                audience = now
                yield as_sse(turn_of(VIEW, place, self.source))

    def _may_follow(self, guest: Guest) -> bool:
        return not self.ended and self.access.guest_of(guest.token) is not None

    def _telling_late(self, place: Place, key: Key) -> "_Late":
        return _Late(place, self.place, key, self.source)

    async def _found_more(self) -> bool:
        keys = tuple(self._followed)
        found = await self._own.do(lambda store: self._look.new(store, keys))
        if found is None:
            return False
        begin, batch, self.sides = found
        self._batches[begin] = batch
        while len(self._batches) > MOST_BATCHES:
            self._batches.popitem(last=False)
        self.place = batch.to
        self._wake()
        return True

    def _wake(self) -> None:
        self._grown.set()
        self._grown = asyncio.Event()


class _Look:
    """What the feed knows at its desk: the line where it stands, and everybody's eyes."""

    def __init__(self) -> None:
        self.place = Place("main", 0, 0)
        self.source = ""
        self._passing: Passing | None = None
        self._framed = False
        self._tellers: dict[Key, Teller] = {}

    def begin(self, store: SqliteStore) -> tuple[Place, dict[str, str]]:
        """Stand at the end, and return it with whom each combatant fights for."""
        self.place, self.source = end_of(store), source_of(store)
        return self.place, _sides(self._line(store, framed=False))

    def new(self, store: SqliteStore, keys: Sequence[Key]) -> tuple[Place, Batch, dict[str, str]] | None:
        """Return the next batch with where it begins and the sides after it; None if there is nothing new."""
        begin, end = self.place, end_of(store)
        if end == begin:
            return None
        framed = any(key.frames for key in keys)
        if (end.branch, end.epoch) != (begin.branch, begin.epoch):
            self.place = rebased(store, begin, end)
            self._forget()
            told = {key: [turn_of(REBASE, self.place, self.source, begin)] for key in keys}
            return begin, Batch(self.place, told), _sides(self._line(store, framed=framed))
        line = self._line(store, framed=framed)
        for key in self._tellers.keys() - {*keys}:
            del self._tellers[key]
        for key in keys:
            if key not in self._tellers:
                self._tellers[key] = Teller(
                    key.audience, line.state, line.group, self.source, (begin.branch, begin.epoch)
                )
        passed = line.take(next(pages(store.read(begin.branch, begin.seq, end.seq)), []))
        told = {key: list(self._tellers[key].tell(passed, frames=key.frames)) for key in keys}
        self.place = Place(begin.branch, begin.epoch, line.seq)
        return begin, Batch(self.place, told), _sides(line)

    def _line(self, store: Store, *, framed: bool) -> Passing:
        """Return the line where the feed stands; with frames from here on, if they are wanted now."""
        if self._passing is None or (framed and not self._framed):
            self._passing = Passing(store, self.place.branch, self.place.seq, framed=framed)
            self._framed = framed
        return self._passing

    def _forget(self) -> None:
        self._passing = None
        self._tellers.clear()


class _Late:
    """Tells somebody who is not at the end what comes next, up to where the feed is."""

    def __init__(self, place: Place, end: Place, key: Key, source: str) -> None:
        self.place, self.end, self.key, self.source = place, end, key, source

    def __call__(self, store: SqliteStore) -> tuple[Place, bytes]:
        """Return the next position and what is told on the way there."""
        place, end = self.place, self.end
        common = rebased(store, place, end)
        if (place.branch, place.epoch) != (end.branch, end.epoch):
            return common, as_sse(turn_of(REBASE, common, self.source, place))
        told, seq = told_between(store, place, end.seq, self.key, self.source)
        return Place(place.branch, place.epoch, seq), b"".join(map(as_sse, told))


def _is_before(place: Place, other: Place) -> bool:
    return (place.epoch, place.seq) < (other.epoch, other.seq)


def _sides(line: Passing) -> dict[str, str]:
    return {one.id: one.side for one in line.state.combatants.values()}
