"""The guard around an application: what is turned away, and what it has cost until then."""

import asyncio
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from affray.events import logging
from affray.replay.serve import http as guards
from affray.replay.serve.http import (
    HANDLERS,
    MOST_HEADERS,
    Guard,
    Limits,
    Problem,
    Rate,
    allowed_hosts,
    bearer_of,
)
from tests.serve.asking import HOST, Answer, answer_of, asked

JSON = ("content-type", "application/json")
CHUNKED = ("transfer-encoding", "chunked")


def bearing(token: str) -> tuple[str, str]:
    """Return the header that carries a token."""
    return "authorization", f"Bearer {token}"


async def page(request: Request) -> Response:
    """Answer with a page that has a policy of its own, if the path says so."""
    own = {"content-security-policy": "default-src 'none'", "cache-control": "max-age=60"}
    return HTMLResponse("<p>", headers=own if request.url.path == "/overlay" else {})


async def count(request: Request) -> Response:
    """Answer how long the body is."""
    return JSONResponse(len(await request.body()))


async def unread(request: Request) -> Response:
    """Refuse whoever asks, without a look at the body."""
    raise Problem("no_token", "who are you?")


async def broken(request: Request) -> Response:
    """Go wrong inside."""
    raise ValueError("/home/gm/fight.db is locked")


async def feed(request: Request) -> Response:
    """Stay open until the test goes on."""
    await request.app.state.go_on.wait()
    return Response()


def guard(limits: Limits | None = None, known: tuple[str, ...] = ("known",)) -> Guard:
    """Return a guarded application with a page, a route that reads, one that does not, one that fails."""
    routes = [
        Route("/", page),
        Route("/overlay", page),
        Route("/count", count, methods=["POST", "GET"]),
        Route("/unread", unread, methods=["POST"]),
        Route("/broken", broken),
        Route("/feed", feed),
    ]
    app = Starlette(routes=routes, exception_handlers=HANDLERS)
    app.state.go_on = asyncio.Event()
    return Guard(app, allowed_hosts(8417), known.__contains__, limits)


def posted(
    app: Guard, *headers: tuple[str, str], body: tuple[bytes, ...] = (b"{}",), path: str = "/count"
) -> Answer:
    """Return what is answered to JSON with these headers besides."""
    return asked(app, "POST", path, headers=(HOST, *headers), body=body)


def test_what_it_lets_through() -> None:
    """Pages, and JSON with a length or in chunks."""
    assert asked(guard()).status == 200
    assert posted(guard(), JSON, ("content-length", "2")).json == 2
    assert posted(guard(), ("content-type", "Application/JSON; charset=utf-8"), CHUNKED).json == 2
    assert posted(guard(), JSON, CHUNKED, body=(b"{", b"}", b" ")).json == 3
    assert posted(guard(), JSON, body=()).json == 0


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ((HOST, HOST, JSON), "wrong_host"),
        ((JSON,), "wrong_host"),
        ((HOST, JSON, ("origin", "null")), "wrong_origin"),
        ((HOST, JSON, ("sec-fetch-site", "cross-site")), "wrong_origin"),
        ((HOST,), "not_json"),
        ((HOST, ("content-type", "text/plain")), "not_json"),
        ((HOST, ("content-type", "application/x-www-form-urlencoded")), "not_json"),
        ((HOST, ("content-type", "text/plain; application/json")), "not_json"),
        ((HOST, ("content-type", "application/json-seq")), "not_json"),
        ((HOST, JSON, JSON), "not_json"),
        ((HOST, JSON, ("content-length", "65537")), "too_large"),
        ((HOST, JSON, ("content-length", "9" * 5000)), "too_large"),
        ((HOST, JSON, ("content-length", "-1")), "bad_request"),
        ((HOST, JSON, ("content-length", "0x10")), "bad_request"),
        ((HOST, JSON, ("content-length", "")), "bad_request"),
        ((HOST, JSON, ("content-length", "2"), ("content-length", "2")), "bad_request"),
        ((HOST, JSON, ("content-length", "2"), CHUNKED), "bad_request"),
        ((HOST, JSON, *[("x-more", "1")] * MOST_HEADERS), "bad_request"),
    ],
)
def test_turned_away_by_its_headers(headers: tuple[tuple[str, str], ...], code: str) -> None:
    """The application is not asked, nor was a byte of the body before the answer."""
    asking: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        asking.append(scope["path"])

    guarded = Guard(app, allowed_hosts(8417), lambda token: False)
    received: list[int] = []

    async def ask() -> Answer:
        found = await answer_of(guarded, "POST", "/count", headers=headers, body=[b"x"] * 3)
        received.append(found.received_before)
        return found

    found = asyncio.run(ask())
    assert (found.code, asking, received) == (code, [], [0])


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "DELETE", "PUT"])
def test_only_posts_have_a_body(method: str) -> None:
    """Others with one are turned away, but nothing says nothing."""
    found = asked(guard(), method, "/count", headers=(HOST, ("content-length", "1")))
    assert found.status == 400
    assert asked(guard(), method, "/count", headers=(HOST, CHUNKED)).status == 400
    assert asked(guard(), method, "/count", headers=(HOST, ("content-length", "0"))).status in (200, 405)


