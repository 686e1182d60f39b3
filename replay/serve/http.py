"""HTTP: which requests are let in, how much is taken of whom, and what an error looks like."""

import asyncio
import time
import traceback
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from math import ceil
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from affray.events import logging
from affray.events.errors import AffrayError, clear_line
from affray.events.facts.base import JsonObject

# --- What is answered when something is not done: one shape for all of it, and no word of the inside
#
#     {"error": {"code": "wrong_role", "message": "only the game master may", "rule": ""}}
#
# With 409 the position now stands beside it, `"position": "main:0:52"`, as in every other answer. What a
# rule refuses is no error: that is a fact of the fight, and answered as one.

STATUSES = {
    "bad_request": 400,
    "no_token": 401,
    "unknown_token": 401,
    "wrong_role": 403,
    "wrong_origin": 403,
    "not_yours": 403,
    "hidden": 403,
    "not_found": 404,
    "wrong_method": 405,
    "too_slow": 408,
    "stale_position": 409,
    "request_reused": 409,
    "waiting": 409,
    "not_waiting": 409,
    "too_large": 413,
    "not_json": 415,
    "wrong_host": 421,
    "too_many": 429,
    "internal": 500,
    "too_many_feeds": 503,
}
"""The status that each code is answered with."""

OF_STATUS = {404: "not_found", 405: "wrong_method"}
"""What Starlette itself refuses, by status; anything else that it refuses is a bad request."""


class Problem(Exception):
    """Why a request is not done: a code, which says the status, and one clear line.

    `rule` is the id of a rule that it is about, `position` the one now (with 409), `retry_after` the seconds
    after which it may be tried again. Routes raise it; it becomes the answer.
    """

    def __init__(
        self, code: str, message: str, *, rule: str = "", position: str = "", retry_after: int = 0
    ) -> None:
        self.code, self.status = code, STATUSES[code]
        self.message = clear_line(message)
        self.rule, self.position, self.retry_after = rule, position, retry_after
        super().__init__(self.message)

    def response(self) -> Response:
        """Return the answer that tells it."""
        told: JsonObject = {"error": {"code": self.code, "message": self.message, "rule": self.rule}}
        if self.position:
            told["position"] = self.position
        headers = {"retry-after": str(self.retry_after)} if self.retry_after else {}
        if self.status == HTTPStatus.UNAUTHORIZED:
            headers["www-authenticate"] = "Bearer"
        return JSONResponse(told, self.status, headers)


INTERNAL = "something went wrong inside the server; its log has more"


def failed(error: BaseException, place: str) -> Problem:
    """Note what went wrong inside, with where, in the operational log, and return what a client is told."""
    steps = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{step.filename}:{step.lineno} {step.name}" for step in reversed(steps))
    logging.warning("serve.failed", place=place, error=f"{type(error).__name__}: {error}", where=where)
    return Problem("internal", INTERNAL)


async def respond_with_problem(request: Request, error: Exception) -> Response:
    """Answer what was raised while a request was served, whatever it is.

    What went wrong inside goes on to the guard, which notes it: Starlette raises it again.
    """
    if isinstance(error, Problem):
        return error.response()
    if isinstance(error, HTTPException):
        problem = Problem(OF_STATUS.get(error.status_code, "bad_request"), error.detail)
        answer = problem.response()
        answer.headers.update(error.headers or {})
        return answer
    if isinstance(error, ClientDisconnect):
        return Problem("bad_request", "the request ended before its body").response()
    return Problem("internal", INTERNAL).response()


HANDLERS = dict.fromkeys((Problem, HTTPException, ClientDisconnect, Exception), respond_with_problem)
"""For `Starlette(exception_handlers=HANDLERS)`: nothing else then decides what an error looks like."""


# --- What each code of an error means, for whoever writes a client. A test holds that none is missing

