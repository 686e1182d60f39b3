"""Asking an ASGI application without a server: exactly these headers, this body, nothing smoothed over."""

import asyncio
import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message

HOST = ("host", "localhost:8417")


class Answer(NamedTuple):
    """What was answered, and how often the body was asked for: in all, and before the answer began."""

    status: int
    headers: Headers
    body: bytes
    received: int
    received_before: int

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of the error that it tells."""
        return str(self.json["error"]["code"])


async def answer_of(
    app: ASGIApp,
    method: str = "GET",
    path: str = "/",
    headers: Iterable[tuple[str, str]] = (HOST,),
    body: Iterable[bytes] = (),
    client: tuple[str, int] | None = ("127.0.0.1", 50_000),
    cut: bool = False,
) -> Answer:
    """Return what an application answers; what it raises besides counts for nothing.

    A body that is `cut` ends with the client, before its last part.
    """
    parts = list(body)
    sent: list[Message] = []
    received = received_before = 0
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "headers": [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers],
        "client": client,
        "server": ("127.0.0.1", 8417),
    }

    async def receive() -> Message:
        nonlocal received
        received += 1
        await asyncio.sleep(0)
        if received > max(1, len(parts)):
            return {"type": "http.disconnect"}
        part = parts[received - 1] if parts else b""
        return {"type": "http.request", "body": part, "more_body": cut or received < len(parts)}

    async def send(message: Message) -> None:
        nonlocal received_before
        await asyncio.sleep(0)
        if not sent:
            received_before = received
        sent.append(message)

    with suppress(Exception):
        await app(scope, receive, send)
    start = next(one for one in sent if one["type"] == "http.response.start")
    data = b"".join(one.get("body", b"") for one in sent if one["type"] == "http.response.body")
    return Answer(start["status"], Headers(raw=start["headers"]), data, received, received_before)


def asked(app: ASGIApp, method: str = "GET", path: str = "/", **more: Any) -> Answer:
    """Return the same outside of a loop."""
    return asyncio.run(answer_of(app, method, path, **more))
