"""The guard behind a real server: bytes on a line, as no client that means well would send them."""

import asyncio
import http.client
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from affray.events import logging
from affray.replay.serve import server
from affray.replay.serve.http import HANDLERS, PIECE_BYTES, Guard, Limits, Rate, allowed_hosts
from tests.serve.serving import connected, ends, head, read_reply, served, told

pytestmark = pytest.mark.slow

JSON = "Content-Type: application/json"
CHUNKED = "Transfer-Encoding: chunked"
MANY = Rate(100_000, 100_000)
MIDDLING = 60_000
OPEN: list[int] = []
"""The feeds that are open now, one number each."""


async def count(request: Request) -> Response:
    """Answer how long the body is."""
    return JSONResponse(len(await request.body()))


async def broken(request: Request) -> Response:
    """Go wrong inside."""
    raise ValueError("/home/gm/fight.db is locked")


async def large(request: Request) -> Response:
    """Answer with more than any buffer holds."""
    return Response(b"x" * 64_000_000)


async def middling(request: Request) -> Response:
    """Answer with less than a server usually holds back for."""
    return Response(b"x" * MIDDLING)


async def feed(request: Request) -> Response:
    """Send without end, as long as somebody is there."""

    async def events() -> AsyncIterator[bytes]:
        OPEN.append(1)
        try:
            while True:
                yield b"data: x\n\n"
                await asyncio.sleep(0.02)
        finally:
            OPEN.pop()

    return StreamingResponse(events(), media_type="text/event-stream")


def build(port: int) -> ASGIApp:
    """Return a guarded application that is served at a port."""
    routes = [
        Route("/count", count, methods=["POST", "GET"]),
        Route("/broken", broken),
        Route("/large", large),
        Route("/middling", middling),
        Route("/feed", feed),
    ]
    app = Starlette(routes=routes, exception_handlers=HANDLERS)
    limits = Limits(posts=MANY, gets=MANY, body_seconds=0.4, feeds_of_one=2)
    return Guard(app, allowed_hosts(port), lambda token: False, limits)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a server that all these tests share: whatever they send, it goes on serving."""
    with served(build) as found:
        yield found


def post(port: int, body: bytes, *rows: str) -> bytes:
    """Return a request with a JSON body."""
    return head("POST", "/count", port, JSON, f"Content-Length: {len(body)}", *rows) + body


def chunk(data: bytes) -> bytes:
    """Return a part of a body in chunks."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def still_serves(port: int) -> bool:
    """Say whether the server answers as ever."""
    return told(port, post(port, b"[1,2]")).body == b"5"


def test_it_serves(port: int) -> None:
    """Two requests on one line, and two that are sent at once."""
    with connected(port) as line:
        for _ in range(2):
            line.sendall(post(port, b"{}"))
            assert read_reply(line)[::2] == (200, b"2")
    with connected(port) as line:
        line.sendall(post(port, b"{}") + post(port, b"[3]", "Connection: close"))
        data = b""
        while more := line.recv(65_536):
            data += more
        assert data.count(b"HTTP/1.1 200 OK") == 2


@pytest.mark.parametrize("hosts", [(), ("localhost:{}", "localhost:{}"), ("localhost:{}", "evil.example")])
def test_hosts(port: int, hosts: tuple[str, ...]) -> None:
    """None or two: no such request gets in."""
    rows = [f"Host: {host.format(port)}" for host in hosts]
    assert told(port, head("GET", "/count", port, *rows, host=False)).code == "bad_request"


@pytest.mark.parametrize("host", ["evil.example", "localhost", "localhost:1", "", "127.0.0.1:{}:{}"])
def test_another_host(port: int, host: str) -> None:
    """As a page sends it whose name was led here."""
    found = told(port, head("GET", "/count", port, f"Host: {host.format(port, port)}", host=False))
    assert (found.status, found.code) == (421, "wrong_host")


def test_http_1_0(port: int) -> None:
    """Needs a Host as well, and ends with its answer."""
    assert told(port, head("GET", "/count", port, version="1.0", host=False)).code == "wrong_host"
    with connected(port) as line:
        line.sendall(head("GET", "/count", port, version="1.0"))
        assert read_reply(line).status == 200
        assert ends(line)


@pytest.mark.parametrize(
    "row", ["Origin: null", "Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Origin: "]
)
def test_other_pages(port: int, row: str) -> None:
    """Reading and writing alike."""
    assert told(port, head("GET", "/count", port, row)).code == "wrong_origin"
    assert told(port, post(port, b"{}", row)).code == "wrong_origin"