MEANINGS: Final = {
    "bad_request": "Something in the request does not fit; `message` names it.",
    "no_token": "There is no header `Authorization: Bearer TOKEN`.",
    "unknown_token": "Nobody has that token, or no longer.",
    "wrong_role": "That is for others: see who may.",
    "wrong_origin": "A page of another server sent it.",
    "not_yours": "That combatant is another one's.",
    "hidden": "Numbers of others are in it, or it depends on who is hidden.",
    "not_found": "There is nothing of that name.",
    "wrong_method": "The path has no such method; `Allow` names those that it has.",
    "too_slow": "The body did not come in time.",
    "stale_position": "The fight has gone on since `expected`: it is at `position`. Look, and decide anew.",
    "request_reused": "The id was that of another request.",
    "waiting": "The fight waits for an answer first.",
    "not_waiting": "The fight waits for no answer.",
    "too_large": "The body is longer than 64 KiB.",
    "not_json": "The body is not announced as `application/json`.",
    "wrong_host": "The server is not called by the name in `Host`.",
    "too_many": "Too many requests; `Retry-After` says after how many seconds to come again.",
    "internal": "The server failed; its log says at what.",
    "too_many_feeds": "Too many listen, or are connected; `Retry-After` says when to come again.",
}


# --- Whose requests are let in: those that name this server, and come from its own pages or from no page at
# all
#
# Or from pages of those other servers that it was told of: a virtual tabletop that follows the fight.
#
# A page of somebody else can make a browser send requests to a server of this machine. It cannot choose the
# headers that say so: `Host` names the server that was meant, `Origin` and `Sec-Fetch-Site` whose page asks.

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
USUAL_PORTS = {"http": 80, "https": 443}
"""The ports that an address leaves out."""

OPENED_BY_LINK = frozenset({"/", "/overlay", "/rulebook"})
"""Pages to which anybody's page may link: they hold nothing, and what they fetch needs a token."""

OWN_PAGES = frozenset({b"same-origin", b"none"})
"""What browsers say of a request of the server's own page, and of one that a person has typed."""

ADDRESS = "affray.address"
"""Where a request's scope has the origin of the pages of the server that it names."""

Headers = Sequence[tuple[bytes, bytes]]
"""Headers as ASGI has them: names in small letters, in the order in which they came."""


def allowed_hosts(port: int, more: Iterable[str] = ()) -> dict[str, str]:
    """Return what may stand in the `Host` of a request, each with the origin of the server's pages there.

    The loopback's names at that port, and more (see `own_origin`). In small letters, as `refuse_stranger`
    compares them; with and without a usual port. Raises AffrayError.
    """
    found: dict[str, str] = {}
    for name in (*LOOPBACK, *more):
        origin = own_origin(name, port)
        scheme, _, host = origin.partition("://")
        found.setdefault(host, origin)
        if ":" not in host.rpartition("]")[2]:
            found.setdefault(f"{host}:{USUAL_PORTS[scheme]}", origin)
    return found


def own_origin(name: str, port: int) -> str:
    """Return the origin of the pages of a server at `port` that others call by a name.

    A name without a port gets the server's; with port 443, or as a whole address (`https://table.example`),
    it is that of something with HTTPS that passes requests on. Raises AffrayError.
    """
    said = name.strip().lower()
    if "://" not in said:
        host = bracketed(said)
        _, colon, own_port = host.rpartition("]")[2].rpartition(":")
        scheme = "https" if own_port == str(USUAL_PORTS["https"]) else "http"
        said = f"{scheme}://{host}" + ("" if colon else f":{port}")
    origin = _origin(said)
    if not origin:
        raise AffrayError(
            f"{name!r} is no name of a server: write it as table.local, table.local:8417 or https://table.example"
        )
    return origin


def bracketed(host: str) -> str:
    """Return a host as it stands in an address: an IPv6 address in brackets, whose colons begin no port."""
    return f"[{host}]" if host.count(":") > 1 and not host.startswith("[") else host


def values_of(headers: Headers, name: bytes) -> list[bytes]:
    """Return the values of a header, one for each time that it was sent."""
    return [value for found, value in headers if found == name]


def bearer_of(headers: Headers) -> str:
    """Return the token that a request carries, "" for none, or for more than one."""
    given = values_of(headers, b"authorization")
    kind, _, token = given[0].decode("latin-1").partition(" ") if len(given) == 1 else ("", "", "")
    return token.strip() if kind.lower() == "bearer" else ""


