"""What a request asks, read and checked; what it is answered with, or why it is not."""

from collections import Counter
from collections.abc import Awaitable
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from affray.events.errors import AffrayError, BrokenLog, LogUnavailable, NewerLog, NotALog, SecretsMissing
from affray.events.misfit import Unreadable, read_json
from affray.replay.serve.access import Guest
from affray.replay.serve.access_file import BadAccess
from affray.replay.serve.errors import Problem, failed
from affray.replay.serve.hosts import bearer_of
from affray.replay.serve.ports import house_of
from affray.replay.serve.positions import BadPlace, Place

T = TypeVar("T")

UNAVAILABLE = (LogUnavailable, NotALog, NewerLog, BrokenLog, SecretsMissing, BadAccess)
"""What is no fault of whoever asks, and says where the files are kept."""


def guest_of(request: Request) -> Guest:
    """Return who asks. Raises Problem without a token that somebody has."""
    token = bearer_of(request.scope["headers"])
    if not token:
        raise Problem("no_token", "say who you are: Authorization: Bearer TOKEN, as your link has it")
    guest = house_of(request).access.guest_of(token)
    if guest is None:
        raise Problem("unknown_token", "nobody is known by that token: ask for a new link")
    return guest


async def clearly(work: Awaitable[T]) -> T:
    """Return what comes of it; what the program refuses is raised as a Problem."""
    try:
        return await work
    except UNAVAILABLE as error:
        raise failed(error, "log") from None
    except AffrayError as error:
        raise Problem("bad_request", str(error)) from None


def position_of(text: str) -> Place:
    """Return the position that is written so. Raises Problem."""
    try:
        return Place.read(text)
    except BadPlace as error:
        raise Problem("bad_request", str(error)) from None


async def body_of(request: Request, kind: type[T]) -> T:
    """Return the body of a request as what it should be. Raises Problem naming what does not fit."""
    try:
        return read_json(await request.body(), kind)  # type: ignore[no-any-return]
    except Unreadable as error:
        raise Problem("bad_request", str(error)) from None


def only(request: Request, *names: str) -> None:
    """Raise Problem for a word of the query that has no meaning here, or comes twice: it would be ignored."""
    for name, times in Counter(name for name, _ in request.query_params.multi_items()).items():
        if name not in names:
            known = f"there is {', '.join(names)}" if names else "there are none here"
            raise Problem("bad_request", f"no query parameter {name[:40]!r}: {known}")
        if times > 1:
            raise Problem("bad_request", f"the query parameter {name!r} comes more than once")


def as_json(value: Any) -> Response:
    """Return a value as an answer."""
    return json_told(msgspec.json.encode(value))


def json_told(told: bytes) -> Response:
    """Return JSON as an answer."""
    return Response(told, media_type="application/json")
