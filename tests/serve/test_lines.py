"""Connections: what is sent goes out at once, and little is kept for those who do not read."""

import socket

import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from affray.replay.serve import server
from affray.replay.serve.server import SEND_BYTES, UNREAD_SECONDS, prepare
from tests.serve.serving import connected, served


def test_a_connection_to_a_socket_that_was_given() -> None:
    """As `affray serve` has it: asyncio leaves those as they are."""
    with socket.create_server(("127.0.0.1", 0)) as listening, connected(listening.getsockname()[1]):
        line, _ = listening.accept()
        with line:
            prepare(line)
            assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert line.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * SEND_BYTES
            if hasattr(socket, "TCP_USER_TIMEOUT"):
                kept = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
                assert kept == UNREAD_SECONDS * 1000


def test_no_connection_of_the_net() -> None:
    """What is none is left alone."""
    one, other = socket.socketpair()
    with one, other:
        prepare(one)
    prepare(None)


def test_the_server_prepares_each_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever connects."""
    prepared = []
    monkeypatch.setattr(server, "prepare", prepared.append)
    app = Starlette(routes=[Route("/", lambda request: Response("hello"))])
    with served(lambda port: app) as port, connected(port) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert line.recv(1) == b"H"
    assert len(prepared) == 1
