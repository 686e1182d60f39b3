"""A fight that is served by a real server in a thread, and those who ask it."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Weapon
from affray.events.stores.sqlite import SqliteStore
from affray.replay.serve.access import Access, Guest
from affray.replay.serve.http import ADDRESS
from affray.replay.serve.server import serving
from affray.replay.serve.server_context import ServerContext

CLUB = Weapon(name="club", damage="1d6")


class Reply(NamedTuple):
    """What was answered."""

    status: int
    text: str

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.text)


class Served:
    """A server, its guests, and the log beside it, which others may write too."""

    def __init__(self, log: Path, access: Access, port: int, house: ServerContext) -> None:
        self.log, self.access, self.house = log, access, house
        self.port = port
        self.master = access.guests[0]
        self.count = 0

    def ask(self, guest: Guest | str | None, method: str, path: str, body: Any = None) -> Reply:
        """Ask as somebody: a guest, the bearer of a token, or nobody."""
        with closing(self._connected()) as connection:
            answer = _asked(connection, guest, method, path, body)
            return Reply(answer.status, answer.read().decode())

    def _connected(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.port, timeout=20)

    def get(self, guest: Guest, path: str) -> Any:
        """Return what is answered to somebody, who may ask that."""
        answer = self.ask(guest, "GET", path)
        assert answer.status == 200, answer.text
        return answer.json

    def post(self, guest: Guest, path: str, request: str = "", **body: Any) -> Reply:
        """Send a command at the position now, as it is told to the sender."""
        self.count += 1
        position = self.get(guest, "/session")["position"]
        body = {"expected": position, "request": request or f"q{self.count}", **body}
        return self.ask(guest, "POST", path, body)

    def declare(self, guest: Guest, act: str, **fields: Any) -> Reply:
        """Declare an act."""
        return self.post(guest, "/declarations", act={"act": act, **fields})

    @contextmanager
    def following(
        self, guest: Guest, after: str = "end", frames: int = 0
    ) -> Iterator[Iterator[tuple[str, Any]]]:
        """Follow the feed: it yields (event, data) for ever."""
        with closing(self._connected()) as connection:
            stream = _asked(connection, guest, "GET", f"/feed?after={after}&frames={frames}")
            assert stream.status == 200
            assert stream.readline() == b": affray\n"
            yield _events(stream)

    def status(self, guest: Guest | str | None, method: str, path: str, body: Any = None) -> int:
        """Return the status of an answer, which is not waited for."""
        with closing(self._connected()) as connection:
            return _asked(connection, guest, method, path, body).status


def _asked(
    connection: HTTPConnection, guest: Guest | str | None, method: str, path: str, body: Any = None
) -> HTTPResponse:
    token = guest.token if isinstance(guest, Guest) else guest
    headers = {"authorization": f"Bearer {token}"} if token is not None else {}
    if body is not None:
        headers["content-type"] = "application/json"
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    return connection.getresponse()


def _events(stream: HTTPResponse) -> Iterator[tuple[str, Any]]:
    kind = ""
    while line := stream.readline().decode():
        assert not line.startswith(": ping"), "nothing is told for long"
        if line.startswith("event: "):
            kind = line.removeprefix("event: ").strip()
        elif line.startswith("data: "):
            yield kind, json.loads(line.removeprefix("data: "))


@contextmanager
def server(log: Path, **more: Any) -> Iterator[Served]:
    """Serve a log while the block runs."""
    access = Access.open(log)
    app = serving(log, access, "http://127.0.0.1/", **more)

    async def named(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope[ADDRESS] = f"http://{Headers(scope=scope)['host']}"
        await app(scope, receive, send)

    config = uvicorn.Config(named, port=0, log_level="error", ws="none", lifespan="on")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    for _ in range(500):
        if running.started:
            break
        time.sleep(0.02)
    assert running.started
    port = running.servers[0].sockets[0].getsockname()[1]
    served = Served(log, access, port, app.state.house)
    try:
        yield served
    finally:
        running.should_exit = running.force_exit = True
        thread.join(10)


def enter(table: Table, id: str, side: str, at: tuple[int, int], **more: Any) -> None:
    """Let somebody enter."""
    sheet = Sheet(name=more.pop("name", id.title()), hp=more.pop("hp", 20), weapons=(CLUB,))
    outcome = table.declare(acts.Enter(id=id, side=side, sheet=sheet, at=at, **more))
    assert outcome.refused is None, outcome.refused


def small_fight(log: Path, *, begin: bool = True) -> None:
    """Make a log: a hero and a friend against an orc, and an imp that may be hidden."""
    with SqliteStore(log) as store:
        table = Table.create(store, dialect="srd35", terrain=["........"] * 6, seed=b"s")
        enter(table, "hero", "heroes", (1, 1), initiative=20)
        enter(table, "friend", "heroes", (1, 3), initiative=15)
        enter(table, "orc", "dark", (5, 1), initiative=10, hp=77)
        enter(table, "imp", "dark", (3, 1), initiative=5, hp=66, name="Vexlord")
        if begin:
            table.declare(acts.Begin())
