"""The feed: the main line as it grows, told to everybody who follows it, without a gap and without a repeat.

One place looks at the log, once for all who follow. What it finds is a batch: from one position to the next,
told once for each audience. Who stands where a batch begins takes it; who does not (having come late, or read
slowly) is told from the log until it stands there. So memory does not depend on how many follow, or how long.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from affray.events.store import Store
from affray.replay.serve.access import Access, Guest
from affray.replay.serve.audience import Audience, Key
from affray.replay.serve.batches import Batches
from affray.replay.serve.cloud_events import REBASE, VIEW, as_sse, held_told, turn_of
from affray.replay.serve.counting import Counting
from affray.replay.serve.desks import Desk
from affray.replay.serve.errors import failed
from affray.replay.serve.look import Look
from affray.replay.serve.marks import Marks
from affray.replay.serve.messages import Held
from affray.replay.serve.ports import Holds
from affray.replay.serve.positions import Place, end_of, is_before, rebased
from affray.replay.serve.told_late import Late
from affray.replay.serve.views import Views

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

    def __init__(self, own: Desk, late: Desk, access: Access, holding: Holds | None = None) -> None:
        """Be ready to follow: `own` is the feed's, `late` is where those are told who are not at the end."""
        self._own, self._late = own, late
        self.views = Views(access)
        self._holding = holding
        if holding is not None:
            holding.changed = self._wake
        self.place = Place("main", 0, 0)
        self.source = ""
        self.counting = Counting()
        self._look, self._telling = Look(self.counting), Late("", self.counting)
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

    async def reached(self, place: Place) -> None:
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

    async def begin(self, guest: Guest, after: Place | str) -> tuple[Place, Audience, Place | None]:
        """Return where in the log a guest goes on that was told up to a position, `start` or `end`; and for
        whom that was found out.

        Who was told another past stands before the first event, and the last one says what it knew.
        Raises BadPlace for a position that this log has never had.
        """
        audience, now = self.views.audience(guest), self.place
        start = Place(now.branch, now.epoch, 0)
        if isinstance(after, str):
            return (now if after == "end" else start), audience, None
        marks = Marks(audience, self.counting)

        def find(store: Store) -> Place | None:
            end = end_of(store)
            meant = marks.meant(store, after, end)
            if meant is not None:
                rebased(store, meant, end)  # only whether there is such a position
            return meant

        place = await self._late.do_in_turn(guest.token, (after, audience), find)
        return (start, audience, after) if place is None else (place, audience, None)

    async def follow(
        self,
        guest: Guest,
        place: Place,
        *,
        frames: bool,
        seen: Audience | None = None,
        come_from: Place | None = None,
    ) -> AsyncGenerator[bytes, None]:
        """Yield what a guest is told from a position of the log on, for ever; it ends when the guest is
        withdrawn.

        `seen` is whose position that is, `come_from` what the guest knew last of another past.
        """
        self._look_at_guests()  # who was let in just now may have been invited just now
        held: Sequence[Held] = ()
        while (audience := self._may_see(guest)) is not None:
            key = Key(audience, frames)
            mark = await self._mark(guest, audience, place)
            if come_from is not None:
                yield as_sse(turn_of(REBASE, mark, self.source, come_from))
                come_from = None
            elif seen is not None and not audience.sees_as(seen):
                yield as_sse(turn_of(VIEW, mark, self.source))
            seen = audience
            with self.followed(key):
                while self._sees_as(guest, audience):
                    now = self._holding.seen_by(guest) if self._holding is not None else held
                    if held != now and not is_before(place, self.place):
                        held = now
                        sent = as_sse(held_told(held, await self._mark(guest, audience, place), self.source))
                    elif (found := self.batches.sent(key, place)) is not None:
                        place, sent = found
                    elif is_before(place, self.place):
                        found = await self._told_late(guest, place, key)
                        if not self._sees_as(guest, audience):
                            continue  # it was found for eyes that are not these any more
                        place, sent = found
                    else:
                        await self._grown.wait()
                        continue
                    if sent:
                        yield sent

    async def _told_late(self, guest: Guest, place: Place, key: Key) -> tuple[Place, bytes]:
        """Return what a guest is told from the log, and up to where."""
        end = self.place
        work = self._telling.after(place, end, key)
        return await self._late.do_in_turn(guest.token, (place, end, key), work)

    async def _mark(self, guest: Guest, audience: Audience, place: Place) -> Place:
        """Return a position as it is told."""
        if audience.all_seeing:
            return place
        marks = Marks(audience, self.counting)
        return await self._late.do_in_turn(
            guest.token, (audience, place), lambda store: marks.told(store, place)
        )

    def _sees_as(self, guest: Guest, audience: Audience) -> bool:
        now = self._may_see(guest)
        return now is not None and now.sees_as(audience) and now.hide == audience.hide

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
