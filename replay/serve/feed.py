"""The feed: the main line as it grows, told to everybody who follows it, without a gap and without a repeat.

One place looks at the log, once for all who follow. What it finds is a batch: from one position to the next,
told once for each audience. Who stands where a batch begins takes it; who does not (having come late, or read
slowly) is told from the log until it stands there. So memory does not depend on how many follow, or how long.
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

# --- Views: what each of those who follow may see, found out once for all of them whenever it changes


class Views:
    """The audiences of all guests, as they were when the guests were last looked at.

    So that the guests' file is asked, and tokens are gone through, once for all who follow and not by each.
    """

    def __init__(self, access: Access) -> None:
        """Know the guests as they are now, in a fight of nobody."""
        self._access = access
        self._people: Mapping[str, Entered] = {}
        self._guests, self._hidden, self._count = access.known
        self._by_token: dict[str, Audience] | None = None

    def enter(self, people: Mapping[str, Entered]) -> None:
        """Know who has entered by now."""
        if people != self._people:
            self._people, self._by_token = people, None

    def look_again(self) -> bool:
        """Look at the guests again; say whether anything about them has changed since."""
        before = self._guests, self._hidden, self._count
        self._guests, self._hidden, self._count = self._access.known
        changed = before != (self._guests, self._hidden, self._count)
        if changed:
            self._by_token = None
        return changed

    def of(self, token: str) -> Audience | None:
        """Return what the guest with a token may see, None if there was none when they were looked at."""
        if self._by_token is None:
            self._by_token = {one.token: self._made(one, self._hidden, self._count) for one in self._guests}
        return self._by_token.get(token)

    def audience(self, guest: Guest) -> Audience:
        """Return what a guest may see by what is hidden this very moment."""
        _, hidden, views = self._access.known
        return self._made(guest, hidden, views)

    def _made(self, guest: Guest, hidden: tuple[str, ...], views: int) -> Audience:
        if guest.role == "game master":
            return GAME_MASTER
        return make_audience(guest.combatants, hidden, self._people, views)


# --- Batches: what the feed has found, as each audience is told it, kept for those who are almost at the end

MOST_BATCHES: Final = 256
MOST_TOLD: Final = 8000
"""So much is kept at most: batches, and events in them, each counted as often as it is told."""

LUMP: Final = 64 * 1024
"""Bytes that one who has fallen behind is sent at once, or those of one batch if it has more."""


class Batch:
    """The events from one position of the feed to another, as each audience is told them."""

    def __init__(self, to: FeedCursor, told: Mapping[Key, Sequence[CloudEvent]]) -> None:
        self.to, self.told = to, told
        self.count = sum(map(len, told.values()))
        self._sent: dict[Key, bytes] = {}

    def sent(self, key: Key) -> bytes:
        """Return the bytes that followers of one kind get; made once."""
        if key not in self._sent:
            self._sent[key] = b"".join(map(encode_sse, self.told[key]))
        return self._sent[key]


class Batches:
    """The newest batches, by where they begin; memory is bounded by their number and what is told in them."""

    def __init__(self) -> None:
        """Hold none."""
        self._from: OrderedDict[FeedCursor, Batch] = OrderedDict()
        self.count = 0

    def __len__(self) -> int:
        """Return how many are kept."""
        return len(self._from)

    def keep(self, begin: FeedCursor, batch: Batch) -> None:
        """Keep one more, which begins where the one before ended; the oldest ones go."""
        self._from[begin] = batch
        self.count += batch.count
        while len(self._from) > 1 and (len(self._from) > MOST_BATCHES or self.count > MOST_TOLD):
            _, oldest = self._from.popitem(last=False)
            self.count -= oldest.count

    def sent(self, key: Key, after: FeedCursor) -> tuple[FeedCursor, bytes] | None:
        """Return what comes after a position, several batches in one where that is not much, and its end.

        None where it is not at hand.
        """
        batch = self._from.get(after)
        if batch is None or key not in batch.told:
            return None
        place, sent = batch.to, batch.sent(key)
        while (batch := self._from.get(place)) is not None and key in batch.told and len(sent) < LUMP:
            place, sent = batch.to, sent + batch.sent(key)
        return place, sent

    def told(self, key: Key, after: FeedCursor, upto: FeedCursor) -> list[CloudEvent] | None:
        """Return what is told from one position to another, None where that is not at hand."""
        found: list[CloudEvent] = []
        while after != upto:
            batch = self._from.get(after)
            if batch is None or key not in batch.told:
                return None
            found += batch.told[key]
            after = batch.to
        return found


# --- The look at the log: what the feed finds at its end, told once for each audience that somebody has


class Look:
    """What the feed knows at its desk: the line where it stands, and everybody's eyes.

    If a look fails nothing of it counts: the next one begins at the same position, from the log.
    """

    def __init__(self, counting: Counting) -> None:
        """Stand nowhere yet."""
        self._counting = counting
        self.place = FeedCursor("main", 0, 0)
        self.source = ""
        self._passing: Passing | None = None
        self._framed = False
        self._tellers: dict[Key, Teller] = {}

    def begin(self, store: Store) -> tuple[FeedCursor, dict[str, Entered]]:
        """Stand at the end, and return it with who has entered."""
        self.place, self.source = end_of(store), source_of(store)
        return self.place, everybody_of(self._line(store, framed=False).state)

    def new(self, store: Store, keys: Sequence[Key]) -> tuple[FeedCursor, Batch, dict[str, Entered]] | None:
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
                if start != begin.seq:  # something came after what was told last
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
        """Return the line where the feed stands, with frames from here on only if they are wanted now."""
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
"""So often the log is looked at for what others have recorded, and while something is going on."""

EAGER_FOR: Final = 1.0
"""So long after an event something is going on."""

AGAIN_SECONDS: Final = 1.0
"""So long after it could not be read it is tried again."""


class Feed:
    """Follows the main line of a log: `place` is how far it has come.

    `views` are what its guests may see, `batches` what is at hand for those who are almost there.
    """

    def __init__(self, own: Desk, late: Desk, access: Access, holding: Holding | None = None) -> None:
        """Be ready to follow: `own` is the feed's, `late` is where those are told who are not at the end."""
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
        """Stand at the end of the main line. Raises what opening and reading a log raises."""
        self.place, people = await self._own.do(self._look.begin)
        self.views.enter(people)
        self.source = self._telling.source = self._look.source

    async def run(self) -> None:
        """Look at the log again and again until `stop`, whatever goes wrong with it."""
        clock = asyncio.get_running_loop().time
        eager_until = 0.0
        while not self.ended:
            self._poked.clear()
            try:
                self._look_at_guests()
                while await self._found_more():
                    eager_until = clock() + EAGER_FOR
                self._astray = False
            except Exception as error:  # a log that is away for a moment, or was spoilt while it is served
                failed(error, "feed")
                self._astray = True
                self._wake()
                await asyncio.sleep(AGAIN_SECONDS)
            with suppress(TimeoutError):
                await asyncio.wait_for(
                    self._poked.wait(), EAGER_SECONDS if clock() < eager_until else POLL_SECONDS
                )

    def stop(self) -> None:
        """Let everybody who follows come to an end."""
        self.ended = True
        self._poked.set()
        self._wake()

    def poke(self) -> None:
        """Look at once: something was recorded, or who may see what has changed."""
        self._poked.set()
        self._look_at_guests()

    async def reached(self, place: FeedCursor) -> None:
        """Return when the feed has come to a position, past it, or to another line.

        Returns too while the feed cannot get there since the log cannot be read or told.
        """
        while not self.ended and not self._astray and is_before(self.place, place):
            self._poked.set()
            await self._grown.wait()

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

    async def begin(
        self, guest: Guest, after: FeedCursor | str
    ) -> tuple[FeedCursor, Audience, FeedCursor | None]:
        """Return where in the log a guest goes on that was told up to a position, `start` or `end`; and for
        whom that was found out.

        Who was told another past stands before the first event, and the last one says what it knew.
        Raises BadPlace for a position that this log has never had.
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
        """Yield what a guest is told from a position of the log on, for ever; it ends when the guest is
        withdrawn.

        `seen` is whose position that is, `come_from` what the guest knew last of another past.
        """
        self._look_at_guests()  # who was let in just now may have been invited just now
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
                            continue  # it was found for eyes that are not these any more
                        place, sent = found
                    else:
                        await self._grown.wait()
                        continue
                    if sent:
                        yield sent

    async def _get_events_from_log(
        self, guest: Guest, place: FeedCursor, key: Key
    ) -> tuple[FeedCursor, bytes]:
        """Return what a guest is told from the log, and up to where."""
        end = self.place
        work = self._telling.after(place, end, key)
        return await self._late.run_in_turn(guest.token, (place, end, key), work)

    async def _mark(self, guest: Guest, audience: Audience, place: FeedCursor) -> FeedCursor:
        """Return a position as it is told."""
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
