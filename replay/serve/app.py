"""The server: one fight, for game master, players and onlookers, and a feed of it for machines."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from starlette.applications import Starlette

from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts.declared import AnyAct
from affray.events.store import Store
from affray.replay.map_picture import NO_PICTURE, Underlay
from affray.replay.playhead import state_at
from affray.replay.serve.access import Access, Guest
from affray.replay.serve.asked import clearly, position_of
from affray.replay.serve.audience import Key
from affray.replay.serve.desks import MOST_WAITING, Desk, Turns
from affray.replay.serve.errors import HANDLERS, Problem
from affray.replay.serve.feed import Feed
from affray.replay.serve.holding import Holding, refused_by_hidden
from affray.replay.serve.ledger import Asking, Ledger
from affray.replay.serve.limits import Limits
from affray.replay.serve.long_looks import SHORT, LongLooks
from affray.replay.serve.looking import Looking
from affray.replay.serve.messages import Body, Done
from affray.replay.serve.page_routes import PAGES
from affray.replay.serve.ports import Judge, Looks, SheetBook, Wanted, Written
from affray.replay.serve.positions import Expects
from affray.replay.serve.routes import starlette_routes
from affray.replay.serve.swinging import Reckoning
from affray.replay.serve.told_late import told_between
from affray.replay.serve.weaving import Weaving

T = TypeVar("T")

DESKS = {"feed": 1, "late": Limits().feeds_of_one, "desk": MOST_WAITING, "rules": MOST_WAITING, "ledger": 1}
"""Who works with the log, each in a thread of its own; and how much may wait there of each guest."""

MOST_COMMANDS = 60
"""So many commands of one guest may wait."""


@dataclass
class Parts:
    """The parts of a server, and where it is found; the routes know it as `ports.House`."""

    access: Access
    feed: Feed
    ledger: Ledger
    desk: Desk
    rules: Desk
    long: LongLooks
    long_turns: Turns
    commands: Turns
    address: str
    holding: Holding
    sheets: SheetBook
    swing: Reckoning
    weaving: Weaving
    picture: Underlay

    async def refused_by_hidden(self, guest: Guest, act: AnyAct, expected: Expects) -> Any:
        """Return why a declaration is refused by what a guest cannot know, None if it is not."""
        audience = self.feed.views.audience(guest)
        return await self.apart(lambda store: refused_by_hidden(store, audience, act, expected))

    async def look(self, guest: Guest, work: Callable[[Looks, Store], T]) -> T:
        """Return what is looked up for a guest. Raises Problem."""
        looking = Looking(self.feed.views.audience(guest), self.feed.counting)
        return await clearly(self.desk.do(lambda store: work(looking, store)))

    async def look_briefly(self, guest: Guest, what: str, work: Callable[[Looks, Store], T]) -> T:
        """Return what is looked up for a guest in no time (`what`), each in turn. Raises Problem."""
        return await self._look_at(self.desk, guest, what, work)

    async def look_by_rules(self, guest: Guest, what: str, work: Callable[[Looks, Store], T]) -> T:
        """Return what the rules or some events have to be asked for, each guest in turn. Raises Problem."""
        return await self._look_at(self.rules, guest, what, work)

    async def _look_at(self, desk: Desk, guest: Guest, what: str, work: Callable[[Looks, Store], T]) -> T:
        looking = Looking(self.feed.views.audience(guest), self.feed.counting)
        # What is told depends on who may see what, and that may change while it waits.
        key = what, looking.audience
        return await clearly(desk.do_in_turn(guest.token, key, lambda store: work(looking, store)))

    async def look_long(self, guest: Guest, wanted: Wanted) -> bytes:
        """Return what is looked up in many events, as JSON, each guest in turn. Raises Problem."""
        if self.feed.place.seq <= SHORT:
            return await self.look_by_rules(guest, str(wanted), wanted.found)
        audience = self.feed.views.audience(guest)
        return await clearly(
            self.long_turns.do(guest.token, (wanted, audience), lambda: self.long.find(audience, wanted))
        )

    async def apart(self, work: Callable[[Store], T]) -> T:
        """Return what is done where it holds nobody up. Raises Problem."""
        return await clearly(self.desk.do(work))

    async def done(
        self, guest: Guest, command: Callable[[Expects, str], Awaitable[Written]], body: Body
    ) -> Done:
        """Return what came of a command, as far as the guest may know it, one of each guest at a time.

        The command gets the position that the guest expects, and the id of its request. Raises Problem.
        """
        return await self.commands.do(guest.token, object(), lambda: self._done(guest, command, body))

    async def _done(
        self, guest: Guest, command: Callable[[Expects, str], Awaitable[Written]], body: Body
    ) -> Done:
        key = Key(self.feed.views.audience(guest), False)
        looking = Looking(key.audience, self.feed.counting)
        expected = looking.expected(position_of(body.expected))
        # Two guests may hit upon the same id; neither is to get the other's answer.
        own = sha256(guest.token.encode()).hexdigest()[:12]
        with self.feed.followed(key):
            try:
                written = await clearly(command(expected, f"{own}:{body.request}"))
            except Problem as problem:
                if problem.position:
                    problem.position = await clearly(self.desk.do(looking.now))
                raise
            self.feed.poke()
            await self.feed.reached(written.after)
            before, after = written.before, written.after
            same = (before.branch, before.epoch) == (after.branch, after.epoch)
            told = self.feed.batches.told(key, before, after) if same else []
        source, counting = self.feed.source, self.feed.counting

        def rest(store: Store) -> Done:
            events = told
            if events is None:
                events, _ = told_between(store, before, after.seq, key, source, counting)
            state = state_at(store, after.branch, after.seq)
            refused = None
            if written.refused is not None:
                refused = looking.refusal(state, decode(written.events[0]), written.refused)
            said = looking.own_words(store, after, written.told)
            question = looking.question(state, looking.marks.counted(store, after.branch, after.seq))
            return Done(looking.told(store, after), events, refused, question, said, written.held)

        return await clearly(self.desk.do(rest))


def serving(
    log: Path,
    access: Access,
    address: str,
    judge: Judge,
    sheets: SheetBook,
    *,
    asks_everybody: bool = False,
    picture: Underlay = NO_PICTURE,
) -> Starlette:
    """Return the application that serves a log, which is opened as it starts up.

    `address` is what links begin with, `judge` records disputes and rulings (`affray.replay.disputes`),
    `sheets` are those of whoever is to enter (`affray.replay.entry_sheets`).
    Combatants that a player has are asked what they choose; with `asks_everybody` so are all others. All of
    the `picture` lies under everybody's map.
    """

    def asked() -> Collection[str]:
        return {id for guest in access.guests for id in guest.combatants}

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        desks = [Desk(log, name, readonly=name == "feed", waiting=waiting) for name, waiting in DESKS.items()]
        own, late, desk, rules, writing = desks
        holding = Holding()
        feed = Feed(own, late, access, holding)
        try:
            await feed.start()
        except AffrayError as error:
            app.state.fault = str(error)
            raise
        ledger = Ledger(writing, Asking(asked, asks_everybody), judge)
        swing, weaving, long = Reckoning(log), Weaving(), LongLooks(log)
        app.state.house = Parts(
            access,
            feed,
            ledger,
            desk,
            rules,
            long,
            Turns(),
            Turns(MOST_COMMANDS),
            address,
            holding,
            sheets,
            swing,
            weaving,
            picture,
        )
        running = [asyncio.create_task(feed.run()), asyncio.create_task(ledger.begin())]
        try:
            yield
        finally:
            feed.stop()
            await swing.stop()
            await weaving.stop()
            await long.stop()
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            for one in desks:
                await one.close()

    return Starlette(routes=[*PAGES, *starlette_routes()], lifespan=life, exception_handlers=HANDLERS)