def parse_allowed_origins(given: Iterable[str]) -> frozenset[str]:
    """Return the origins of pages of other servers that may ask, as browsers write them.

    Raises AffrayError for what is no origin: http or https, a host and at most a port.
    """
    found = set()
    for one in given:
        origin = _origin(one.strip().lower().removesuffix("/"))
        if not origin:
            raise AffrayError(f"{one!r} is no origin of a page: write it as http://localhost:30000")
        found.add(origin)
    return frozenset(found)


def _origin(text: str) -> str:
    """Return an origin as browsers write it, without a usual port; "" for what is none."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return ""
    whole = text == f"{parts.scheme}://{parts.netloc}" and "@" not in text
    if parts.scheme not in USUAL_PORTS or not parts.hostname or not whole:
        return ""
    host = bracketed(parts.hostname)
    return f"{parts.scheme}://{host}" + ("" if port in (None, USUAL_PORTS[parts.scheme]) else f":{port}")


def guest_origin(origins: frozenset[str], headers: Headers) -> str:
    """Return whose page sends a request, where that is another server's page that may, else ""."""
    named = values_of(headers, b"origin")
    origin = _text(named[0]) if len(named) == 1 else ""
    return origin if origin in origins else ""


def refuse_stranger(
    hosts: Mapping[str, str], method: str, path: str, headers: Headers, origins: frozenset[str] = frozenset()
) -> str:
    """Return the origin of this server's pages, by the name that a request calls it.

    Raises Problem for a request that names another server (see `allowed_hosts`), or that a page of another
    origin has sent. Pages of `origins` (see `parse_allowed_origins`) may send requests too. So may the server's own
    by any of its names, as what passes a request on may have put another one into `Host`.
    """
    named = values_of(headers, b"host")
    own = hosts.get(_text(named[0])) if len(named) == 1 else None
    if own is None:
        raise Problem("wrong_host", "this server is not called by that name; see affray serve --allow-host")
    if guest_origin(origins, headers):
        return own
    named = values_of(headers, b"origin")
    if len(named) > 1 or any(_text(one) not in hosts.values() for one in named):
        raise Problem("wrong_origin", "requests from pages of other servers are not taken")
    sites = values_of(headers, b"sec-fetch-site")
    linked = method in ("GET", "HEAD") and path in OPENED_BY_LINK
    if not linked and (len(sites) > 1 or any(one.strip().lower() not in OWN_PAGES for one in sites)):
        raise Problem("wrong_origin", "requests from pages of other servers are not taken")
    return own


def _text(value: bytes) -> str:
    return value.decode("latin-1").strip(" \t").lower()


# --- How much is taken from whom: requests by the second, feeds at a time. What is remembered is bounded

MOST_REMEMBERED = 4096
"""So many who have asked lately are told apart; all beyond that count as one."""

THE_REST = "the rest"

