"""Routes that change nothing: session, feed, events, state, why, what is open, the page's data."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response

from affray.replay.serve.access import Guest
from affray.replay.serve.asked import as_json, clearly, guest_of, json_told, position_of
from affray.replay.serve.errors import Problem
from affray.replay.serve.ports import House, Wanted, house_of
from affray.replay.serve.positions import Place
from affray.replay.serve.queries import AT, FOLLOWED_FROM, FRAMES, LEARNED_TO, LIMIT, TOLD_FROM

SEND_SECONDS = 20
"""A follower who takes nothing for so long is dropped; it may come again and go on where it was."""

PING_SECONDS = 10


async def session(request: Request) -> Response:
    """Tell who asks, and how the fight stands."""
    house, guest = house_of(request), guest_of(request)
    hidden = house.access.hidden if guest.role == "game master" else ()
    what = f"session {hidden}"
    return as_json(
        await house.look_briefly(guest, what, lambda looking, store: looking.session(store, guest, hidden))
    )


async def feed(request: Request) -> Response:
    """Follow the main line."""
    house, guest = house_of(request), guest_of(request)
    frames = FRAMES.text(request)
    if frames not in ("0", "1"):
        raise Problem("bad_request", "frames is 0 or 1")
    after = request.headers.get("last-event-id") or FOLLOWED_FROM.text(request)
    begun = await clearly(house.feed.begin(guest, after if after in ("start", "end") else position_of(after)))
    return EventSourceResponse(
        _greeted(house, guest, begun, frames == "1"),
        ping=PING_SECONDS,
        send_timeout=SEND_SECONDS,
        sep="\n",
    )


async def _greeted(
    house: House, guest: Guest, begun: tuple[Place, Any, Place | None], frames: bool
) -> AsyncIterator[bytes]:
    """Yield the feed behind a comment, so that whoever follows knows at once that it is heard."""
    yield b": affray\n\n"
    place, seen, come_from = begun
    following = house.feed.follow(guest, place, frames=frames, seen=seen, come_from=come_from)
    async with aclosing(following):
        async for sent in following:
            yield sent


async def events(request: Request) -> Response:
    """Tell a page of the feed."""
    house, guest = house_of(request), guest_of(request)
    limit, after = LIMIT.number(request), TOLD_FROM.text(request)
    place = None if after == "start" else position_of(after)
    return json_told(await house.look_long(guest, Wanted("events", place, limit)))


async def state(request: Request) -> Response:
    """Tell how the fight stands, or stood."""
    house = house_of(request)
    guest, at = guest_of(request), AT.text(request)
    look = house.look_briefly if at == "end" else house.look_by_rules
    return as_json(await look(guest, f"state {at}", lambda looking, store: looking.state(store, at)))


async def why(request: Request) -> Response:
    """Explain one event of the main line."""
    house, guest = house_of(request), guest_of(request)
    seq = _seq(request.path_params["seq"])
    return as_json(
        await house.look_by_rules(guest, f"why {seq}", lambda looking, store: looking.why(store, seq))
    )


async def legal(request: Request) -> Response:
    """Tell what is open to a combatant now."""
    house, guest = house_of(request), guest_of(request)
    who = request.path_params["id"]
    if guest.role != "game master" and who not in guest.combatants:
        raise Problem("not_yours", "that is told to the combatant's player alone")
    return as_json(
        await house.look_by_rules(guest, f"legal {who}", lambda looking, store: looking.legal(store, who))
    )


async def page(request: Request) -> Response:
    """Tell what a page of the fight is drawn from."""
    house, guest = house_of(request), guest_of(request)
    return json_told(await house.look_long(guest, Wanted("page")))


async def picture(request: Request) -> Response:
    """Tell the picture that lies under the map; without an address there is none."""
    return as_json(house_of(request).picture)


async def names(request: Request) -> Response:
    """Tell what a page has to learn that knows the fight up to a position."""
    house, guest = house_of(request), guest_of(request)
    after = position_of(LEARNED_TO.text(request))
    return json_told(await house.look_long(guest, Wanted("names", after)))


def _seq(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Problem("not_found", f"{text[:40]!r} is no number of an event")
    return int(text)
