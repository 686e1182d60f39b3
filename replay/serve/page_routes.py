"""Routes that need no token: the page of the fight, the overlay, the rulebook, which hold nothing of it."""

import asyncio
import gzip
from functools import cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from affray.events.codec import decode
from affray.events.store import Store
from affray.replay.html_page import framed
from affray.replay.serve.asked import only
from affray.replay.serve.ports import house_of
from affray.replay.viewer.pages import live_page, overlay_page, policy_of

HELD = {"cache-control": "no-cache"}
"""A page may be kept, and is asked for again each time: after an upgrade it is another one."""


async def table_page(request: Request) -> Response:
    """Return the page on which the fight is played."""
    only(request)
    return _page("table")


async def overlay(request: Request) -> Response:
    """Return the page for a stream or a screen at the table."""
    only(request)
    return _page("overlay")


async def rulebook_page(request: Request) -> Response:
    """Return the rules of the fight's dialect, the same for everybody; the first one waits for their page."""
    only(request)
    house = house_of(request)
    packed = await house.weaving.packed(await house.apart(_dialect))
    headers = {**HELD, "content-security-policy": policy_of(framed("", [])), "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return HTMLResponse(packed, headers={**headers, "content-encoding": "gzip"})
    return HTMLResponse(await asyncio.to_thread(gzip.decompress, packed), headers=headers)


PAGES = (Route("/", table_page), Route("/overlay", overlay), Route("/rulebook", rulebook_page))
"""The routes of the pages."""


def _dialect(store: Store) -> str:
    return next(str(decode(event).dialect) for event in store.read("main", upto=1))


@cache
def _page(which: str) -> Response:
    page = live_page() if which == "table" else overlay_page()
    return HTMLResponse(page, headers={**HELD, "content-security-policy": policy_of(page)})
