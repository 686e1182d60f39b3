"""A fight that is served in a thread, and those who ask: requests as a client sends them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

from affray.replay.serve.access import Access
from affray.replay.serve.http import Guard, Limits, allowed_hosts
from affray.replay.serve.server import serving
from tests.serve.serving import served


class Answered(NamedTuple):
    """What was answered: status, media type, body as text."""

    status: int
    media: str
    text: str

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.text)


class Asker:
    """Somebody who asks a server: with a token, or without."""

    def __init__(self, port: int, token: str = "") -> None:
        """Know the server."""
        self.port, self.token = port, token

    def headers(self, **more: str) -> dict[str, str]:
        """Return what is sent along."""
        told = {"authorization": f"Bearer {self.token}"} if self.token else {}
        return {**told, **{name.replace("_", "-"): value for name, value in more.items()}}

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answered:
        """Return what is answered; a body is sent as JSON, unless it is bytes."""
        line = HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = self.headers(**headers)
        if body is not None:
            sent.setdefault("content-type", "application/json")
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            line.request(method, path, body, sent)
            got = line.getresponse()
            media = (got.getheader("content-type") or "").partition(";")[0]
            return Answered(got.status, media, got.read().decode())
        finally:
            line.close()

    @contextmanager
    def following(self, path: str, **headers: str) -> Iterator[Iterator[tuple[str, str, Any]]]:
        """Follow the feed inside the block: yields what is told, as id, name and data of each event."""
        line = HTTPConnection("127.0.0.1", self.port, timeout=60)
        line.request("GET", path, headers=self.headers(**headers))
        got = line.getresponse()
        assert got.status == 200
        assert (got.getheader("content-type") or "").startswith("text/event-stream")

        def told() -> Iterator[tuple[str, str, Any]]:
            fields: dict[str, str] = {}
            while row := got.readline().decode():
                if row == "\n":
                    if fields:
                        yield fields["id"], fields["event"], json.loads(fields["data"])
                    fields = {}
                elif not row.startswith(":"):
                    name, _, value = row.rstrip("\n").partition(": ")
                    fields[name] = value

        try:
            yield told()
        finally:
            line.close()


class Table(NamedTuple):
    """A server and those who know it: game master, player, onlooker, and a stranger without a token."""

    master: Asker
    player: Asker
    onlooker: Asker
    stranger: Asker


@contextmanager
def at_table(log: Path, player: str, limits: Limits | None = None) -> Iterator[Table]:
    """Serve a log inside the block, with the player of a combatant and an onlooker."""
    access = Access.open(log)
    tokens = [access.guests[0].token, access.invite("player", (player,), "Anna").token]
    tokens += [access.invite("onlooker").token, ""]

    def build(port: int) -> Guard:
        app = serving(log, access, f"http://127.0.0.1:{port}/")
        return Guard(app, allowed_hosts(port), lambda token: access.guest_of(token) is not None, limits)

    with served(build) as port:
        yield Table(*(Asker(port, token) for token in tokens))