@pytest.mark.parametrize("path", ["http://localhost:8417/", "*", ""])
def test_paths(path: str) -> None:
    """A path begins where paths begin."""
    assert asked(guard(), path=path).code == "bad_request"


def test_bodies_are_counted_while_they_are_read() -> None:
    """Whatever their headers say: 64 KiB are taken, a byte more is not, and no more than that is read."""
    whole = b"x" * 1024
    assert posted(guard(), JSON, CHUNKED, body=(whole,) * 64).json == 65_536
    found = posted(guard(), JSON, CHUNKED, body=(whole,) * 64 + (b"x",))
    assert (found.status, found.code) == (413, "too_large")
    found = posted(guard(), JSON, CHUNKED, body=(whole,) * 20_000)
    assert (found.status, found.received_before) == (413, 65)
    found = posted(guard(), JSON, ("content-length", "2"), body=(whole,) * 100)
    assert found.status == 413


def test_a_body_that_is_let_go_by_is_bounded() -> None:
    """Behind the answer what still comes is not read for long, and the connection is closed."""
    found = posted(guard(), JSON, ("content-length", "99999999"), body=(b"x" * 65_536,) * 1000)
    assert (found.status, found.received_before, found.received) == (413, 0, 64)
    assert found.headers["connection"] == "close"


def test_few_bodies_are_let_go_by_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one is answered and closed as it stands."""
    monkeypatch.setattr(guards, "MOST_LINGERING", 0)
    found = posted(guard(), JSON, ("content-length", "99999999"), body=(b"x" * 65_536,) * 1000)
    assert (found.code, found.received, found.headers["connection"]) == ("too_large", 0, "close")


def test_a_body_that_nobody_has_read() -> None:
    """A route that refuses without reading costs no more than one that is not reached."""
    found = posted(guard(), JSON, ("content-length", "6"), body=(b"xx",) * 3, path="/unread")
    assert (found.code, found.received_before, found.headers["connection"]) == ("no_token", 0, "close")
    assert "connection" not in asked(guard()).headers
    assert "connection" not in posted(guard(), JSON, ("content-length", "2")).headers


def test_a_body_that_does_not_come() -> None:
    """Whoever sends slowly is told so in time, though a byte comes now and then."""

    async def ask() -> int:
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "path": "/count",
            "client": None,
            "query_string": b"",
        }
        headers = [
            (b"host", b"localhost:8417"),
            (b"content-type", b"application/json"),
            (b"content-length", b"99"),
        ]
        sent: list[Message] = []

        async def receive() -> Message:
            await asyncio.sleep(0.02)
            return {"type": "http.request", "body": b"x", "more_body": True}

        async def send(message: Message) -> None:
            sent.append(message)

        await guard(Limits(body_seconds=0.2))({**scope, "headers": headers, "root_path": ""}, receive, send)
        return int(sent[0]["status"])

    assert asyncio.run(asyncio.wait_for(ask(), 10)) == 408


def test_a_client_that_leaves() -> None:
    """In the middle of its body: nothing went wrong inside, nothing is noted."""
    with logging.captured() as noted:
        found = asked(guard(), "POST", "/count", headers=(HOST, JSON, CHUNKED), body=(b"x",), cut=True)
    assert (found.status, noted) == (400, [])


def test_what_every_answer_says() -> None:
    """Pages, data and errors: not framed, not guessed at, and no address told to others."""
    for found in (
        asked(guard()),
        posted(guard(), JSON),
        asked(guard(), path="/no"),
        asked(guard(), headers=()),
    ):
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["referrer-policy"] == "no-referrer"
        assert found.headers["x-frame-options"] == "DENY"
        policies = ",".join(found.headers.getlist("content-security-policy"))
        assert "frame-ancestors 'none'" in policies
        assert "default-src 'none'" in policies


def test_a_page_may_say_more() -> None:
    """Its own policy stands beside that of the guard; it may be kept, as it holds nothing."""
    found = asked(guard(), path="/overlay")
    assert len(found.headers.getlist("content-security-policy")) == 2
    assert found.headers["cache-control"] == "max-age=60"
    assert asked(guard()).headers["cache-control"] == "no-store"


def test_what_needs_a_token_is_kept_by_nobody() -> None:
    """Whatever the answer says itself."""
    found = asked(guard(), path="/overlay", headers=(HOST, bearing("known")))
    assert found.headers["cache-control"] == "no-store"


def test_what_goes_wrong_inside() -> None:
    """Is noted once, with where, and told to nobody."""
    with logging.captured() as noted:
        found = asked(guard(), path="/broken")
    assert (found.status, found.code) == (500, "internal")
    assert b"/home" not in found.body
    assert b"locked" not in found.body
    assert [one["event"] for one in noted] == ["serve.failed"]
    assert noted[0]["error"] == "ValueError: /home/gm/fight.db is locked"
    assert noted[0]["where"].startswith(f"{__file__}:")
    assert noted[0]["place"] == "GET /broken"


@pytest.mark.parametrize("begun", [False, True])
def test_an_application_that_fails_by_itself(begun: bool) -> None:
    """Without Starlette around it too; an answer that has begun is not begun again."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if begun:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise Problem("hidden", "not for you")

    found = asked(Guard(app, allowed_hosts(8417), lambda token: True))
    assert (found.status, bool(found.body)) == ((200, False) if begun else (403, True))