FEED_AGAIN = 5
"""Seconds after which a feed may be tried again."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second for long, and so many at once after a pause."""

    a_second: float
    at_once: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server takes: bytes and seconds of a body, requests, and feeds in all and of one guest."""

    body_bytes: int = 64 * 1024
    body_seconds: float = 10.0
    posts: Rate = Rate(20, 60)
    gets: Rate = Rate(100, 300)
    feeds: int = 500
    feeds_of_one: int = 300


def address_of(client: tuple[str, int] | None) -> str:
    """Return by what a client without a known token is told from others.

    The address; of IPv6 the network, as one who has an address there has them all.
    """
    try:
        address = ip_address(client[0].partition("%")[0]) if client else None
    except ValueError:
        return str(client and client[0])
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return address.exploded[:19]
    return str(address)


def parse_allowed_proxies(given: Iterable[str]) -> frozenset[str]:
    """Return the addresses of proxies as connections have them. Raises AffrayError for what is no address."""
    try:
        return frozenset(str(ip_address(one.strip())) for one in given)
    except ValueError as error:
        raise AffrayError(f"a proxy is named by its IP address: {error}") from None


def client_of(
    client: tuple[str, int] | None, forwarded: Sequence[bytes], proxies: frozenset[str]
) -> tuple[str, int] | None:
    """Return who asks: the client, or for whom it passes the request on if it is one of the proxies.

    Each of them adds an address at the end of `X-Forwarded-For` (`forwarded`), so the last that is no proxy's
    is the one that no client can make up.
    """
    if client is None or client[0] not in proxies:
        return client
    for said in reversed(b",".join(forwarded).decode("latin-1").split(",")):
        try:
            address = str(ip_address(said.strip()))
        except ValueError:
            break
        if address not in proxies:
            return address, 0
    return client


class Buckets:
    """A bucket for each who asks, that fills at a rate; who finds it empty has to wait.

    One that has had time to fill is the same as none, and forgotten. Never more than `MOST_REMEMBERED` are
    kept: while all of these are in use, whoever is new draws from one bucket together.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with every bucket full."""
        self.rate, self._clock = rate, clock
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        """Return how many buckets are kept."""
        return len(self._full_at)

    def draw(self, who: str) -> None:
        """Take one from the bucket of `who`. Raises Problem if it is empty. O(1) over many calls."""
        now = self._clock()
        key = who if who in self._full_at or self._has_room(now) else THE_REST
        full_at = max(self._full_at.get(key, now), now) + 1 / self.rate.a_second
        wait = full_at - now - self.rate.at_once / self.rate.a_second
        if wait > 1e-9:
            raise Problem("too_many", "too many requests; wait a moment", retry_after=ceil(wait))
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)

    def _has_room(self, now: float) -> bool:
        """Forget whose buckets are full again, and say whether another one fits."""
        while self._full_at:
            oldest, full_at = next(iter(self._full_at.items()))
            if full_at > now:
                break
            del self._full_at[oldest]
        return len(self._full_at) < MOST_REMEMBERED - 1


@dataclass(slots=True)
class Feeds:
    """The feeds that are open, in all and of each guest."""

    limits: Limits
    _of: Counter[str] = field(default_factory=Counter)

    def __len__(self) -> int:
        """Return how many are open."""
        return self._of.total()

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """Count a feed of `who` as open inside the block. Raises Problem if there are too many."""
        if len(self) >= self.limits.feeds:
            raise Problem("too_many_feeds", "too many listen already", retry_after=FEED_AGAIN)
        if self._of[who] >= self.limits.feeds_of_one:
            raise Problem("too_many_feeds", "too many listen with this link already", retry_after=FEED_AGAIN)
        self._of[who] += 1
        try:
            yield
        finally:
            self._of[who] -= 1
            if not self._of[who]:
                del self._of[who]


# --- The body of a request: JSON, not too much of it, and in time

BODIES = frozenset({"POST"})
"""The methods of requests that have a body."""

LINGER_SECONDS, LINGER_BYTES = 1.0, 4 * 1024 * 1024
"""What is let go by, at most, of a body that is not wanted."""


def has_body(headers: Headers) -> bool:
    """Say whether a request with these headers has a body that is not empty."""
    length = values_of(headers, b"content-length")
    return any(one.strip(b" \t0") for one in length) or bool(values_of(headers, b"transfer-encoding"))


def refuse_body(limits: Limits, method: str, headers: Headers) -> None:
    """Raise Problem for a request whose headers announce a body that is not taken."""
    lengths = values_of(headers, b"content-length")
    if len(lengths) > 1 or any(not one.isdigit() for one in lengths):
        raise Problem("bad_request", "the length of the body is one number")
    if lengths and values_of(headers, b"transfer-encoding"):
        raise Problem("bad_request", "a body has a length or comes in chunks, not both")
    if lengths and (len(lengths[0]) > 19 or int(lengths[0]) > limits.body_bytes):
        raise _is_body_too_large(limits)
    if method in BODIES:
        kinds = values_of(headers, b"content-type")
        if len(kinds) != 1 or kinds[0].partition(b";")[0].strip().lower() != b"application/json":
            raise Problem("not_json", "the body is JSON: content-type: application/json")
    elif has_body(headers):
        raise Problem("bad_request", f"a body is sent with {' and '.join(sorted(BODIES))} only")


class Body:
    """The body of one request, as the application receives it: counted, and against the clock.

    The clock starts with the first question for a part of it. `ended` says whether all of it was received.
    """

    def __init__(self, limits: Limits, receive: Receive, *, ended: bool) -> None:
        """Receive from `receive`; a request without a body has `ended` from the beginning."""
        self.limits, self._receive, self.ended = limits, receive, ended
        self._bytes, self._until = 0, 0.0

    async def receive(self) -> Message:
        """Return the next message. Raises Problem for a body that is too long, or not there in time."""
        if self.ended:
            return await self._receive()
        loop = asyncio.get_running_loop()
        self._until = self._until or loop.time() + self.limits.body_seconds
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise Problem("too_slow", "the body of the request did not come in time") from None
        self._bytes += len(message.get("body", b""))
        if self._bytes > self.limits.body_bytes:
            raise _is_body_too_large(self.limits)
        self.ended = not message.get("more_body", False)
        return message

    async def linger(self) -> None:
        """Let go by what still comes of a body that nobody wants, for a moment; the answer is sent already.

        A connection that is closed on bytes that nobody has read is reset, and many a client then never reads
        the answer. So is one that goes on sending for longer.
        """
        left = LINGER_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                while left > 0 and not self.ended:
                    message = await self._receive()
                    left -= len(message.get("body", b""))
                    self.ended = not message.get("more_body", False)


def _is_body_too_large(limits: Limits) -> Problem:
    return Problem("too_large", f"a request has at most {limits.body_bytes:,} bytes")


# --- What every answer says besides: to be kept by nobody, framed by nobody, and to be what it says it is

NOT_FRAMED = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"
NO_PAGE = f"default-src 'none'; {NOT_FRAMED}"
PAGE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    f"{NOT_FRAMED}"
)
"""For a page that does not say itself what it may do."""

ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
}


ASKED = "authorization, content-type, last-event-id"
"""What pages of other servers may send besides, and below how they may ask, and read what is answered."""

SHARED = "GET, HEAD, POST"
READ = "retry-after"
HELD_SECONDS = "600"


def add_sharing_headers(headers: MutableHeaders, origin: str) -> None:
    """Add that a page of an origin may read the answer."""
    headers["access-control-allow-origin"] = origin
    headers["access-control-expose-headers"] = READ
    headers.add_vary_header("origin")


def add_preflight_headers(headers: MutableHeaders, *, private: bool) -> None:
    """Add what a browser asks before a page of another server may send a request.

    `private` says that it asked whether pages from outside may reach into this network.
    """
    headers["access-control-allow-methods"] = SHARED
    headers["access-control-allow-headers"] = ASKED
    headers["access-control-max-age"] = HELD_SECONDS
    if private:
        headers["access-control-allow-private-network"] = "true"


def add_guard_headers(headers: MutableHeaders, *, private: bool, last: bool) -> None:
    """Add what every answer says: a `private` one is stored nowhere, after the `last` one the line is closed.

    A page may be stricter: of several content security policies a browser obeys each.
    """
    for name, value in ALWAYS.items():
        headers[name] = value
    if not headers.get("content-type", "").startswith("text/html"):
        headers["content-security-policy"] = NO_PAGE
    elif "content-security-policy" in headers:
        headers.append("content-security-policy", NOT_FRAMED)
    else:
        headers["content-security-policy"] = PAGE
    if private or "cache-control" not in headers:
        headers["cache-control"] = "no-store"
    if last:
        headers["connection"] = "close"


# --- The guard before the routes: what comes from elsewhere, too often, too large or too slowly is turned
# away
#
# By its headers alone, as far as they tell: the answer is sent before a byte of the body is asked for, and
# the connection is closed behind it. Knows nothing of fights.

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
    ask too (see `parse_allowed_origins`); their browsers are told so. `proxies` are the addresses of those who say
    for whom they pass a request on (see `parse_allowed_proxies`). The application finds in the scope, under
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
                add_guard_headers(told, private=private, last=not body.ended)
                if origin:
                    add_sharing_headers(told, origin)
                await send(message)
                return
            message = await _send_all_but_last(message, send)
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


async def _send_all_but_last(message: Message, send: Send) -> Message:
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
    add_preflight_headers(answer.headers, private=private)
    return answer
