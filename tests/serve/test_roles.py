"""Who may ask what: each role, each route, each method, from one table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.replay.serve.access import Guest
from affray.replay.serve.routes import make_starlette_routes
from tests.serve.served import Served, server, small_fight

STALE = {"expected": "main:0:0", "request": "q"}
"""A command of whom it is allowed is answered with 409: nothing is done."""

OPEN_TO_ALL = {
    *("/", "/overlay", "/openapi.json", "/asyncapi.json", "/schemas/events.json"),
    *("/foundry/module.json", "/foundry/affray.zip"),
}
"""Pages, documents and the module for Foundry, which need no token."""

MINE, ORCS, MASTERS = (
    {"act": "end-turn", "actor": "hero"},
    {"act": "end-turn", "actor": "orc"},
    {"act": "begin"},
)

TABLE: tuple[tuple[str, str, Any, int, int, int], ...] = (
    # method, path, body, then the status for the game master, a player, an onlooker
    ("GET", "/session", None, 200, 200, 200),
    ("GET", "/feed", None, 200, 200, 200),
    ("GET", "/feed?frames=1&after=end", None, 200, 200, 200),
    ("GET", "/feed?after=nowhere", None, 400, 400, 400),
    ("GET", "/events", None, 200, 200, 200),
    ("GET", "/events?limit=0", None, 400, 400, 400),
    ("GET", "/state", None, 200, 200, 200),
    ("GET", "/state?at=r9", None, 400, 400, 400),
    ("GET", "/why/2", None, 200, 200, 403),
    ("GET", "/why/7", None, 200, 403, 200),
    ("GET", "/why/9999", None, 404, 404, 404),
    ("GET", "/legal/hero", None, 200, 200, 403),
    ("GET", "/legal/friend", None, 200, 403, 403),
    ("GET", "/legal/orc", None, 200, 403, 403),
    ("GET", "/legal/nobody", None, 404, 403, 403),
    ("GET", "/legal/hero/way?path=1,1", None, 200, 200, 403),
    ("GET", "/legal/hero/way", None, 200, 200, 403),
    ("GET", "/legal/hero/way?path=1", None, 400, 400, 403),
    ("GET", "/legal/hero/way?act=dance", None, 400, 400, 403),
    ("GET", "/legal/hero/way?act=run&how=swim", None, 400, 400, 403),
    ("GET", f"/legal/hero/way?path={';'.join(['1,1'] * 201)}", None, 400, 400, 403),
    ("GET", "/legal/orc/way?path=1,1", None, 200, 403, 403),
    ("GET", "/legal/nobody/way", None, 404, 403, 403),
    ("GET", "/page", None, 200, 200, 200),
    ("GET", "/names?after=main:0:3", None, 200, 200, 200),
    ("GET", "/picture", None, 200, 200, 200),
    ("GET", "/names", None, 200, 200, 200),
    ("GET", "/names?after=end", None, 400, 400, 400),
    ("POST", "/declarations", {**STALE, "act": MINE}, 409, 409, 403),
    ("POST", "/declarations", {**STALE, "act": ORCS}, 409, 403, 403),
    ("POST", "/declarations", {**STALE, "act": MASTERS}, 409, 403, 403),
    ("POST", "/declarations", {**STALE, "act": {**MASTERS, "actor": "hero"}}, 409, 403, 403),
    ("GET", "/held", None, 200, 200, 403),
    ("POST", "/held", {**STALE, "held": "h1"}, 404, 403, 403),
    ("POST", "/choices", {**STALE, "answer": "take"}, 409, 409, 403),
    ("POST", "/say", {**STALE, "text": "hero: e"}, 409, 409, 403),
    ("POST", "/rulings", {**STALE, "text": "so be it", "at": 3, "verdict": "uphold"}, 409, 403, 403),
    ("POST", "/disputes", {**STALE, "text": "never", "at": 3}, 409, 409, 403),
    ("POST", "/undo", STALE, 409, 403, 403),
    ("POST", "/redo", STALE, 409, 403, 403),
    ("POST", "/forks", {**STALE, "at": "3", "name": "other"}, 409, 403, 403),
    ("POST", "/promotions", {**STALE, "branch": "main"}, 409, 403, 403),
    ("GET", "/invitations", None, 200, 403, 403),
    ("POST", "/invitations", {"role": "onlooker"}, 200, 403, 403),
    ("POST", "/invitations", {"role": "player"}, 400, 403, 403),
    ("POST", "/invitations/withdraw", {"token": "nobody's"}, 400, 403, 403),
    ("GET", "/swing", None, 200, 403, 403),
    ("POST", "/swing", {"runs": 0}, 200, 403, 403),
    ("POST", "/swing", {"runs": -1}, 400, 403, 403),
    ("GET", "/sheets", None, 200, 403, 403),
    ("POST", "/sheets", {"use": "ogre"}, 200, 403, 403),
    ("POST", "/sheets", {"use": "nobody"}, 400, 403, 403),
    ("POST", "/sheets", {"use": "ogre", "block": "x"}, 400, 403, 403),
    ("POST", "/sheets", {"block": "nonsense"}, 400, 403, 403),
    ("POST", "/hidden", {"combatant": "nobody"}, 200, 403, 403),
)

METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve the small fight."""
    log = Path(tmp_path_factory.mktemp("roles")) / "fight.db"
    small_fight(log)
    with server(log) as running:
        yield running