def test_rates_by_token_else_by_address() -> None:
    """Whoever has no token that is known counts by address, however many tokens are tried."""
    app = guard(Limits(gets=Rate(0.001, 3), posts=Rate(0.001, 2)), known=("a", "b"))
    for token in ("a", "b"):
        found = [asked(app, headers=(HOST, bearing(token))).status for _ in range(5)]
        assert found == [200, 200, 200, 429, 429]
    found = [asked(app, headers=(HOST, bearing(f"guess{number}"))).status for number in range(5)]
    assert found == [200, 200, 200, 429, 429]
    assert asked(app).code == "too_many"
    assert int(asked(app).headers["retry-after"]) > 100
    assert asked(app, client=("10.0.0.8", 1)).status == 200
    assert [posted(app, JSON, bearing("a")).status for _ in range(3)] == [200, 200, 429]
    assert len(app.gets) == 4


def test_guessing_is_bounded_in_memory() -> None:
    """Many tokens from one address are one to the guard."""
    app = guard(Limits(gets=Rate(1000, 5000)))

    async def guess() -> None:
        for number in range(3000):
            await answer_of(app, headers=(HOST, bearing("x" * 20 + str(number))))

    asyncio.run(guess())
    assert len(app.gets) == 1


def test_feeds_are_counted_while_they_are_open() -> None:
    """Of one guest and in all; when one ends another may begin."""

    async def play() -> list[int]:
        app = guard(Limits(feeds=3, feeds_of_one=2), known=("a", "b"))
        inner = app.app
        assert isinstance(inner, Starlette)

        async def listen(token: str) -> int:
            return (await answer_of(app, path="/feed", headers=(HOST, bearing(token)))).status

        open_ones = [asyncio.create_task(listen(token)) for token in "aab"]
        while len(app.feeds) < 3:
            await asyncio.sleep(0)
        refused = [await listen("a"), await listen("b"), await listen("who")]
        open_ones[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await open_ones[0]
        assert len(app.feeds) == 2
        inner.state.go_on.set()
        return [*refused, await listen("a"), *[await one for one in open_ones[1:]], len(app.feeds)]

    assert asyncio.run(play()) == [503, 503, 503, 200, 200, 200, 0]


@pytest.mark.parametrize(
    ("given", "token"),
    [
        (("Bearer abc",), "abc"),
        (("bearer  abc ",), "abc"),
        (("Bearer",), ""),
        (("Basic abc",), ""),
        (("abc",), ""),
        ((), ""),
        (("Bearer abc", "Bearer abc"), ""),
    ],
)
def test_the_token_of_a_request(given: tuple[str, ...], token: str) -> None:
    """One, in the one header that is for it."""
    assert bearer_of([(b"authorization", one.encode()) for one in given]) == token


@pytest.mark.parametrize("name", ["authorization", "last-event-id"])
def test_two_headers_where_one_is_meant(name: str) -> None:
    """Are refused, alike or not: no reader takes one of them and another reader the other."""
    app = guard(known=("a", "b"))
    for second in ("Bearer a", "Bearer b", ""):
        found = asked(app, headers=(HOST, (name, "Bearer a"), (name, second)))
        assert (found.status, found.code) == (400, "bad_request")


def test_no_web_sockets() -> None:
    """Are closed before they open."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    asyncio.run(guard()({"type": "websocket", "headers": [], "path": "/feed"}, receive, send))
    assert [one["type"] for one in sent] == ["websocket.close"]


def test_starting_and_ending_pass_through() -> None:
    """The guard has no part in how the application begins and ends."""
    messages: Iterator[str] = iter(["lifespan.startup", "lifespan.shutdown"])
    sent: list[str] = []

    async def receive() -> Message:
        return {"type": next(messages)}

    async def send(message: Message) -> None:
        sent.append(message["type"])

    asyncio.run(guard()({"type": "lifespan", "state": {}, "app": None}, receive, send))
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
