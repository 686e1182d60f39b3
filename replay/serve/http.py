"""HTTP: which requests are accepted, the limits on them, and the form of errors."""

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

# --- Errors: one form for all of them, without internal details
#
#     {"error": {"code": "wrong_role", "message": "only the game master may", "rule": ""}}
#
# With 409 the current position is added, `"position": "main:0:52"`, as in every other answer. A refusal by
# the rules is not an error: it is a fact of the fight and is answered as one.

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
"""Code of an error -> HTTP status."""

OF_STATUS = {404: "not_found", 405: "wrong_method"}
"""Codes of the errors that Starlette raises, by status; all others are bad requests."""


class Problem(Exception):
    """Why a request fails: a code, which determines the status, and one clear line.

    `rule` is the id of the rule concerned, `position` the current one (with 409), `retry_after` the seconds
    after which to try again. Routes raise it; it becomes the answer.
    """

    def __init__(
        self, code: str, message: str, *, rule: str = "", position: str = "", retry_after: int = 0
    ) -> None:
        self.code, self.status = code, STATUSES[code]
        self.message = clear_line(message)
        self.rule, self.position, self.retry_after = rule, position, retry_after
        super().__init__(self.message)

    def response(self) -> Response:
        """Return the problem as an answer."""
        told: JsonObject = {"error": {"code": self.code, "message": self.message, "rule": self.rule}}
        if self.position:
            told["position"] = self.position
        headers = {"retry-after": str(self.retry_after)} if self.retry_after else {}
        if self.status == HTTPStatus.UNAUTHORIZED:
            headers["www-authenticate"] = "Bearer"
        return JSONResponse(told, self.status, headers)


INTERNAL = "internal error; the server's log has the details"


def failed(error: BaseException, place: str) -> Problem:
    """Log an internal error with its location, and return the problem for the client."""
    steps = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{step.filename}:{step.lineno} {step.name}" for step in reversed(steps))
    logging.warning("serve.failed", place=place, error=f"{type(error).__name__}: {error}", where=where)
    return Problem("internal", INTERNAL)


async def respond_with_problem(request: Request, error: Exception) -> Response:
    """Answer with any exception that a route raised.

    Internal errors also reach the guard, which logs them: Starlette raises them again.
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
"""For `Starlette(exception_handlers=HANDLERS)`: nothing else then decides the form of errors."""


# --- The meaning of each error code, for authors of clients. A test checks that none is missing

MEANINGS: Final = {
    "bad_request": "The request is malformed; `message` says where.",
    "no_token": "There is no header `Authorization: Bearer TOKEN`.",
    "unknown_token": "No guest has that token, or it was withdrawn.",
    "wrong_role": "The guest's role does not allow it: see who may.",
    "wrong_origin": "A page of another server sent the request.",
    "not_yours": "The combatant belongs to another player.",
    "hidden": "The answer contains numbers of other sides, or depends on hidden combatants.",
    "not_found": "No object has that name or number.",
    "wrong_method": "The path does not support the method; `Allow` lists those that it supports.",
    "too_slow": "The body did not arrive in time.",
    "stale_position": "The fight has moved from `expected` to `position`. Look, and decide again.",
    "request_reused": "The id was used for another request.",
    "waiting": "The fight waits for an answer to a question first.",
    "not_waiting": "No question is pending.",
    "too_large": "The body is longer than 64 KiB.",
    "not_json": "The body is not declared as `application/json`.",
    "wrong_host": "The server does not have the name in `Host`.",
    "too_many": "Too many requests; `Retry-After` says after how many seconds to try again.",
    "internal": "The server failed; its log has the details.",
    "too_many_feeds": "Too many feeds or connections; `Retry-After` says when to try again, in seconds.",
}


# --- Accepted requests: those that name this server, and come from its own pages or from no page
#
# Pages of other servers that were allowed at the start are accepted too: a virtual tabletop that follows the
# fight.
#
# A page of another server can make a browser send requests to a server of this machine. It cannot choose
# these headers: `Host` names the server that was meant, `Origin` and `Sec-Fetch-Site` the page that asks.

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
USUAL_PORTS = {"http": 80, "https": 443}
"""The ports that an address leaves out."""

OPENED_BY_LINK = frozenset({"/", "/overlay", "/rulebook"})
"""Pages that any page may link to: they contain no data of the fight, and need a token to fetch it."""

OWN_PAGES = frozenset({b"same-origin", b"none"})
"""The values that browsers send for requests of the server's own page and for addresses typed by a person."""

ADDRESS = "affray.address"
"""The key in a request's scope of the origin of the pages of the server that it names."""

Headers = Sequence[tuple[bytes, bytes]]
"""Headers as in ASGI: names in lower case, in the order received."""