@pytest.fixture(scope="module")
def guests(served: Served) -> tuple[Guest, Guest, Guest]:
    """The game master, a player, an onlooker."""
    player = served.access.invite("player", ["hero"], "Anna")
    return served.master, player, served.access.invite("onlooker")


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]} {row[1]}")
def test_the_table(served: Served, guests: tuple[Guest, ...], row: tuple[Any, ...]) -> None:
    """The status is that of the table; without a token, or with another one, it is 401 throughout."""
    method, path, body, *wanted = row
    assert [served.status(guest, method, path, body) for guest in guests] == wanted
    for token in (None, "", "x" * 32, guests[0].token[:-1], guests[0].token + "=", "\xe9"):
        assert served.status(token, method, path, body) == 401, token


@pytest.mark.parametrize("query", ["limit=1&limit=2", "limit=1&limit=1", "limits=1"])
def test_words_of_a_query_that_would_be_ignored(
    served: Served, guests: tuple[Guest, ...], query: str
) -> None:
    """Are refused: one that is unknown, and one that comes twice."""
    assert [served.status(guest, "GET", f"/events?{query}", None) for guest in guests] == [400, 400, 400]


def test_the_table_is_whole(served: Served, guests: tuple[Guest, ...]) -> None:
    """Every route and method stands there; every other method is refused, whoever asks."""
    there = {(method, path.partition("?")[0]) for method, path, *_ in TABLE}
    for route in make_starlette_routes():
        if route.path in OPEN_TO_ALL:
            continue
        example = route.path.replace("{seq}", "2").replace("{id}", "hero")
        allowed = (route.methods or set()) - {"HEAD"}
        assert {method for method, path in there if path == example} == allowed, route.path
        for method in METHODS:
            if method not in allowed:
                for guest in guests:
                    assert served.ask(guest, method, example).status == 405


def test_errors_have_one_shape(served: Served, guests: tuple[Guest, ...]) -> None:
    """And those who may not are told no more than that."""
    for method, path, body, *wanted in TABLE:
        for guest, code in zip(guests, wanted, strict=True):
            if code < 400 or path.startswith("/feed"):
                continue
            told = served.ask(guest, method, path, body).json
            assert set(told["error"]) == {"code", "message", "rule"}
            assert ("position" in told) is (code == 409)
            assert str(served.log) not in str(told)
