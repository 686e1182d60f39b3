"""Errors: one shape, the status of the code, nothing of the inside."""

import json

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from affray.events import logging
from affray.replay.serve.http import HANDLERS, STATUSES, Problem, failed
from tests.serve.asking import asked


def raising(error: Exception) -> Starlette:
    """Return an application whose one route raises that."""

    async def route(request: Request) -> Response:
        raise error

    return Starlette(routes=[Route("/it", route)], exception_handlers=HANDLERS)


@pytest.mark.parametrize("code", STATUSES)
def test_one_shape(code: str) -> None:
    """Every code has its status, and is answered alike."""
    found = asked(raising(Problem(code, "it is so", rule="srd35.cover")), "GET", "/it")
    assert found.status == STATUSES[code]
    assert (found.headers.get("www-authenticate") == "Bearer") == (found.status == 401)
    assert found.json == {"error": {"code": code, "message": "it is so", "rule": "srd35.cover"}}


def test_the_position_now_stands_beside_the_error() -> None:
    """Whoever was late reads where the fight is."""
    found = asked(raising(Problem("stale_position", "the fight went on", position="main:0:52")), "GET", "/it")
    assert found.json["position"] == "main:0:52"


def test_when_to_try_again() -> None:
    """Told in the header of the field."""
    found = asked(raising(Problem("too_many", "too often", retry_after=3)), "GET", "/it")
    assert found.headers["retry-after"] == "3"


def test_a_message_is_one_line() -> None:
    """Whatever it quotes."""
    message = json.loads(Problem("bad_request", "no\x1b[2J such\nword" + "x" * 5000).response().body)
    assert "\n" not in message["error"]["message"]
    assert "\x1b" not in message["error"]["message"]
    assert len(message["error"]["message"]) < 700


def test_no_such_code() -> None:
    """A problem without a status is a fault of the program."""
    with pytest.raises(KeyError):
        Problem("nonsense", "no")


def test_the_inside_is_not_told() -> None:
    """Neither what was raised nor where."""
    found = asked(raising(ValueError("seed 0x17 in /home/gm/fight.db")), "GET", "/it")
    assert (found.status, found.code) == (500, "internal")
    assert b"seed" not in found.body
    assert b"/home" not in found.body
    assert b"Traceback" not in found.body


def test_the_inside_is_noted() -> None:
    """With what was raised and where, for who runs the server."""
    with pytest.raises(ValueError, match="seed") as raised:
        raise ValueError("seed 0x17 in /home/gm/fight.db")
    with logging.captured() as noted:
        assert failed(raised.value, "GET /it").status == 500
    (one,) = noted
    assert (one["event"], one["place"]) == ("serve.failed", "GET /it")
    assert one["error"] == "ValueError: seed 0x17 in /home/gm/fight.db"
    assert "test_errors.py" in one["where"]


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/else", 404), ("DELETE", "/it", 405)])
def test_what_starlette_refuses(method: str, path: str, status: int) -> None:
    """No such page, no such method: in the same shape, with the methods that there are."""
    found = asked(raising(Problem("hidden", "no")), method, path)
    assert found.status == status
    assert set(found.json["error"]) == {"code", "message", "rule"}
    assert ("allow" in found.headers) == (status == 405)
