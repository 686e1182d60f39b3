"""A real server in a thread, and clients that send it exactly these bytes."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import uvicorn
from starlette.types import ASGIApp

from affray.replay.serve.server import make_server_config


@contextmanager
def served(build: Callable[[int], ASGIApp], *, buffer: int = 0) -> Iterator[int]:
    """Serve the application that `build` makes for a port, inside the block; yield the port.

    The system keeps `buffer` bytes of what is sent, as many as it likes for 0.
    """
    listening = socket.socket()
    if buffer:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", 0))
    port: int = listening.getsockname()[1]
    server = uvicorn.Server(make_server_config(build(port), "127.0.0.1", port))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        until = time.monotonic() + 20
        while not server.started:
            assert thread.is_alive()
            assert time.monotonic() < until
            time.sleep(0.005)
        yield port
    finally:
        server.should_exit = True
        thread.join(20)
        listening.close()
    assert not thread.is_alive()


class Reply(NamedTuple):
    """An answer off the line: status, headers by small name, body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def code(self) -> str:
        """The code of the error that it tells, in the one shape that errors have."""
        told: dict[str, Any] = json.loads(self.body)
        assert set(told["error"]) == {"code", "message", "rule"}
        return str(told["error"]["code"])


@contextmanager
def connected(port: int) -> Iterator[socket.socket]:
    """Connect to a port of this machine inside the block."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        yield line


def head(method: str, path: str, port: int, *rows: str, version: str = "1.1", host: bool = True) -> bytes:
    """Return the head of a request."""
    named = [f"Host: localhost:{port}"] if host else []
    return "\r\n".join([f"{method} {path} HTTP/{version}", *named, *rows, "", ""]).encode("latin-1")


def read_reply(line: socket.socket) -> Reply:
    """Read one answer, its body by its length."""
    data = b""
    while not data.endswith(b"\r\n\r\n"):
        more = line.recv(1)
        assert more, f"the connection ended in the head of an answer: {data!r}"
        data += more
    rows = data.decode("latin-1").rstrip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (row.partition(":") for row in rows[1:])}
    body = b""
    while missing := int(headers.get("content-length", "0")) - len(body):
        more = line.recv(missing)
        assert more, "the connection ended in the body of an answer"
        body += more
    return Reply(int(rows[0].split()[1]), headers, body)


def ends(line: socket.socket) -> bool:
    """Say whether the server has nothing more to say and closes the connection."""
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def told(port: int, data: bytes) -> Reply:
    """Return what is answered to bytes that are sent at once."""
    with connected(port) as line:
        line.sendall(data)
        return read_reply(line)