def allowed_hosts(port: int, more: Iterable[str] = ()) -> dict[str, str]:
    """Return the allowed values of a request's `Host` -> the origin of the server's pages there.

    They are the loopback's names at that port, and `more` (see `own_origin`), in lower case, as
    `refuse_stranger` compares them; with and without a default port. Raises AffrayError.
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
    """Return the origin of the pages of a server at `port` that is known by a name.

    A name without a port gets the server's; with port 443, or as a whole address (`https://table.example`),
    it belongs to an HTTPS proxy in front of the server. Raises AffrayError.
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
            f"{name!r} is not a server name: write it as table.local, table.local:8417 or https://table.example"
        )
    return origin


def bracketed(host: str) -> str:
    """Return a host as written in an address: an IPv6 address in brackets, since its colons do not begin a
    port.
    """
    return f"[{host}]" if host.count(":") > 1 and not host.startswith("[") else host


def values_of(headers: Headers, name: bytes) -> list[bytes]:
    """Return the values of a header, one for each time that it was sent."""
    return [value for found, value in headers if found == name]


def bearer_of(headers: Headers) -> str:
    """Return the token of a request, "" if it has none or several."""
    given = values_of(headers, b"authorization")
    kind, _, token = given[0].decode("latin-1").partition(" ") if len(given) == 1 else ("", "", "")
    return token.strip() if kind.lower() == "bearer" else ""


def parse_allowed_origins(given: Iterable[str]) -> frozenset[str]:
    """Return the allowed origins of other servers' pages, as browsers write them.

    Raises AffrayError for an invalid origin: it needs http or https and a host, and may have a port.
    """
    found = set()
    for one in given:
        origin = _origin(one.strip().lower().removesuffix("/"))
        if not origin:
            raise AffrayError(f"{one!r} is not the origin of a page: write it as http://localhost:30000")
        found.add(origin)
    return frozenset(found)


def _origin(text: str) -> str:
    """Return an origin as browsers write it, without a default port; "" for an invalid one."""
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
    """Return the origin of the page that sends a request if it is another server's and allowed, else ""."""
    named = values_of(headers, b"origin")
    origin = _text(named[0]) if len(named) == 1 else ""
    return origin if origin in origins else ""


def refuse_stranger(
    hosts: Mapping[str, str], method: str, path: str, headers: Headers, origins: frozenset[str] = frozenset()
) -> str:
    """Return the origin of this server's pages under the name that the request uses.

    Raises Problem for a request that names another server (see `allowed_hosts`), or that a page of another
    origin sent. Pages of `origins` (see `parse_allowed_origins`) may send requests too. So may the server's
    own pages under any of its names, since a proxy may have put another one into `Host`.
    """
    named = values_of(headers, b"host")
    own = hosts.get(_text(named[0])) if len(named) == 1 else None
    if own is None:
        raise Problem(
            "wrong_host", "unknown name of this server in Host; allow it with affray serve --allow-host"
        )
    if guest_origin(origins, headers):
        return own
    named = values_of(headers, b"origin")
    if len(named) > 1 or any(_text(one) not in hosts.values() for one in named):
        raise Problem("wrong_origin", "requests from pages of other servers are rejected")
    sites = values_of(headers, b"sec-fetch-site")
    linked = method in ("GET", "HEAD") and path in OPENED_BY_LINK
    if not linked and (len(sites) > 1 or any(one.strip().lower() not in OWN_PAGES for one in sites)):
        raise Problem("wrong_origin", "requests from pages of other servers are rejected")
    return own


def _text(value: bytes) -> str:
    return value.decode("latin-1").strip(" \t").lower()


# --- Limits by client: requests per second, open feeds. Memory is bounded

MOST_REMEMBERED = 4096
"""Most recent clients that are counted separately; all others share one count."""

THE_REST = "the rest"

FEED_AGAIN = 5
"""Seconds after which a feed may be tried again."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The lasting number of requests per second, and the number allowed at once after a pause."""

    a_second: float
    at_once: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a server: bytes and seconds of a body, requests, feeds in total and of one guest."""

    body_bytes: int = 64 * 1024
    body_seconds: float = 10.0
    posts: Rate = Rate(20, 60)
    gets: Rate = Rate(100, 300)
    feeds: int = 500
    feeds_of_one: int = 300


def address_of(client: tuple[str, int] | None) -> str:
    """Return the name under which a client without a known token is counted.

    It is the address; of IPv6 the network, since a client with one address there has all of them.
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
    """Return the addresses of proxies in the form that connections have. Raises AffrayError for an invalid
    address.
    """
    try:
        return frozenset(str(ip_address(one.strip())) for one in given)
    except ValueError as error:
        raise AffrayError(f"give a proxy by its IP address: {error}") from None