def test_doubled_headers(port: int) -> None:
    """Of those that say whose request it is and how long, one."""
    own = f"Origin: http://localhost:{port}"
    assert told(port, post(port, b"{}", own)).status == 200
    assert told(port, post(port, b"{}", own, own)).code == "wrong_origin"
    assert told(port, post(port, b"{}", JSON)).code == "not_json"
    assert told(port, post(port, b"{}", "Content-Length: 2")).status in (200, 400)
    assert told(port, post(port, b"{}", "Content-Length: 3")).code == "bad_request"
    assert told(port, post(port, b"{}", CHUNKED)).code == "bad_request"


@pytest.mark.parametrize("rows", [10_000, 1000, 65])
@pytest.mark.parametrize("row", ["a: b", "X-Long-Enough: for its own good"])
def test_many_headers(port: int, rows: int, row: str) -> None:
    """Are turned away as soon as they are there."""
    with connected(port) as line:
        line.sendall(head("GET", "/count", port, *[row] * rows))
        assert read_reply(line).code == "bad_request"
    assert still_serves(port)


def test_a_head_without_end(port: int) -> None:
    """Is not kept: it is refused when it is too long, and told so."""
    with connected(port) as line:
        line.sendall(b"GET /count HTTP/1.1\r\nX: ")
        with pytest.raises(OSError, match=r"reset|[Bb]roken"):  # noqa: PT012
            for _ in range(2000):
                line.sendall(b"x" * 10_000)
                time.sleep(0.001)
    assert still_serves(port)


