"""The guard before the routes: what comes from elsewhere, too often, too large or too slowly is turned away.

By its headers alone, as far as they tell: the answer is sent before a byte of the body is asked for, and the
connection is closed behind it. Knows nothing of fights.
"""

from collections.abc import Callable, Mapping
from contextlib import nullcontext

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from affray.replay.serve.answer_headers import guard_headers, preflight_headers, share_headers
from affray.replay.serve.bodies import BODIES, Body, has_body, refuse_body
from affray.replay.serve.errors import Problem, failed
from affray.replay.serve.hosts import ADDRESS, Headers, bearer_of, guest_origin, refuse_stranger, values_of
from affray.replay.serve.limits import Buckets, Feeds, Limits, address_of, client_of

MOST_HEADERS = 64
PREFLIGHT = b"access-control-request-method"
"""The header with which a browser asks whether a page of another server may send a request."""

SINGLE = (b"authorization", b"last-event-id")
"""Headers that say who asks, and from where on: of two, each reader could take another one."""

VERSIONS = ("1.0", "1.1")
"""The versions of HTTP that are answered."""

FEEDS = frozenset({"/feed"})
"""The paths of answers that do not end."""

PIECE_BYTES = 64 * 1024
"""So many bytes of an answer are given to a connection at a time."""

MOST_LINGERING = 32
"""So many connections at once are not closed on what their clients still send."""

POLICY_VIOLATION = 1008
"""The code with which a web socket is closed."""


class Guard:
    """An ASGI application around another one, which it guards; it is the outermost.

    `hosts` are the names that the server is called by (see `allowed_hosts`), `knows` says whether somebody
    holds a token: others are counted by their address. `origins` are those of other servers' pages that may
    ask too (see `allowed_origins`); their browsers are told so. `proxies` are the addresses of those who say
    for whom they pass a request on (see `allowed_proxies`). The application finds in the scope, under
    `ADDRESS`, the origin of the pages at the name that the server was called by.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Mapping[str, str],
        knows: Callable[[str], bool],
        limits: Limits | None = None,
        *,
        origins: frozenset[str] = frozenset(),
        proxies: frozenset[str] = frozenset(),
    ) -> None:
        """Guard an application."""
        self.app, self.hosts, self.knows, self.origins, self.proxies = app, hosts, knows, origins, proxies
        self.limits = limits or Limits()
        self.posts, self.gets = Buckets(self.limits.posts), Buckets(self.limits.gets)
        self.feeds, self._lingering = Feeds(self.limits), 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let the application answer it; whatever goes wrong becomes an answer too."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers: Headers = scope["headers"]
        body = Body(self.limits, receive, ended=not has_body(headers))
        private = bool(values_of(headers, b"authorization"))
        origin = guest_origin(self.origins, headers)
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                told = MutableHeaders(scope=message)
                guard_headers(told, private=private, last=not body.ended)
                if origin:
                    share_headers(told, origin)
                await send(message)
                return
            message = await _all_but_the_last(message, send)
            if not body.ended and not message.get("more_body", False):
                await send({**message, "more_body": True})
                await self._linger(body)
                message = {"type": "http.response.body", "body": b""}
            await send(message)

        try:
            who = self._let_in(scope)
            if origin and scope["method"] == "OPTIONS" and values_of(headers, PREFLIGHT):
                await _preflight(headers)(scope, body.receive, sending)
                return
            with self.feeds.one(who) if scope["path"] in FEEDS else nullcontext():
                await self.app(scope, body.receive, sending)
            return
        except Problem as raised:
            problem = raised
        except Exception as error:
            problem = failed(error, f"{scope['method']} {scope['path']}")
        if not begun:
            await problem.response()(scope, receive, sending)

    async def _linger(self, body: Body) -> None:
        if self._lingering < MOST_LINGERING:
            self._lingering += 1
            try:
                await body.linger()
            finally:
                self._lingering -= 1

    def _let_in(self, scope: Scope) -> str:
        """Return who asks. Raises Problem for a request that is turned away by its headers."""
        headers, method, path = scope["headers"], scope["method"], scope["path"]
        if len(headers) > MOST_HEADERS:
            raise Problem("bad_request", f"a request has at most {MOST_HEADERS} headers")
        if not path.startswith("/") or scope["http_version"] not in VERSIONS:
            raise Problem("bad_request", "a request has a path that begins with /, in HTTP/1.1")
        scope[ADDRESS] = refuse_stranger(self.hosts, method, path, headers, self.origins)
        for name in SINGLE:
            if len(values_of(headers, name)) > 1:
                raise Problem("bad_request", f"a request has one header {name.decode()} at most")
        token = bearer_of(headers)
        client = client_of(scope["client"], values_of(headers, b"x-forwarded-for"), self.proxies)
        who = f"token {token}" if token and self.knows(token) else f"address {address_of(client)}"
        (self.posts if method in BODIES else self.gets).draw(who)
        refuse_body(self.limits, method, headers)
        return who


async def _all_but_the_last(message: Message, send: Send) -> Message:
    """Send a body but for its last piece, which is returned.

    The server waits for its client between pieces: it has one copy of a long answer that many do not read.
    """
    whole: bytes = message.get("body", b"")
    last = max(0, len(whole) - 1) // PIECE_BYTES * PIECE_BYTES
    for at in range(0, last, PIECE_BYTES):
        await send({**message, "body": whole[at : at + PIECE_BYTES], "more_body": True})
    return {**message, "body": whole[last:]} if last else message


def _preflight(headers: Headers) -> Response:
    answer = Response(status_code=204)
    private = bool(values_of(headers, b"access-control-request-private-network"))
    preflight_headers(answer.headers, private=private)
    return answer
