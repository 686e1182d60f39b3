"""The feed: sends the growing main line to all followers, without gaps or repeats.

The log is read in one place for all followers. New events form a batch, from one position to the next,
written once for each audience. A follower at the beginning of a batch receives it; one that is behind
(connected late, or reads slowly) is sent events from the log until it has caught up. Memory therefore depends
neither on the number of followers nor on the length of the fight.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from affray.events.stores.store import Store
from affray.replay.privacy.audience import GAME_MASTER, Audience, Entered, Key, everybody_of, make_audience
from affray.replay.serve.access import Access, Guest
from affray.replay.serve.commands import Holding
from affray.replay.serve.http import failed
from affray.replay.serve.messages import (
    REBASE,
    VIEW,
    CloudEvent,
    FeedCursor,
    HeldDeclaration,
    encode_sse,
    end_of,
    is_before,
    make_held_event,
    rebased,
    turn_of,
)
from affray.replay.serve.visibility import (
    CatchUp,
    Counting,
    FeedPositions,
    Passing,
    Teller,
    begun,
    pages,
    source_of,
    start_of,
)
from affray.replay.serve.workers import Desk

# --- Views: what each follower may see, computed once for all of them when it changes


class Views:
    """The audiences of all guests, as of the last check of the guests' file.

    The file is read and the tokens are searched once for all followers, not once for each.
    """

    def __init__(self, access: Access) -> None:
        """Load the current guests, for a fight without combatants."""
        self._access = access
        self._people: Mapping[str, Entered] = {}
        self._guests, self._hidden, self._count = access.known
        self._by_token: dict[str, Audience] | None = None

    def enter(self, people: Mapping[str, Entered]) -> None:
        """Take the combatants that have entered by now."""
        if people != self._people:
            self._people, self._by_token = people, None

    def look_again(self) -> bool:
        """Check the guests again; return whether anything about them has changed since."""
        before = self._guests, self._hidden, self._count
        self._guests, self._hidden, self._count = self._access.known
        changed = before != (self._guests, self._hidden, self._count)
        if changed:
            self._by_token = None
        return changed

    def of(self, token: str) -> Audience | None:
        """Return the audience of the guest with a token, None if there was none at the last check."""
        if self._by_token is None:
            self._by_token = {one.token: self._made(one, self._hidden, self._count) for one in self._guests}
        return self._by_token.get(token)

    def audience(self, guest: Guest) -> Audience:
        """Return the audience of a guest by what is hidden right now."""
        _, hidden, views = self._access.known
        return self._made(guest, hidden, views)

    def _made(self, guest: Guest, hidden: tuple[str, ...], views: int) -> Audience:
        if guest.role == "game master":
            return GAME_MASTER
        return make_audience(guest.combatants, hidden, self._people, views)


# --- Batches: events as written for each audience, kept for followers that are nearly at the end

MOST_BATCHES: Final = 256
MOST_TOLD: Final = 8000
"""Limits of what is kept: batches, and events in them, each counted once for each audience."""

LUMP: Final = 64 * 1024
"""Most bytes sent at once to a follower that is behind; a larger batch is sent whole."""


class Batch:
    """The events from one position of the feed to another, as written for each audience."""

    def __init__(self, to: FeedCursor, told: Mapping[Key, Sequence[CloudEvent]]) -> None:
        self.to, self.told = to, told
        self.count = sum(map(len, told.values()))
        self._sent: dict[Key, bytes] = {}

    def sent(self, key: Key) -> bytes:
        """Return the bytes for followers of one kind; computed once."""
        if key not in self._sent:
            self._sent[key] = b"".join(map(encode_sse, self.told[key]))
        return self._sent[key]


class Batches:
    """The newest batches by start position; memory is bounded by their number and the events in them."""

    def __init__(self) -> None:
        """Start empty."""
        self._from: OrderedDict[FeedCursor, Batch] = OrderedDict()
        self.count = 0

    def __len__(self) -> int:
        """Return how many are kept."""
        return len(self._from)

    def keep(self, begin: FeedCursor, batch: Batch) -> None:
        """Keep one more, which begins where the last one ended; drop the oldest ones."""
        self._from[begin] = batch
        self.count += batch.count
        while len(self._from) > 1 and (len(self._from) > MOST_BATCHES or self.count > MOST_TOLD):
            _, oldest = self._from.popitem(last=False)
            self.count -= oldest.count

    def sent(self, key: Key, after: FeedCursor) -> tuple[FeedCursor, bytes] | None:
        """Return the end and the bytes of what follows a position, joining several small batches.

        None if it is not available.
        """
        batch = self._from.get(after)
        if batch is None or key not in batch.told:
            return None
        place, sent = batch.to, batch.sent(key)
        while (batch := self._from.get(place)) is not None and key in batch.told and len(sent) < LUMP:
            place, sent = batch.to, sent + batch.sent(key)
        return place, sent

    def told(self, key: Key, after: FeedCursor, upto: FeedCursor) -> list[CloudEvent] | None:
        """Return the events shown between two positions, None if they are not available."""
        found: list[CloudEvent] = []
        while after != upto:
            batch = self._from.get(after)
            if batch is None or key not in batch.told:
                return None
            found += batch.told[key]
            after = batch.to
        return found


# --- Looking at the log: the new events at its end, written once for each followed audience


class Look:
    """The feed's knowledge at its desk: the line at its position, and the eyes of each audience.

    If a look fails, none of it counts: the next one starts at the same position, from the log.
    """

    def __init__(self, counting: Counting) -> None:
        """Start without a position."""
        self._counting = counting
        self.place = FeedCursor("main", 0, 0)
        self.source = ""
        self._passing: Passing | None = None
        self._framed = False
        self._tellers: dict[Key, Teller] = {}

    def begin(self, store: Store) -> tuple[FeedCursor, dict[str, Entered]]:
        """Move to the end, and return it with the combatants that have entered."""
        self.place, self.source = end_of(store), source_of(store)
        return self.place, everybody_of(self._line(store, framed=False).state)

    def new(self, store: Store, keys: Sequence[Key]) -> tuple[FeedCursor, Batch, dict[str, Entered]] | None:
        """Return the start of the next batch, the batch, and the combatants entered by then; None if nothing
        is new.
        """
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

    def _onward(self, store: Store, end: FeedCursor, keys: Sequence[Key]) -> tuple[Batch, dict[str, Entered]]:
        begin = self.place
        line = self._line(store, framed=any(key.frames for key in keys))
        for key in self._tellers.keys() - {*keys}:
            del self._tellers[key]
        for key in keys:
            if key not in self._tellers:
                counted = self._marks(key).counted(store, begin.branch, begin.seq)
                start = start_of(begin, counted)
                own = line
                if start != begin.seq:  # events that were not shown came after the last shown one
                    own = Passing(store, begin.branch, start, framed=key.frames)
                self._tellers[key] = begun(store, own, begin, key, self.source, counted)
        passed = line.take(next(pages(store.read(begin.branch, begin.seq, end.seq)), []))
        for key in keys:
            self._marks(key).counted(store, begin.branch, line.seq)
        told = {key: list(self._tellers[key].tell(passed, frames=key.frames)) for key in keys}
        self.place = FeedCursor(begin.branch, begin.epoch, line.seq)
        return Batch(self.place, told), everybody_of(line.state)

    def _turned(self, store: Store, end: FeedCursor, keys: Sequence[Key]) -> tuple[Batch, dict[str, Entered]]:
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
        """Return the line at the feed's position, with frames from here on only if they are wanted now."""
        if self._passing is None or framed != self._framed:
            self._passing = Passing(store, self.place.branch, self.place.seq, framed=framed)
            self._framed = framed
        return self._passing

    def _marks(self, key: Key) -> FeedPositions:
        return FeedPositions(key.audience, self._counting)

    def _forget(self) -> None:
        self._passing = None
        self._tellers.clear()


