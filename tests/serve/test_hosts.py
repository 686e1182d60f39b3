"""Who is let in by host, origin and what the browser says of the page that asks."""

import pytest
from starlette.applications import Starlette

from affray.replay.serve import handlers
from affray.replay.serve.http import Guard, Problem, allowed_hosts, refuse_stranger
from affray.replay.serve.routes import make_starlette_routes
from tests.serve.asking import asked

HOSTS = allowed_hosts(8417, ["Table.example", "10.0.0.7:99", "fe80::1"])
OURS = ("host", "localhost:8417")


def refused(method: str, path: str, *headers: tuple[str, str]) -> str:
    """Return the code with which headers are refused, "" if they are not."""
    try:
        raw = [(name.encode(), value.encode("latin-1")) for name, value in headers]
        refuse_stranger(HOSTS, method, path, raw)
    except Problem as problem:
        return problem.code
    return ""


def test_what_the_server_is_called() -> None:
    """The loopback's names and those given, each with a port; a plain name for the port of HTTP."""
    assert set(allowed_hosts(8417)) == {"localhost:8417", "127.0.0.1:8417", "[::1]:8417"}
    assert HOSTS.keys() - allowed_hosts(8417) == {"table.example:8417", "10.0.0.7:99", "[fe80::1]:8417"}
    assert allowed_hosts(80).keys() >= {"localhost", "localhost:80", "[::1]"}
    assert all(origin == f"http://{host}" for host, origin in HOSTS.items())
    assert "localhost" not in HOSTS


@pytest.mark.parametrize("host", ["localhost:8417", "LOCALHOST:8417", "[::1]:8417", "table.EXAMPLE:8417"])
def test_its_own_names(host: str) -> None:
    """In any case."""
    assert refused("GET", "/state", ("host", host)) == ""


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:80", "localhost:8418", "localhost:8417.", "localhost.:8417", ""),
        *("evil.example:8417", "localhost:8417@evil", "localhost:8417,evil", "0.0.0.0:8417", "::1:8417"),
        *("localhost:08417", "127.1:8417", "x.localhost:8417", "localhost:8417 evil"),
    ],
)
def test_other_names(host: str) -> None:
    """A page that has its own name lead here (DNS rebinding) is refused by it."""
    assert refused("GET", "/", ("host", host)) == "wrong_host"


def test_one_host_and_no_more() -> None:
    """None, or two, alike or not, are refused."""
    assert refused("GET", "/") == "wrong_host"
    assert refused("GET", "/", OURS, OURS) == "wrong_host"
    assert refused("GET", "/", OURS, ("host", "evil.example")) == "wrong_host"


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "OPTIONS", "PUT"])
@pytest.mark.parametrize(
    "origin",
    [
        *("null", "", "http://evil.example", "https://localhost:8417", "http://localhost", "localhost:8417"),
        *("http://localhost:8418", "http://localhost:8417/", "http://localhost:8417.evil.example"),
        "http://localhost:8417 http://evil.example",
    ],
)
def test_other_origins(method: str, origin: str) -> None:
    """For every method, pages included."""
    assert refused(method, "/", OURS, ("origin", origin)) == "wrong_origin"


def test_its_own_origin() -> None:
    """One of its names, once."""
    assert refused("POST", "/undo", OURS, ("origin", "http://localhost:8417")) == ""
    assert refused("POST", "/undo", OURS, ("origin", "HTTP://Table.Example:8417")) == ""
    assert refused("POST", "/undo", OURS, *[("origin", "http://localhost:8417")] * 2) == "wrong_origin"


@pytest.mark.parametrize("site", ["cross-site", "same-site", "Cross-Site", "", "same-origin, cross-site"])
def test_links_lead_to_the_pages_alone(site: str) -> None:
    """A page elsewhere may link to the three pages; all else is refused, from another port too."""
    for path in ("/", "/overlay", "/rulebook"):
        assert refused("GET", path, OURS, ("sec-fetch-site", site)) == ""
        assert refused("POST", path, OURS, ("sec-fetch-site", site)) == "wrong_origin"
    for path in ("/state", "/feed", "/openapi.json", "/overlay/", "//"):
        assert refused("GET", path, OURS, ("sec-fetch-site", site)) == "wrong_origin"


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_its_own_pages_ask(site: str) -> None:
    """And what a person types; but not with two answers to whose page it is."""
    assert refused("POST", "/undo", OURS, ("sec-fetch-site", site)) == ""
    assert refused("POST", "/undo", OURS, *[("sec-fetch-site", site)] * 2) == "wrong_origin"


def test_one_archive_for_all_spellings() -> None:
    """However a name is spelled, the module for Foundry is put together once for it."""
    guard = Guard(Starlette(routes=make_starlette_routes()), HOSTS, lambda token: False)
    handlers.archive.cache_clear()
    for host in ("localhost:8417", "LOCALHOST:8417", "LocalHost:8417", "table.example:8417"):
        assert asked(guard, path="/foundry/affray.zip", headers=(("host", host),)).status == 200
    assert handlers.archive.cache_info().currsize == 2
