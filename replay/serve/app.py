"""The server: one fight, for game master, players and onlookers, and a feed of it for machines."""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette

from affray.events.errors import AffrayError
from affray.replay.serve.access import Access
from affray.replay.serve.desks import Desk
from affray.replay.serve.errors import HANDLERS
from affray.replay.serve.feed import Feed
from affray.replay.serve.house import House
from affray.replay.serve.ledger import Asking, Ledger
from affray.replay.serve.page_routes import PAGES
from affray.replay.serve.routes import starlette_routes

DESKS = ("feed", "late", "desk", "ledger")
"""Who works with the log, each in a thread of its own."""


def serving(log: Path, access: Access, address: str, *, asks_everybody: bool = False) -> Starlette:
    """Return the application that serves a log, which is opened as it starts up.

    `address` is what links begin with. Combatants that a player has are asked what they choose; with
    `asks_everybody` so are all others.
    """

    def asked() -> Collection[str]:
        return {id for guest in access.guests for id in guest.combatants}

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        desks = [Desk(log, name, readonly=name == "feed") for name in DESKS]
        own, late, desk, writing = desks
        feed = Feed(own, late, access)
        try:
            await feed.start()
        except AffrayError as error:
            app.state.fault = str(error)
            raise
        ledger = Ledger(writing, Asking(asked, asks_everybody))
        app.state.house = House(access, feed, ledger, desk, address)
        running = [asyncio.create_task(feed.run()), asyncio.create_task(ledger.begin())]
        try:
            yield
        finally:
            feed.stop()
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            for one in desks:
                await one.close()

    return Starlette(routes=[*PAGES, *starlette_routes()], lifespan=life, exception_handlers=HANDLERS)