POLL_SECONDS: Final = 0.02
EAGER_SECONDS: Final = 0.005
"""Seconds between looks at the log for events of other processes, and while the fight is active."""

EAGER_FOR: Final = 1.0
"""Seconds after an event during which the fight counts as active."""

AGAIN_SECONDS: Final = 1.0
"""Seconds before retrying after the log could not be read."""


class Feed:
    """Follow the main line of a log: `place` is the position reached.

    `views` are the audiences of its guests, `batches` the events at hand for followers that are nearly there.
    """

    def __init__(self, own: Desk, late: Desk, access: Access, holding: Holding | None = None) -> None:
        """Prepare: `own` is the feed's desk, `late` the one for followers that are behind."""
        self._own, self._late = own, late
        self.views = Views(access)
        self._holding = holding
        if holding is not None:
            holding.changed = self._wake
        self.place = FeedCursor("main", 0, 0)
        self.source = ""
        self.counting = Counting()
        self._look, self._telling = Look(self.counting), CatchUp("", self.counting)
        self._followed: Counter[Key] = Counter()
        self.batches = Batches()
        self._grown, self._poked = asyncio.Event(), asyncio.Event()
        self.ended = self._astray = False

    async def start(self) -> None:
        """Move to the end of the main line. Raises what opening and reading a log raises."""
        self.place, people = await self._own.do(self._look.begin)
        self.views.enter(people)
        self.source = self._telling.source = self._look.source

    async def run(self) -> None:
        """Look at the log repeatedly until `stop`, also after errors."""
        clock = asyncio.get_running_loop().time
        eager_until = 0.0
        while not self.ended:
            self._poked.clear()
            try:
                self._look_at_guests()
                while await self._found_more():
                    eager_until = clock() + EAGER_FOR
                self._astray = False
            except Exception as error:  # unavailable for a moment, or damaged while served
                failed(error, "feed")
                self._astray = True
                self._wake()
                await asyncio.sleep(AGAIN_SECONDS)
            with suppress(TimeoutError):
                await asyncio.wait_for(
                    self._poked.wait(), EAGER_SECONDS if clock() < eager_until else POLL_SECONDS
                )

    def stop(self) -> None:
        """End all followers' streams."""
        self.ended = True
        self._poked.set()
        self._wake()

    def poke(self) -> None:
        """Look at once: an event was recorded, or an audience has changed."""
        self._poked.set()
        self._look_at_guests()

    async def reached(self, place: FeedCursor) -> None:
        """Wait until the feed reaches a position, passes it, or moves to another line.

        Also returns if the feed cannot get there because the log cannot be read or sent.
        """
        while not self.ended and not self._astray and is_before(self.place, place):
            self._poked.set()
            await self._grown.wait()

    @contextmanager
    def followed(self, key: Key) -> Iterator[None]:
        """Have batches written for a key while the block runs."""
        self._followed[key] += 1
        try:
            yield
        finally:
            self._followed[key] -= 1
            if not self._followed[key]:
                del self._followed[key]

    async def begin(
        self, guest: Guest, after: FeedCursor | str
    ) -> tuple[FeedCursor, Audience, FeedCursor | None]:
        """Return where in the log a guest continues after a position, `start` or `end`; and the audience for
        which that was computed.

        A guest that was shown another past restarts before the first event; the third value is the position
        it knew. Raises BadPlace for a position that this log has never had.
        """
        audience, now = self.views.audience(guest), self.place
        start = FeedCursor(now.branch, now.epoch, 0)
        if isinstance(after, str):
            return (now if after == "end" else start), audience, None
        marks = FeedPositions(audience, self.counting)

        def find(store: Store) -> FeedCursor | None:
            end = end_of(store)
            meant = marks.meant(store, after, end)
            if meant is not None:
                rebased(store, meant, end)  # only whether there is such a position
            return meant

        place = await self._late.run_in_turn(guest.token, (after, audience), find)
        return (start, audience, after) if place is None else (place, audience, None)

    async def follow(
        self,
        guest: Guest,
        place: FeedCursor,
        *,
        frames: bool,
        seen: Audience | None = None,
        come_from: FeedCursor | None = None,
    ) -> AsyncGenerator[bytes, None]:
        """Yield the guest's events from a position of the log on, without end; stop when the guest is
        withdrawn.

        `seen` is the audience of that position, `come_from` the last position of another past that the guest
        knew.
        """
        self._look_at_guests()  # this guest may have been invited a moment ago
        held: Sequence[HeldDeclaration] = ()
        while (audience := self._may_see(guest)) is not None:
            key = Key(audience, frames)
            mark = await self._mark(guest, audience, place)
            if come_from is not None:
                yield encode_sse(turn_of(REBASE, mark, self.source, come_from))
                come_from = None
            elif seen is not None and not audience.has_same_past_view(seen):
                yield encode_sse(turn_of(VIEW, mark, self.source))
            seen = audience
            with self.followed(key):
                while self._sees_as(guest, audience):
                    now = self._holding.seen_by(guest) if self._holding is not None else held
                    if held != now and not is_before(place, self.place):
                        held = now
                        sent = encode_sse(
                            make_held_event(held, await self._mark(guest, audience, place), self.source)
                        )
                    elif (found := self.batches.sent(key, place)) is not None:
                        place, sent = found
                    elif is_before(place, self.place):
                        found = await self._get_events_from_log(guest, place, key)
                        if not self._sees_as(guest, audience):
                            continue  # it was found for a previous audience
                        place, sent = found
                    else:
                        await self._grown.wait()
                        continue
                    if sent:
                        yield sent

    async def _get_events_from_log(
        self, guest: Guest, place: FeedCursor, key: Key
    ) -> tuple[FeedCursor, bytes]:
        """Return the guest's next events from the log, and the position after them."""
        end = self.place
        work = self._telling.after(place, end, key)
        return await self._late.run_in_turn(guest.token, (place, end, key), work)

    async def _mark(self, guest: Guest, audience: Audience, place: FeedCursor) -> FeedCursor:
        """Return a position as the guest sees it."""
        if audience.all_seeing:
            return place
        marks = FeedPositions(audience, self.counting)
        return await self._late.run_in_turn(
            guest.token, (audience, place), lambda store: marks.told(store, place)
        )

    def _sees_as(self, guest: Guest, audience: Audience) -> bool:
        now = self._may_see(guest)
        return now is not None and now.has_same_past_view(audience) and now.hide == audience.hide

    def _may_see(self, guest: Guest) -> Audience | None:
        return None if self.ended else self.views.of(guest.token)

    async def _found_more(self) -> bool:
        keys = tuple(self._followed)
        found = await self._own.do(lambda store: self._look.new(store, keys))
        if found is None:
            return False
        begin, batch, people = found
        self.batches.keep(begin, batch)
        self.place = batch.to
        self.views.enter(people)
        self.views.look_again()
        self._wake()
        return True

    def _look_at_guests(self) -> None:
        if self.views.look_again():
            self._wake()

    def _wake(self) -> None:
        self._grown.set()
        self._grown = asyncio.Event()
