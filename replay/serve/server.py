"""The server: one fight, for the game master, players and onlookers, and its feed for programs."""

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
"""The threads that work with the log, and how many requests of each guest may wait for each."""

MOST_COMMANDS = 60
"""Most commands of one guest that may wait."""


def serving(
    log: Path,
    access: Access,
    address: str,
    *,
    asks_everybody: bool = False,
    picture: Underlay = NO_PICTURE,
) -> Starlette:
    """Return the application that serves a log; the log is opened at startup.

    `address` is the beginning of links. Combatants with players are asked for their choices; with
    `asks_everybody` so are all others. Readers see the whole `picture` under the map.
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


# --- Connections before a request and after its answer: each is held only as long as it is used
#
# uvicorn reads HTTP and passes requests on. This part closes connections that uvicorn leaves open: an
# unfinished head, an unread answer, too many connections. Input that is not HTTP gets an error of the usual
# form. If the limit of connections is reached, the one that has waited longest for its client is closed for
# the next.

HEAD_SECONDS = 10.0
"""Seconds for the head of a request to arrive."""

UNREAD_SECONDS = 20.0
"""Seconds that an answer may wait for a client that does not read or is gone."""

SEND_BYTES = 128 * 1024
"""Approximate bytes that the system buffers for a slow reader; its default would be megabytes."""

MOST_CONNECTIONS = 900
"""Most connections in total, below the usual limit of open files of a process."""

HEAD_BYTES = 32 * 1024
"""Longest head of a request, in bytes."""

CLOSING_SECONDS = 5
"""Seconds for open streams to end when the server ends."""


class GuardedProtocol(H11Protocol):
    """A connection that is closed if its head is late, if its answer stays unread, or to make room for
    others.
    """

    _late: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _since = 0.0
    """When it last began to wait for its client: for a head, or until an answer is read."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Await the head of a request, or refuse the connection."""
        super().connection_made(transport)
        self._since = self.loop.time()
        prepare(transport.get_extra_info("socket"))
        # Bytes that the system does not accept at once are watched, also after a complete answer.
        transport.set_write_buffer_limits(0)
        if len(self.connections) > MOST_CONNECTIONS and not self._make_room():
            transport.write(
                _written(Problem("too_many_feeds", "too many connections are open", retry_after=5))
            )
            transport.close()
        else:
            self._await_head()

    def _make_room(self) -> bool:
        """Close the connection that has waited longest for its client; return whether any was waiting."""
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
        """Stop all timers."""
        super().connection_lost(exc)
        self._stop_waiting()
        self.resume_writing()

    def data_received(self, data: bytes) -> None:
        """Continue reading; a head that has begun must end in time."""
        if self._between_requests():
            self._await_head()
        super().data_received(data)
        if not self._between_requests():
            self._stop_waiting()

    def pause_writing(self) -> None:
        """Wait until the buffer is written; close the connection if it stays unread."""
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
        """Continue writing."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def send_400_response(self, msg: str) -> None:
        """Answer input that is not a request, and close the connection."""
        problem = Problem(
            "bad_request", f"not an HTTP/1.1 request, or its head is longer than {HEAD_BYTES:,} bytes"
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
    """Make the system send at once, buffer little for slow readers, and drop dead connections."""
    if line is None or line.family not in (socket.AF_INET, socket.AF_INET6):
        return
    # asyncio does this itself, but not for connections to a given socket: there the body of an answer waits
    # until the client has confirmed its head, 40 ms on many systems.
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(UNREAD_SECONDS * 1000))


def _written(problem: Problem) -> bytes:
    """Return an answer as bytes, for a connection that is closed after it."""
    response = problem.response()
    status = HTTPStatus(response.status_code)
    rows = [f"HTTP/1.1 {status.value} {status.phrase}".encode()]
    rows += [name + b": " + value for name, value in response.raw_headers]
    return b"\r\n".join([*rows, b"cache-control: no-store", b"connection: close", b"", response.body])


def make_server_config(app: ASGIApp, host: str, port: int) -> uvicorn.Config:
    """Return the settings of uvicorn for a protected application.

    uvicorn ignores what a client says about others (`X-Forwarded-For`), see `client_of`; the only log is
    Affray's.
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


# --- A running server: its socket, its guests and their links, uvicorn around the application

ANYWHERE = ("0.0.0.0", "::")
"""Addresses that mean all of this machine's: a link cannot contain them."""

SWITCH_SECONDS = 0.001
"""Longest time that slow rules delay the feed at once, about as often as it sends."""


class Link(Struct, frozen=True):
    """The link that a guest is given."""

    guest: Guest
    address: str

    @property
    def called(self) -> str:
        """The owner of the link, in words."""
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
    """One log to serve. `access` are its guests."""

    def __init__(
        self,
        log: Path,
        host: str,
        port: int,
        names: Sequence[str] = (),
        origins: Iterable[str] = (),
        proxies: Iterable[str] = (),
    ) -> None:
        """Load the guests of a log and the origins of other servers' pages that may send requests.

        `names` are the names of the server for others (see `own_origin`), `proxies` the addresses of proxies
        in front of it. Raises AffrayError if the guests' file cannot be read, and for an invalid origin, name
        or address.
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
        """Listen while the block runs; it gets the links. Raises AffrayError if that fails."""
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
        """Return the links of all guests, with the port on which this listens or will listen."""
        self.address = page_address(self._called(), self.port)
        return [Link(one, link_of(one, self.address)) for one in self.access.guests]

    def run(self, app: Starlette) -> None:
        """Run an application until it is stopped. Raises AffrayError if it cannot start."""
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
            raise AffrayError(f"{self.log}: cannot serve it: {app.state.fault}")

    def _called(self) -> str:
        """Return the name of this server for others: the first given, else the address it listens at."""
        if self.names:
            return self.names[0]
        return socket.gethostname() if self.host in ANYWHERE else self.host

    def _of_role(self, role: str) -> Iterable[Guest]:
        return (one for one in self.access.guests if one.role == role)