def client_of(
    client: tuple[str, int] | None, forwarded: Sequence[bytes], proxies: frozenset[str]
) -> tuple[str, int] | None:
    """Return the client of a request, or the one that it was forwarded for if the client is a proxy.

    Each proxy appends an address to `X-Forwarded-For` (`forwarded`). The last one that is not a proxy's is
    the only one that no client can forge.
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
    """One bucket for each client, filled at a rate; a client that finds it empty has to wait.

    A bucket that has had time to fill is dropped, which changes nothing. At most `MOST_REMEMBERED` are kept:
    while all of them are in use, all new clients share one bucket.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with every bucket full."""
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
            raise Problem(
                "too_many", "too many requests; wait a moment and try again", retry_after=ceil(wait)
            )
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)

    def _has_room(self, now: float) -> bool:
        """Drop the buckets that are full again, and return whether another one fits."""
        while self._full_at:
            oldest, full_at = next(iter(self._full_at.items()))
            if full_at > now:
                break
            del self._full_at[oldest]
        return len(self._full_at) < MOST_REMEMBERED - 1


@dataclass(slots=True)
class Feeds:
    """The open feeds, in total and of each guest."""

    limits: Limits
    _of: Counter[str] = field(default_factory=Counter)

    def __len__(self) -> int:
        """Return how many are open."""
        return self._of.total()

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """Count a feed of `who` as open inside the block. Raises Problem if there are too many."""
        if len(self) >= self.limits.feeds:
            raise Problem("too_many_feeds", "too many feeds are open", retry_after=FEED_AGAIN)
        if self._of[who] >= self.limits.feeds_of_one:
            raise Problem("too_many_feeds", "too many feeds are open with this link", retry_after=FEED_AGAIN)
        self._of[who] += 1
        try:
            yield
        finally:
            self._of[who] -= 1
            if not self._of[who]:
                del self._of[who]


# --- The body of a request: JSON, limited in size and time

BODIES = frozenset({"POST"})
"""The methods of requests that have a body."""

LINGER_SECONDS, LINGER_BYTES = 1.0, 4 * 1024 * 1024
"""Most bytes of an unwanted body that are read and dropped."""


def has_body(headers: Headers) -> bool:
    """Return whether a request with these headers has a body that is not empty."""
    length = values_of(headers, b"content-length")
    return any(one.strip(b" \t0") for one in length) or bool(values_of(headers, b"transfer-encoding"))


def refuse_body(limits: Limits, method: str, headers: Headers) -> None:
    """Raise Problem for a request whose headers announce a body that is not accepted."""
    lengths = values_of(headers, b"content-length")
    if len(lengths) > 1 or any(not one.isdigit() for one in lengths):
        raise Problem("bad_request", "Content-Length must be one number")
    if lengths and values_of(headers, b"transfer-encoding"):
        raise Problem("bad_request", "send Content-Length or Transfer-Encoding, not both")
    if lengths and (len(lengths[0]) > 19 or int(lengths[0]) > limits.body_bytes):
        raise _is_body_too_large(limits)
    if method in BODIES:
        kinds = values_of(headers, b"content-type")
        if len(kinds) != 1 or kinds[0].partition(b";")[0].strip().lower() != b"application/json":
            raise Problem("not_json", "the body must be JSON, with content-type: application/json")
    elif has_body(headers):
        raise Problem("bad_request", f"only {' and '.join(sorted(BODIES))} may have a body")


class Body:
    """The body of one request, as the application receives it: counted and timed.

    The clock starts with the first read. `ended` is true when all of it was received.
    """

    def __init__(self, limits: Limits, receive: Receive, *, ended: bool) -> None:
        """Receive from `receive`; a request without a body has `ended` from the beginning."""
        self.limits, self._receive, self.ended = limits, receive, ended
        self._bytes, self._until = 0, 0.0

    async def receive(self) -> Message:
        """Return the next message. Raises Problem for a body that is too long or too slow."""
        if self.ended:
            return await self._receive()
        loop = asyncio.get_running_loop()
        self._until = self._until or loop.time() + self.limits.body_seconds
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise Problem("too_slow", "the body of the request did not arrive in time") from None
        self._bytes += len(message.get("body", b""))
        if self._bytes > self.limits.body_bytes:
            raise _is_body_too_large(self.limits)
        self.ended = not message.get("more_body", False)
        return message

    async def linger(self) -> None:
        """Read and drop the rest of an unwanted body for a moment; the answer is already sent.

        Closing a connection with unread bytes resets it, and many clients then never read the answer. A
        client that keeps sending for longer is reset.
        """
        left = LINGER_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                while left > 0 and not self.ended:
                    message = await self._receive()
                    left -= len(message.get("body", b""))
                    self.ended = not message.get("more_body", False)


def _is_body_too_large(limits: Limits) -> Problem:
    return Problem("too_large", f"the body of a request may have at most {limits.body_bytes:,} bytes")


# --- Headers of every answer: not cached, not framed, with its declared type

NOT_FRAMED = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"
NO_PAGE = f"default-src 'none'; {NOT_FRAMED}"
PAGE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    f"{NOT_FRAMED}"
)
"""For a page without its own policy."""

ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
}


ASKED = "authorization, content-type, last-event-id"
"""The headers that pages of other servers may send; below, the methods and the answer headers they may use.
"""

SHARED = "GET, HEAD, POST"
READ = "retry-after"
HELD_SECONDS = "600"


def add_sharing_headers(headers: MutableHeaders, origin: str) -> None:
    """Add the headers that let a page of an origin read the answer."""
    headers["access-control-allow-origin"] = origin
    headers["access-control-expose-headers"] = READ
    headers.add_vary_header("origin")


def add_preflight_headers(headers: MutableHeaders, *, private: bool) -> None:
    """Add the answer to a browser that asks whether a page of another server may send a request.

    `private` is true if it asked whether pages from outside may reach into this network.
    """
    headers["access-control-allow-methods"] = SHARED
    headers["access-control-allow-headers"] = ASKED
    headers["access-control-max-age"] = HELD_SECONDS
    if private:
        headers["access-control-allow-private-network"] = "true"


def add_guard_headers(headers: MutableHeaders, *, private: bool, last: bool) -> None:
    """Add the headers of every answer: a `private` one is not cached, the connection closes after the `last`
    one.

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