@pytest.mark.parametrize(
    "data",
    [
        *(b"\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"),
        *(b"GET /count HTTP/1.1\r\nHost : x\r\n\r\n", b"GET /count HTTP/1.1\r\n Host: x\r\n\r\n"),
        *(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET /\xff HTTP/1.1\r\n\r\n", b"\x00" * 100 + b"\r\n\r\n"),
    ],
)
def test_what_is_no_http(port: int, data: bytes) -> None:
    """Is told so in the shape of every other error."""
    with connected(port) as line:
        line.sendall(data + b"\r\n\r\n")
        found = read_reply(line)
        assert (found.status, found.code) == (400, "bad_request")
    assert still_serves(port)


def test_a_body_that_trickles(port: int) -> None:
    """A byte every now and then does not hold a place for longer."""
    with connected(port) as line:
        begun = time.monotonic()
        line.sendall(head("POST", "/count", port, JSON, "Content-Length: 1000"))
        found = trickled(line)
        assert (found, time.monotonic() - begun < 5) == (408, True)
    with connected(port) as line:
        line.sendall(head("POST", "/count", port, JSON, CHUNKED))
        assert trickled(line, chunk(b"x")) == 408


def trickled(line: socket.socket, part: bytes = b"x") -> int:
    """Send a part every 50 ms until there is an answer, and return its status."""
    line.settimeout(0.05)
    data = b""
    for _ in range(100):
        line.sendall(part)
        try:
            data += line.recv(65_536)
        except TimeoutError:
            continue
        break
    return int(data.split()[1])


@pytest.mark.parametrize("rows", [(CHUNKED,), ("Content-Length: 1000000",), ("Content-Length: 65537",)])
def test_a_body_that_is_too_large(port: int, rows: tuple[str, ...]) -> None:
    """Is told so, though its client sends all of it before it reads."""
    size = int(rows[0].partition(": ")[2]) if rows != (CHUNKED,) else 1_000_000
    with connected(port) as line:
        line.sendall(head("POST", "/count", port, JSON, *rows))
        for begun in range(0, size, 10_000):
            part = b"x" * min(10_000, size - begun)
            line.sendall(chunk(part) if rows == (CHUNKED,) else part)
        assert read_reply(line).code == "too_large"


def test_a_common_client_learns_that_its_body_is_too_large(port: int) -> None:
    """Python's own, which sends everything first: it reads 413 and no broken connection."""
    client = http.client.HTTPConnection("localhost", port, timeout=20)
    client.request("POST", "/count", b"x" * 2_000_000, {"Content-Type": "application/json"})
    found = client.getresponse()
    assert (found.status, b"too_large" in found.read()) == (413, True)
    client.close()


def test_a_body_without_end(port: int) -> None:
    """Behind its answer it is let go by for a moment, then the line is cut."""
    with connected(port) as line:
        line.sendall(head("POST", "/count", port, JSON, CHUNKED))
        begun = time.monotonic()
        with pytest.raises(OSError, match=r"reset|[Bb]roken"):  # noqa: PT012
            while time.monotonic() < begun + 15:
                line.sendall(chunk(b"x" * 60_000))
        assert time.monotonic() - begun < 10
    assert still_serves(port)


def test_who_waits_before_sending(port: int) -> None:
    """Is let send what is taken, and never asked for what is not (Expect: 100-continue)."""
    expecting = "Expect: 100-continue"
    with connected(port) as line:
        line.sendall(head("POST", "/count", port, JSON, expecting, "Content-Length: 2"))
        assert line.recv(100).startswith(b"HTTP/1.1 100 ")
        line.sendall(b"{}")
        assert read_reply(line).body == b"2"
    for rows in ((JSON, "Content-Length: 70000"), ("Content-Length: 2",), (JSON, "Origin: null", CHUNKED)):
        found = told(port, head("POST", "/count", port, expecting, *rows))
        assert found.status in (403, 413, 415)


def test_a_body_that_lies_about_its_length(port: int) -> None:
    """Shorter: whoever ends the line has asked nothing. Longer: what is over is no request."""
    with logging.captured() as noted, connected(port) as line:
        line.sendall(head("POST", "/count", port, JSON, "Content-Length: 100") + b"{}")
        line.shutdown(socket.SHUT_WR)
        assert ends(line)
    assert noted == []
    with connected(port) as line:
        line.sendall(head("POST", "/count", port, JSON, "Content-Length: 2") + b"{}{}\r\n\r\n\r\n")
        assert read_reply(line).body == b"2"
        assert read_reply(line).code == "bad_request"
    with connected(port) as line:
        line.sendall(head("POST", "/count", port, JSON, CHUNKED) + b"5\r\n{}\r\n0\r\n\r\nxxxxxx\r\n\r\n")
        assert read_reply(line).status in (200, 400)
    assert still_serves(port)


def test_chunks_that_are_none(port: int) -> None:
    """In the middle of a body that is being read."""
    for bad in (b"zz\r\n", b"-1\r\n", b"fffffffffffffffffffffffffff\r\n"):
        with connected(port) as line:
            line.sendall(head("POST", "/count", port, JSON, CHUNKED) + chunk(b"{") + bad + b"\r\n")
            assert read_reply(line).code == "bad_request"
            assert ends(line)
    assert still_serves(port)


def test_one_answer_to_a_request(port: int) -> None:
    """What is wrong with a body that nobody wants is not told behind the answer."""
    with connected(port) as line:
        line.sendall(head("POST", "/count", port, CHUNKED) + chunk(b"{"))
        assert read_reply(line).code == "not_json"
        line.sendall(b"zz\r\n\r\n")
        assert ends(line)


def test_nothing_of_the_inside(port: int) -> None:
    """Neither path nor traceback, nor what the server is made of."""
    found = told(port, head("GET", "/broken", port))
    assert (found.status, found.code) == (500, "internal")
    assert b"home" not in found.body
    assert "server" not in found.headers


def test_no_web_socket(port: int) -> None:
    """A request for one is a request like others."""
    rows = (
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: eA==",
    )
    assert told(port, head("GET", "/no", port, *rows)).code == "not_found"


def test_an_address_that_another_server_tells_counts_for_nothing(port: int) -> None:
    """Whoever says to ask for somebody else is who it is: two feeds of one address, and no third."""
    with connected(port) as one, connected(port) as two:
        for number, line in enumerate((one, two)):
            line.sendall(head("GET", "/feed", port, f"X-Forwarded-For: 10.0.0.{number}"))
            assert line.recv(10) == b"HTTP/1.1 2"
        found = told(port, head("GET", "/feed", port, "X-Forwarded-For: 10.0.0.9"))
        assert (found.status, found.code, found.headers["retry-after"]) == (503, "too_many_feeds", "5")
    until = time.monotonic() + 10
    while OPEN and time.monotonic() < until:
        time.sleep(0.01)
    assert OPEN == []
    with connected(port) as line:
        line.sendall(head("GET", "/feed", port))
        assert line.recv(12) == b"HTTP/1.1 200"


def test_a_head_that_trickles(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is cut when its time is over: the first, one that never begins, and one behind an answer."""
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.3)
    for first in (b"", b"GET /count HTTP/1.1\r\n"):
        with connected(port) as line:
            line.sendall(first)
            assert cut_while_trickling(line)
    with connected(port) as line:
        line.sendall(post(port, b"{}"))
        assert read_reply(line).status == 200
        line.sendall(b"GET /count HTTP/1.1\r\n")
        assert cut_while_trickling(line)
    with connected(port) as line:
        begun = time.monotonic()
        assert ends(line)
        assert time.monotonic() - begun < 3


def cut_while_trickling(line: socket.socket) -> bool:
    """Send a byte of a header every 50 ms for a while, and say whether the line is cut meanwhile."""
    try:
        for _ in range(60):
            line.sendall(b"x")
            time.sleep(0.05)
    except OSError:
        return True
    return False


def test_an_answer_that_nobody_reads(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is given up, and with it the connection; one that is read, though slowly, is not."""
    monkeypatch.setattr(server, "UNREAD_SECONDS", 0.4)
    with connected(port) as line:
        line.sendall(head("GET", "/large", port))
        time.sleep(1.5)
        assert read_all(line) < 64_000_000
    with connected(port) as line:
        line.sendall(head("GET", "/large", port))
        assert read_all(line, pause=0.01) > 64_000_000


def test_the_rest_of_an_answer_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is given up as well, though it is small and all of it was sent as far as the application knows."""
    monkeypatch.setattr(server, "UNREAD_SECONDS", 0.3)
    with served(build, buffer=4096) as port, socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.settimeout(20)
        line.connect(("127.0.0.1", port))
        line.sendall(head("GET", "/middling", port, "Connection: close"))
        time.sleep(1.5)
        assert read_all(line) < MIDDLING


def test_much_that_nobody_reads(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an answer no connection keeps more than a piece, however many ask and read nothing."""
    kept, pause = list[int](), server.GuardedProtocol.pause_writing

    def paused(self: server.GuardedProtocol) -> None:
        pause(self)
        kept.append(self.transport.get_write_buffer_size())

    monkeypatch.setattr(server.GuardedProtocol, "pause_writing", paused)
    with ExitStack() as lines:
        for _ in range(6):
            lines.enter_context(connected(port)).sendall(head("GET", "/large", port))
        until = time.monotonic() + 20
        while len(kept) < 6 and time.monotonic() < until:
            time.sleep(0.01)
        with connected(port) as line:
            line.sendall(head("GET", "/large", port, "Connection: close"))
            assert read_all(line) > 64_000_000
    assert len(kept) >= 6
    assert max(kept) <= PIECE_BYTES


def read_all(line: socket.socket, pause: float = 0) -> int:
    """Read what there is, and return how many bytes it was; a pause after each megabyte."""
    size = 0
    try:
        while more := line.recv(1_000_000):
            size += len(more)
            time.sleep(pause * len(more) / 1_000_000)
            if size > 64_000_000 and more.endswith(b"xxx"):
                break
    except ConnectionResetError:
        pass
    return size


def test_too_many_connections(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """While all are busy the next one is told so at once."""
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 3)
    busy = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(3)]
    for line in busy:
        line.sendall(head("POST", "/count", port, JSON, "Content-Length: 50") + b"x")
    time.sleep(0.1)
    with connected(port) as line:
        found = read_reply(line)
        assert (found.status, found.code) == (503, "too_many_feeds")
    for line in busy:
        assert read_reply(line).code == "too_slow"
        line.close()
    assert still_serves(port)


@pytest.mark.parametrize("sent", [b"", b"GET /count HTTP/1.1\r\nHost: half", "whole", "unread"])
def test_those_that_wait_for_their_client_make_room(
    port: int, monkeypatch: pytest.MonkeyPatch, sent: bytes | str
) -> None:
    """Heads that do not end, connections kept open, answers unread: nobody is shut out by them."""
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 4)
    requests = {"whole": head("GET", "/broken", port), "unread": head("GET", "/large", port)}
    with ExitStack() as held, connected(port) as first:
        first.sendall(post(port, b"{}"))
        assert read_reply(first).status == 200
        for _ in range(6):
            line = held.enter_context(connected(port))
            line.sendall(sent if isinstance(sent, bytes) else requests[sent])
        begun = time.monotonic()
        assert told(port, post(port, b"[]")).status == 200
        assert time.monotonic() - begun < server.HEAD_SECONDS / 2
        assert ends(first), "the one that has waited the longest went first"


def test_many_at_once(port: int) -> None:
    """A hundred that stop in the middle of a body keep nobody waiting."""
    stuck = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(100)]
    for line in stuck:
        line.sendall(head("POST", "/count", port, JSON, "Content-Length: 50") + b"x")
    begun = time.monotonic()
    assert still_serves(port)
    assert time.monotonic() - begun < 2
    assert {read_reply(line).status for line in stuck} == {408}
    for line in stuck:
        line.close()


def test_it_ends_though_somebody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is told to end does so while a feed is open and a body is awaited."""
    monkeypatch.setattr(server, "CLOSING_SECONDS", 1)
    with ExitStack() as lines:
        with served(build) as port:
            listening, sending = (lines.enter_context(connected(port)) for _ in range(2))
            listening.sendall(head("GET", "/feed", port))
            assert listening.recv(12) == b"HTTP/1.1 200"
            sending.sendall(head("POST", "/count", port, JSON, "Content-Length: 50") + b"x")
            begun = time.monotonic()
        assert time.monotonic() - begun < 5
        assert OPEN == []
