"""The server: one fight, for game master, players and onlookers, and a feed of it for machines."""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Route

from affray.events.errors import AffrayError
from affray.replay.serve import commanding_routes as write
from affray.replay.serve import looking_routes as look
from affray.replay.serve import page_routes
from affray.replay.serve.access import Access
from affray.replay.serve.desks import Desk
from affray.replay.serve.errors import HANDLERS
from affray.replay.serve.feed import Feed
from affray.replay.serve.house import House
from affray.replay.serve.ledger import Asking, Ledger

ROUTES = (
    Route("/", page_routes.table_page),
    Route("/overlay", page_routes.overlay),
    Route("/session", look.session),
    Route("/feed", look.feed),
    Route("/events", look.events),
    Route("/state", look.state),
    Route("/why/{seq}", look.why),
    Route("/legal/{id}", look.legal),
    Route("/page", look.page),
    Route("/declarations", write.declarations, methods=["POST"]),
    Route("/choices", write.choices, methods=["POST"]),
    Route("/rulings", write.rulings, methods=["POST"]),
    Route("/disputes", write.disputes, methods=["POST"]),
    Route("/undo", write.undo, methods=["POST"]),
    Route("/redo", write.redo, methods=["POST"]),
    Route("/forks", write.forks, methods=["POST"]),
    Route("/promotions", write.promotions, methods=["POST"]),
    Route("/invitations", write.invitations, methods=["GET", "POST"]),
    Route("/invitations/withdraw", write.withdrawals, methods=["POST"]),
    Route("/hidden", write.hidings, methods=["POST"]),
)


def serving(log: Path, access: Access, address: str, *, asks_everybody: bool = False) -> Starlette:
    """Return the application that serves a log, which is opened as it starts up.

    `address` is what links begin with. Combatants that a player has are asked what they choose; with
    `asks_everybody` so are all others.
    """

    def asked() -> Collection[str]:
        return {id for guest in access.guests for id in guest.combatants}

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        desks = [Desk(log, name, readonly=name == "feed") for name in ("feed", "desk", "ledger")]
        own, desk, writing = desks
        feed = Feed(own, desk, access)
        try:
            await feed.start()
        except AffrayError as error:
            app.state.fault = str(error)
            raise
        app.state.house = House(access, feed, Ledger(writing, Asking(asked, asks_everybody)), desk, address)
        running = asyncio.create_task(feed.run())
        try:
            yield
        finally:
            feed.stop()
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            for one in desks:
                await one.close()

    return Starlette(routes=list(ROUTES), lifespan=life, exception_handlers=HANDLERS)
