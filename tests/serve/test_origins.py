"""Pages of other servers that may ask: what their browsers are told, and that nobody else is let in by it."""

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from affray.events.errors import AffrayError
from affray.replay.serve.http import HANDLERS, Guard, Limits, allowed_hosts, parse_allowed_origins
from tests.serve.asking import asked

FOUNDRY = "http://localhost:30000"
HOST = ("host", "localhost:8417")
THERE = (("origin", FOUNDRY), ("sec-fetch-site", "cross-site"))
BEFORE = (*THERE, ("access-control-request-method", "POST"))


async def count(request: Request) -> JSONResponse:
    """Count what was sent."""
    return JSONResponse(len(await request.body()))


def guard(limits: Limits | None = None) -> Guard:
    """Return a guarded application that a page at Foundry's address may ask."""
    app = Starlette(routes=[Route("/count", count, methods=["GET", "POST"])], exception_handlers=HANDLERS)
    known = {"known"}.__contains__
    return Guard(app, allowed_hosts(8417), known, limits, origins=parse_allowed_origins([FOUNDRY]))


def test_how_origins_are_written() -> None:
    """As people write them, to as browsers do: in small letters, without a usual port and a last stroke."""
    given = ["HTTP://Foundry.Example:80/", "https://table.example:443", "http://[fe80::1]:30000", FOUNDRY]
    assert parse_allowed_origins(given) == {
        *("http://foundry.example", "https://table.example", "http://[fe80::1]:30000", FOUNDRY)
    }
    assert parse_allowed_origins([]) == frozenset()


@pytest.mark.parametrize(
    "origin",
    [
        *("null", "*", "", "localhost:30000", "ftp://x.example", "http://", "http://x.example/game"),
        *("http://x.example?a", "http://a@x.example", "http://x.example:port", "http://x.example:99999"),
    ],
)
def test_what_is_no_origin(origin: str) -> None:
    """Nothing that stands for several, and nothing with a path."""
    with pytest.raises(AffrayError, match="no origin"):
        parse_allowed_origins([origin])


def test_a_page_that_may_ask() -> None:
    """Its browser is told so with the answer, and with those that say no."""
    for answer in (
        asked(guard(), "POST", "/count", headers=(HOST, *THERE, ("content-type", "application/json"))),
        asked(guard(), "GET", "/nothing", headers=(HOST, *THERE)),
        asked(guard(), "POST", "/count", headers=(HOST, *THERE, ("content-type", "text/plain"))),
    ):
        assert answer.headers["access-control-allow-origin"] == FOUNDRY
        assert answer.headers["vary"] == "origin"
        assert "access-control-allow-credentials" not in answer.headers
    assert answer.status == 415
    ours = asked(guard(), "GET", "/count", headers=(HOST,))
    assert (ours.status, ours.headers.get("access-control-allow-origin")) == (200, None)


def test_a_browser_asks_before() -> None:
    """Nothing is done by it; it is told what may be sent, and whether pages from outside reach in here."""
    answer = asked(guard(), "OPTIONS", "/count", headers=(HOST, *BEFORE))
    assert (answer.status, answer.body) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == FOUNDRY
    assert "authorization" in answer.headers["access-control-allow-headers"]
    assert "access-control-allow-private-network" not in answer.headers
    private = ("access-control-request-private-network", "true")
    answer = asked(guard(), "OPTIONS", "/count", headers=(HOST, *BEFORE, private))
    assert answer.headers["access-control-allow-private-network"] == "true"


@pytest.mark.parametrize(
    "origin",
    [
        *("http://localhost:30001", "https://localhost:30000", "http://localhost:30000.evil.example"),
        *("null", "http://localhost:30000 http://evil.example", "http://evil.example"),
    ],
)
def test_other_pages_may_not(origin: str) -> None:
    """Not even ask before."""
    for method in ("GET", "POST", "OPTIONS"):
        headers = (HOST, ("origin", origin), ("access-control-request-method", "POST"))
        answer = asked(guard(), method, "/count", headers=headers)
        assert (answer.status, answer.code) == (403, "wrong_origin")
        assert "access-control-allow-origin" not in answer.headers


def test_the_name_of_the_server_is_asked_for_first() -> None:
    """A page that may ask must still mean this server, and two origins are none."""
    answer = asked(guard(), "GET", "/count", headers=(("host", "evil.example:8417"), *THERE))
    assert answer.code == "wrong_host"
    answer = asked(guard(), "GET", "/count", headers=(HOST, THERE[0], THERE[0]))
    assert answer.code == "wrong_origin"
