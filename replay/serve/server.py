"""The server: one fight, for game master, players and onlookers, and a feed of it for machines."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar

import h11
import uvicorn
from msgspec import Struct
from starlette.applications import Starlette
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from affray.events.errors import AffrayError
from affray.events.facts.base import JsonObject
from affray.replay.serve.access import Access, Guest, draw_qr_text, link_of, load_guests, page_address
from affray.replay.serve.commands import Asking, Holding, Ledger
from affray.replay.serve.feed import Feed
from affray.replay.serve.handlers import PAGES
from affray.replay.serve.http import (
    HANDLERS,
    Guard,
    Limits,
    Problem,
    allowed_hosts,
    parse_allowed_origins,
    parse_allowed_proxies,
)
from affray.replay.serve.long_looks import LookupProcesses
from affray.replay.serve.routes import make_starlette_routes
from affray.replay.serve.server_context import ServerContext
from affray.replay.serve.workers import MOST_WAITING, Desk, RulebookWorker, Turns, WinChances
from affray.replay.viewer.map_picture import NO_PICTURE, Underlay

T = TypeVar("T")

DESKS = {"feed": 1, "late": Limits().feeds_of_one, "desk": MOST_WAITING, "rules": MOST_WAITING, "ledger": 1}
"""Who works with the log, each in a thread of its own; and how much may wait there of each guest."""

MOST_COMMANDS = 60
"""So many commands of one guest may wait."""


def serving(
    log: Path,
    access: Access,
    address: str,
    *,
    asks_everybody: bool = False,
    picture: Underlay = NO_PICTURE,
) -> Starlette:
    """Return the application that serves a log, which is opened as it starts up.

    `address` is what links begin with.
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
        ledger = Ledger(writing, Asking(asked, asks_everybody))
        swing, weaving, long = WinChances(log), RulebookWorker(), LookupProcesses(log)
        app.state.house = ServerContext(
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

    return Starlette(routes=[*PAGES, *make_starlette_routes()], lifespan=life, exception_handlers=HANDLERS)


# --- Connections before there is a request, and after its answer: nobody holds one for longer than it is
# used
#
# uvicorn reads HTTP and hands requests on. What it leaves open is closed here: a head that does not come to
# its end, an answer that nobody reads, more connections than there are to be. What is no HTTP is told so in
# the shape of all other errors. When there are as many connections as there may be, the one that has waited
# for its client the longest makes room for the next.

HEAD_SECONDS = 10.0
"""So long the head of a request may take to come."""

UNREAD_SECONDS = 20.0
"""So long an answer may wait for a client that does not read, or that is not there any more."""

SEND_BYTES = 128 * 1024
"""So much the system keeps for a client that reads slowly, about; by itself it would be megabytes."""

MOST_CONNECTIONS = 900
"""In all, below what a process may usually open."""

HEAD_BYTES = 32 * 1024
"""The longest head of a request."""

CLOSING_SECONDS = 5
"""So long those who are served have, when the server ends, to come to an end themselves."""


class GuardedProtocol(H11Protocol):
    """A connection: closed if its head is late or its answer stays unread, and to make room for others."""

    _late: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _since = 0.0
    """When it last began to wait for its client: for a head, or until an answer is read."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Await the head of a request, or refuse the connection."""
        super().connection_made(transport)
        self._since = self.loop.time()
        prepare(transport.get_extra_info("socket"))
        # Whatever the system does not take at once is watched, also behind an answer that is complete.
        transport.set_write_buffer_limits(0)
        if len(self.connections) > MOST_CONNECTIONS and not self._make_room():
            transport.write(_written(Problem("too_many_feeds", "too many are connected", retry_after=5)))
            transport.close()
        else:
            self._await_head()

    def _make_room(self) -> bool:
        """Cut the connection that has waited for its client the longest; say whether any waits."""
        others = [one for one in self.connections if isinstance(one, GuardedProtocol) and one is not self]
        longest = min((one for one in others if one._waits()), key=lambda one: one._since, default=None)
        if longest is None:
            return False
        longest.transport.abort()
        self.connections.discard(longest)
        return True

    def _waits(self) -> bool:
        return self._unread is not None or self._between_requests()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all clocks."""
        super().connection_lost(exc)
        self._stop_waiting()
        self.resume_writing()

    def data_received(self, data: bytes) -> None:
        """Read on; a head that has begun has to end in time."""
        if self._between_requests():
            self._await_head()
        super().data_received(data)
        if not self._between_requests():
            self._stop_waiting()

    def pause_writing(self) -> None:
        """Wait until what is written is on its way; have the connection cut if it stays unread."""
        super().pause_writing()
        self._since = self.loop.time()
        self._watch_unread()

    def _watch_unread(self) -> None:
        size = self.transport.get_write_buffer_size()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self._cut_if_unread, size)

    def _cut_if_unread(self, before: int) -> None:
        if self.transport.get_write_buffer_size() < before:
            self._watch_unread()
        else:
            self.transport.abort()

    def resume_writing(self) -> None:
        """Write on."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, and close the connection."""
        problem = Problem(
            "bad_request", f"no HTTP/1.1 request, or its head is longer than {HEAD_BYTES:,} bytes"
        )
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(_written(problem))
        self.transport.close()

    def _between_requests(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _await_head(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def prepare(line: socket.socket | None) -> None:
    """Let the system send at once, keep little for those who do not read, and give up those who are gone."""
    if line is None or line.family not in (socket.AF_INET, socket.AF_INET6):
        return
    # asyncio does so by itself, but not for connections to a socket that it was given: the body of an answer
    # then waits until the client has confirmed its head, 40 ms with many systems.
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(UNREAD_SECONDS * 1000))


def _written(problem: Problem) -> bytes:
    """Return an answer as it goes over the line, for a connection that is closed behind it."""
    response = problem.response()
    status = HTTPStatus(response.status_code)
    rows = [f"HTTP/1.1 {status.value} {status.phrase}".encode()]
    rows += [name + b": " + value for name, value in response.raw_headers]
    return b"\r\n".join([*rows, b"cache-control: no-store", b"connection: close", b"", response.body])


def make_server_config(app: ASGIApp, host: str, port: int) -> uvicorn.Config:
    """Return the settings of uvicorn for an application that is guarded.

    uvicorn believes nothing that a client says about others (`X-Forwarded-For`), see `client_of`; no log but
    Affray's own.
    """
    return uvicorn.Config(
        app,
        host,
        port,
        http=GuardedProtocol,
        ws="none",
        loop="asyncio",
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        log_level="critical",
        h11_max_incomplete_event_size=HEAD_BYTES,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )


# --- A server while it runs: its socket, its guests and their links, uvicorn around the application

ANYWHERE = ("0.0.0.0", "::")
"""Addresses that mean all of this machine's: no link can name them."""

SWITCH_SECONDS = 0.001
"""So long rules that take long may keep the feed waiting at a time: as often as it sends to somebody."""


class Link(Struct, frozen=True):
    """What a guest is given."""

    guest: Guest
    address: str

    @property
    def called(self) -> str:
        """Whose link it is, in words."""
        guest = self.guest
        who = guest.name or ", ".join(guest.combatants)
        return f"{guest.role} {who}".strip()

    def code(self) -> str:
        """Return the link as a QR code for a terminal."""
        return draw_qr_text(self.address)

    def as_json(self) -> JsonObject:
        """Return it as plain data."""
        guest = self.guest
        return {"role": guest.role, "name": guest.name, "combatants": guest.combatants, "link": self.address}


class Serving:
    """One log that is to be served. `access` are its guests."""

    def __init__(
        self,
        log: Path,
        host: str,
        port: int,
        names: Sequence[str] = (),
        origins: Iterable[str] = (),
        proxies: Iterable[str] = (),
    ) -> None:
        """Know the guests of a log, and the origins of other servers' pages that may ask.

        `names` are what others call the server (see `own_origin`), `proxies` the addresses of what passes
        requests on. Raises AffrayError where the guests' file cannot be read, and for what is no origin,
        name or address.
        """
        self.log, self.host, self.port, self.names = log, host, port, tuple(names)
        self.origins, self.proxies = parse_allowed_origins(origins), parse_allowed_proxies(proxies)
        allowed_hosts(port, self.names)
        self.access = load_guests(log)
        self.address = ""
        self._socket: socket.socket | None = None

    def expect_player(self, combatants: tuple[str, ...]) -> None:
        """Invite the player of these combatants, unless there is one."""
        if all(set(one.combatants) != {*combatants} for one in self._of_role("player")):
            self.access.invite("player", combatants)

    def expect_onlooker(self) -> None:
        """Invite an onlooker, unless there is one."""
        if not list(self._of_role("onlooker")):
            self.access.invite("onlooker")

    @contextmanager
    def listening(self) -> Iterator[list[Link]]:
        """Listen while the block runs; it gets the links. Raises AffrayError where that cannot be."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        try:
            listening = socket.create_server((self.host, self.port), family=family, backlog=512)
        except OSError as error:
            reason = error.strerror or str(error)
            raise AffrayError(f"cannot listen at {self.host} port {self.port}: {reason}") from None
        with listening as self._socket:
            self.port = listening.getsockname()[1]
            yield self.links()

    def links(self) -> list[Link]:
        """Return the links of all guests, to the port where this listens or is to listen."""
        self.address = page_address(self._called(), self.port)
        return [Link(one, link_of(one, self.address)) for one in self.access.guests]

    def run(self, app: Starlette) -> None:
        """Let an application serve until somebody ends it. Raises AffrayError where it cannot begin."""
        named = [] if self.host in ANYWHERE else [self.host]
        hosts = allowed_hosts(self.port, (*named, *self.names))
        guarded = Guard(
            app,
            hosts,
            lambda token: self.access.guest_of(token) is not None,
            origins=self.origins,
            proxies=self.proxies,
        )
        server = uvicorn.Server(make_server_config(guarded, self.host, self.port))
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_SECONDS)
        try:
            server.run(sockets=[self._socket] if self._socket is not None else None)
        finally:
            sys.setswitchinterval(before)
        if not server.started:
            raise AffrayError(f"{self.log}: it cannot be served: {app.state.fault}")

    def _called(self) -> str:
        """Return by what name others find this server: the first given, else where it listens."""
        if self.names:
            return self.names[0]
        return socket.gethostname() if self.host in ANYWHERE else self.host

    def _of_role(self, role: str) -> Iterable[Guest]:
        return (one for one in self.access.guests if one.role == role)
