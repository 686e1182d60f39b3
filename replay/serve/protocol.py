"""Connections before there is a request, and after its answer: nobody holds one for longer than it is used.

uvicorn reads HTTP and hands requests on. What it leaves open is closed here: a head that does not come to its
end, an answer that nobody reads, more connections than there are to be. What is no HTTP is told so in the
shape of all other errors. When there are as many connections as there may be, the one that has waited for its
client the longest makes room for the next.
"""

import asyncio
import socket
from http import HTTPStatus

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from affray.replay.serve.errors import Problem

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


def server_config(app: ASGIApp, host: str, port: int) -> uvicorn.Config:
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