# --- The guard in front of the routes: rejects requests that are foreign, too frequent, too large or too slow
#
# It decides by the headers if they suffice: the answer is sent before a byte of the body is requested, and
# the connection is closed after it. It has no knowledge of fights.

MOST_HEADERS = 64
PREFLIGHT = b"access-control-request-method"
"""The header with which a browser asks whether a page of another server may send a request."""

SINGLE = (b"authorization", b"last-event-id")
"""Headers about the sender and the position: if one came twice, different readers could use different values.
"""

VERSIONS = ("1.0", "1.1")
"""The versions of HTTP that are answered."""

FEEDS = frozenset({"/feed"})
"""The paths of answers that do not end."""

PIECE_BYTES = 64 * 1024
"""Bytes of an answer that are given to a connection at a time."""

MOST_LINGERING = 32
"""Most connections at once that are kept open to drop the rest of a body."""

POLICY_VIOLATION = 1008
"""The code with which a web socket is closed."""


class Guard:
    """The outermost ASGI application, which protects another one.

    `hosts` are the names of the server (see `allowed_hosts`). `knows` returns whether a guest holds a token;
    other clients are counted by address. `origins` are those of other servers' pages that may ask too (see
    `parse_allowed_origins`); their browsers are sent the permission. `proxies` are the addresses of proxies
    that say for which client they forward a request (see `parse_allowed_proxies`). In the scope, under
    `ADDRESS`, the application finds the origin of the pages at the name that the client used.
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
        """Protect an application."""
        self.app, self.hosts, self.knows, self.origins, self.proxies = app, hosts, knows, origins, proxies
        self.limits = limits or Limits()
        self.posts, self.gets = Buckets(self.limits.posts), Buckets(self.limits.gets)
        self.feeds, self._lingering = Feeds(self.limits), 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let the application answer it; errors become answers too."""
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
        """Return the name that the client is counted under. Raises Problem for a request rejected by its
        headers.
        """
        headers, method, path = scope["headers"], scope["method"], scope["path"]
        if len(headers) > MOST_HEADERS:
            raise Problem("bad_request", f"a request may have at most {MOST_HEADERS} headers")
        if not path.startswith("/") or scope["http_version"] not in VERSIONS:
            raise Problem("bad_request", "a request must be HTTP/1.1 with a path that begins with /")
        scope[ADDRESS] = refuse_stranger(self.hosts, method, path, headers, self.origins)
        for name in SINGLE:
            if len(values_of(headers, name)) > 1:
                raise Problem("bad_request", f"a request may have only one header {name.decode()}")
        token = bearer_of(headers)
        client = client_of(scope["client"], values_of(headers, b"x-forwarded-for"), self.proxies)
        who = f"token {token}" if token and self.knows(token) else f"address {address_of(client)}"
        (self.posts if method in BODIES else self.gets).draw(who)
        refuse_body(self.limits, method, headers)
        return who


async def _send_all_but_last(message: Message, send: Send) -> Message:
    """Send a body except for its last piece, which is returned.

    Between pieces the server waits for its client, which limits it to one copy of a long answer for many
    readers.
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
