"""Routes that need no token: the page of the fight and the overlay, which hold nothing of it."""

from functools import cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from affray.replay.serve.asked import only
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


PAGES = (Route("/", table_page), Route("/overlay", overlay))
"""The routes of the pages."""


@cache
def _page(which: str) -> Response:
    page = live_page() if which == "table" else overlay_page()
    return HTMLResponse(page, headers={**HELD, "content-security-policy": policy_of(page)})
